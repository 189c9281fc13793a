/* The filter is written here, not by libseccomp: libseccomp 2.5 crashes when memory is out, and needs 560 allocations
 * and a quarter of the time that the whole sandbox may take. */
#include "seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__ && defined __LP64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0 /* no filter */
#endif
/* The newest call that is judged here, mseal of Linux 6.10. Newer ones are refused like on a kernel that lacks them,
 * and so are the calls of x86-64's x32, from 0x40000000 on. From 424 on, numbers are the same on all processors; older
 * headers lack the names of such calls. */
#define NEWEST 462

static const unsigned forbidden[] = {
    /* the network; io_uring makes calls without this filter */
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_io_uring_setup,
    /* other processes, and memory and queues that they share */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_setns, SYS_unshare, 424, /* pidfd_send_signal */
    438, /* pidfd_getfd */ SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setpriority, SYS_ioprio_set,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_migrate_pages, SYS_move_pages,
    440 /* process_madvise */, SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_mq_unlink,
    /* names, modes, owners and attributes of files */
    SYS_fchmodat, SYS_fchownat, SYS_truncate, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_open_by_handle_at, 452, /* fchmodat2 */
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    /* the machine, which root can change */
    SYS_chroot, SYS_pivot_root, SYS_mount, SYS_umount2, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_acct, SYS_quotactl, SYS_syslog,
    /* parts of the kernel that have often had faults */
    SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key};
static const unsigned forbidden_alone[] = {SYS_execve, SYS_execveat, SYS_kill};

/* Commands of calls, which are their second argument. TIOCSTI and TIOCLINUX type into a terminal, and the shell reads
 * that after the program's end. The others choose the process that gets a signal when there is something to read, and
 * the signal. */
static const struct {
  unsigned call, command;
} forbidden_commands[] = {{SYS_ioctl, TIOCSTI},   {SYS_ioctl, TIOCLINUX}, {SYS_ioctl, FIOSETOWN},
                          {SYS_ioctl, SIOCSPGRP}, {SYS_fcntl, F_SETOWN},  {SYS_fcntl, F_SETOWN_EX},
                          {SYS_fcntl, F_SETSIG}};

enum {
  N_ALWAYS = sizeof forbidden / sizeof *forbidden,
  N_ALONE = sizeof forbidden_alone / sizeof *forbidden_alone,
  N_COMMANDS = sizeof forbidden_commands / sizeof *forbidden_commands,
  MOST = 7 + 2 * (N_ALWAYS + N_ALONE) + 5 * (N_COMMANDS + 2)
};

/* ---- the filter: instructions for the kernel ---- */

typedef struct filter {
  struct sock_filter steps[MOST];
  unsigned short n;
} filter;

static void add(filter *f, unsigned code, unsigned value, unsigned char if_true, unsigned char if_false) {
  f->steps[f->n++] = (struct sock_filter){(unsigned short)code, if_true, if_false, value};
}

static void load(filter *f, size_t offset) {
  add(f, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static void refuse(filter *f, int error) {
  add(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error, 0, 0);
}

static void refuse_call(filter *f, unsigned call) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
  refuse(f, EPERM);
}

/* Refuses the call for one value of an argument or, if the value `is_allowed`, for all others. Compares the low half of
 * the argument: the kernel reads no more of these. */
static void refuse_value(filter *f, unsigned call, unsigned argument, unsigned value, bool is_allowed) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
  load(f, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t)); /* little-endian */
  add(f, BPF_JMP | BPF_JEQ | BPF_K, value, is_allowed, !is_allowed);
  refuse(f, EPERM);
  load(f, offsetof(struct seccomp_data, nr));
}

bool cli_has_seccomp(void) {
  return ARCHITECTURE != 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

void cli_seccomp_enter(bool starts_program) {
  filter f = {.n = 0};
  if (ARCHITECTURE == 0)
    return;
  load(&f, offsetof(struct seccomp_data, arch));
  add(&f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  refuse(&f, EPERM);
  load(&f, offsetof(struct seccomp_data, nr));
  add(&f, BPF_JMP | BPF_JGT | BPF_K, NEWEST, 0, 1);
  refuse(&f, ENOSYS);
  for (unsigned i = 0; i < N_ALWAYS; i++)
    refuse_call(&f, forbidden[i]);
  for (unsigned i = 0; i < N_COMMANDS; i++)
    refuse_value(&f, forbidden_commands[i].call, 1, forbidden_commands[i].command, false);
  refuse_value(&f, SYS_prlimit64, 0, 0, true); /* 0: of the process itself */
  for (unsigned i = 0; i < N_ALONE && !starts_program; i++)
    refuse_call(&f, forbidden_alone[i]);
  if (!starts_program)
    refuse_value(&f, SYS_tgkill, 0, (unsigned)getpid(), true);
  add(&f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  const struct sock_fprog program = {.len = f.n, .filter = f.steps};
  /* without SPEC_ALLOW, older kernels slow down all code of the process, to protect secrets that it does not have */
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}
