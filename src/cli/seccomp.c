/* The filter is written here, not by libseccomp: libseccomp 2.5 crashes when memory is out, and needs 560 allocations
 * and a quarter of the time that the whole sandbox may take. */
#include "seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
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
    /* the network and sockets of other processes, which a message can name; io_uring makes calls without this filter */
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_sendmmsg, SYS_io_uring_setup,
    /* other processes, and memory and queues that they share */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_setns, SYS_unshare, 424, /* pidfd_send_signal */
    438, /* pidfd_getfd */ SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setpriority, SYS_ioprio_set,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_migrate_pages, SYS_move_pages,
    440 /* process_madvise */, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl,
    SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_mq_open, SYS_mq_unlink, SYS_mq_timedsend,
    SYS_mq_timedreceive, SYS_mq_notify, SYS_mq_getsetattr,
    /* groups of processes: the kernel sends signals to a whole group if one of it reads its terminal */
    SYS_setpgid, SYS_setsid,
    /* names, modes, owners and attributes of files */
    SYS_fchmodat, SYS_fchownat, SYS_truncate, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_open_by_handle_at, 452, /* fchmodat2 */
#ifdef SYS_chmod                                  /* x86-64 */
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    /* the machine, which root can change */
    SYS_chroot, SYS_pivot_root, SYS_mount, SYS_umount2, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load,
    SYS_kexec_file_load, SYS_vhangup, SYS_fanotify_init, 428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */,
    433 /* fspick */, 442 /* mount_setattr */, 443 /* quotactl_fd */, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname,
    SYS_setdomainname, SYS_acct, SYS_quotactl, SYS_syslog,
    /* parts of the kernel that have often had faults */
    SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key};
/* Alone, the program needs these calls, and gets no others. If a call from 424 on (Linux 5.1) is missing, the C library
 * makes an older one instead. The kernel compares the numbers in order, so the frequent calls come first. */
static const unsigned allowed[] = {
    SYS_futex, SYS_sched_yield, SYS_read, SYS_write, SYS_pread64, SYS_mmap, SYS_munmap, SYS_madvise, SYS_close,
    SYS_fstat, SYS_newfstatat, SYS_openat, SYS_mprotect, SYS_brk, SYS_clock_gettime,
    /* files, which Landlock judges */
    SYS_pwrite64, SYS_readv, SYS_writev, SYS_preadv, SYS_pwritev, SYS_lseek, SYS_statx, SYS_readlinkat, SYS_faccessat,
    439 /* faccessat2 */, SYS_getdents64, SYS_getcwd, SYS_ftruncate, SYS_fallocate, SYS_fsync, SYS_fdatasync,
    SYS_fadvise64, SYS_copy_file_range, SYS_sendfile, SYS_renameat, SYS_renameat2, SYS_linkat, SYS_unlinkat,
    SYS_mkdirat, SYS_fchmod, SYS_statfs, SYS_fstatfs, SYS_memfd_create, SYS_umask, SYS_dup, SYS_dup3, SYS_fcntl,
    SYS_ioctl, SYS_ppoll,
    /* memory, threads and time */
    SYS_mremap, SYS_clone, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_rseq, SYS_exit,
    SYS_exit_group, SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_membarrier, SYS_getcpu, SYS_gettid, SYS_nanosleep,
    SYS_clock_nanosleep, SYS_clock_getres, SYS_gettimeofday, SYS_restart_syscall,
    /* signals to itself, and facts about itself and the machine */
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_tgkill, SYS_getpid, SYS_getppid,
    SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_prctl, SYS_prlimit64, SYS_getrusage, SYS_times, SYS_uname,
    SYS_sysinfo, SYS_getrandom,
#ifdef SYS_open /* x86-64 */
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_rename, SYS_link, SYS_unlink, SYS_mkdir, SYS_rmdir,
    SYS_dup2, SYS_poll, SYS_getrlimit, SYS_time, SYS_arch_prctl,
#endif
    /* the second sandbox of --test */
    444, 445, 446 /* landlock_create_ruleset, landlock_add_rule, landlock_restrict_self */};
/* The oldest call that is missing instead of forbidden. */
#define FIRST_NEW 424

/* Values of an argument for which a call is refused or, if `are_allowed`, for which alone it is allowed. */
typedef struct argument_rule {
  unsigned call, argument;
  bool are_allowed;
  unsigned n, values[8];
} argument_rule;

static const argument_rule rules[] = {
    /* TIOCSTI and TIOCLINUX type into a terminal, and the shell reads that after the program's end. The others send
     * signals to processes of the terminal, or choose the process that gets one when there is something to read. */
    {SYS_ioctl, 1, false, 8, {TIOCSTI, TIOCLINUX, TIOCSWINSZ, TIOCNOTTY, TIOCSPGRP, FIOASYNC, FIOSETOWN, SIOCSPGRP}},
    {SYS_fcntl, 1, false, 3, {F_SETOWN, F_SETOWN_EX, F_SETSIG}}};
static const argument_rule rules_alone[] = {
    /* TCGETS tells whether there is a terminal (0x802c542a: TCGETS2), TIOCGWINSZ its size */
    {SYS_ioctl, 1, true, 3, {TCGETS, 0x802c542a, TIOCGWINSZ}},
    {SYS_fcntl, 1, true, 5, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL}}};
static const argument_rule own_limits = {SYS_prlimit64, 0, true, 1, {0}}; /* 0: the process itself */
/* Flags of clone that make namespaces, in which a process is root. */
#define NEW_NAMESPACES                                                                                                 \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

enum {
  N_FORBIDDEN = sizeof forbidden / sizeof *forbidden,
  N_ALLOWED = sizeof allowed / sizeof *allowed,
  N_RULES = sizeof rules / sizeof *rules,
  N_RULES_ALONE = sizeof rules_alone / sizeof *rules_alone,
  MOST = 50 + 2 * (N_FORBIDDEN + N_ALLOWED) + 12 * (N_RULES + N_RULES_ALONE + 2)
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

static void refuse_call(filter *f, unsigned call, int error) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
  refuse(f, error);
}

/* Compares the low half of the argument: the kernel reads no more of these. */
static void add_rule(filter *f, const argument_rule *rule) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, rule->call, 0, (unsigned char)(rule->n + 3));
  load(f, offsetof(struct seccomp_data, args) + rule->argument * sizeof(uint64_t)); /* little-endian */
  for (unsigned i = 0; i < rule->n; i++) {
    const unsigned char to_refuse = (unsigned char)(rule->n - 1 - i), past_it = to_refuse + 1;
    const bool is_last = to_refuse == 0;
    add(f, BPF_JMP | BPF_JEQ | BPF_K, rule->values[i], rule->are_allowed ? past_it : to_refuse,
        is_last && !rule->are_allowed);
  }
  refuse(f, EPERM);
  load(f, offsetof(struct seccomp_data, nr));
}

static void allow_call(filter *f, unsigned call) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
  add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* Refuses clone with one of the flags or, if `are_needed`, without all of them. */
static void refuse_clone(filter *f, unsigned flags, bool are_needed) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
  load(f, offsetof(struct seccomp_data, args));
  add(f, BPF_JMP | BPF_JSET | BPF_K, flags, are_needed, !are_needed);
  refuse(f, EPERM);
  load(f, offsetof(struct seccomp_data, nr));
}

/* Refuses to open a file for what Landlock does not see: O_TRUNC without writing, before its version 3, and the access
 * mode 3, neither for reading nor for writing, with which fchmod and ioctl still work. */
static void refuse_odd_modes(filter *f, unsigned call, unsigned argument_of_flags) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 7);
  load(f, offsetof(struct seccomp_data, args) + argument_of_flags * sizeof(uint64_t));
  add(f, BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE, 0, 0);
  add(f, BPF_JMP | BPF_JEQ | BPF_K, O_TRUNC | O_RDONLY, 2, 0);
  add(f, BPF_ALU | BPF_AND | BPF_K, O_ACCMODE, 0, 0);
  add(f, BPF_JMP | BPF_JEQ | BPF_K, O_ACCMODE, 0, 1);
  refuse(f, EPERM);
  load(f, offsetof(struct seccomp_data, nr));
}

bool cli_has_seccomp(void) {
  return ARCHITECTURE != 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

/* Lets the program alone make the calls of `allowed`. clone makes threads, and no processes. */
static void add_allowed(filter *f) {
  for (unsigned i = 0; i < N_RULES_ALONE; i++)
    add_rule(f, &rules_alone[i]);
  add_rule(f, &(argument_rule){SYS_tgkill, 0, true, 1, {(unsigned)getpid()}});
  refuse_clone(f, NEW_NAMESPACES, false);
  refuse_clone(f, CLONE_THREAD, true);
  for (unsigned i = 0; i < N_ALLOWED; i++)
    allow_call(f, allowed[i]);
  add(f, BPF_JMP | BPF_JGE | BPF_K, FIRST_NEW, 0, 1);
  refuse(f, ENOSYS);
  refuse(f, EPERM);
}

/* Lets the program and those that it starts make all calls but `forbidden`. */
static void add_forbidden(filter *f) {
  add(f, BPF_JMP | BPF_JGT | BPF_K, NEWEST, 0, 1);
  refuse(f, ENOSYS);
  for (unsigned i = 0; i < N_FORBIDDEN; i++)
    refuse_call(f, forbidden[i], EPERM);
  for (unsigned i = 0; i < N_RULES; i++)
    add_rule(f, &rules[i]);
  refuse_clone(f, NEW_NAMESPACES, false);
  /* their flags are in memory; without them, the C library calls clone and openat */
  refuse_call(f, 435 /* clone3 */, ENOSYS);
  refuse_call(f, 437 /* openat2 */, ENOSYS);
  add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

void cli_seccomp_enter(bool starts_program) {
  filter f = {.n = 0};
  if (ARCHITECTURE == 0)
    return;
  load(&f, offsetof(struct seccomp_data, arch));
  add(&f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  refuse(&f, EPERM);
  load(&f, offsetof(struct seccomp_data, nr));
  add_rule(&f, &own_limits);
  refuse_odd_modes(&f, SYS_openat, 2);
#ifdef SYS_open
  refuse_odd_modes(&f, SYS_open, 1);
#endif
  if (starts_program)
    add_forbidden(&f);
  else
    add_allowed(&f);
  const struct sock_fprog program = {.len = f.n, .filter = f.steps};
  /* Without SPEC_ALLOW, kernels before 5.16 slow down all code of the process, to protect secrets that it does not
   * have. Kernels before 4.17 and gVisor do not know it. */
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) != 0)
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
