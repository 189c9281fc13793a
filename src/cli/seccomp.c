/* The filter is written here, not by libseccomp: libseccomp 2.5 crashes when memory is out, and needs 560 allocations
 * and a quarter of the time that the whole sandbox may take. */
#include "seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__ && defined __LP64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0 /* no filter */
#endif
#define X32 0x40000000 /* calls from this number on are those of x86-64's x32, with the same meanings */

static const unsigned forbidden[] = {
    /* the network; io_uring makes calls without this filter */
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_io_uring_setup,
    /* other processes */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_setns, SYS_unshare,
    438, /* pidfd_getfd; this and the next number are the same on all processors, and older headers lack the names */
    /* names, modes, owners and attributes of files */
    SYS_fchmodat, SYS_fchownat, SYS_truncate, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_open_by_handle_at, 452, /* fchmodat2 */
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    /* parts of the kernel that have often had faults */
    SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key};
static const unsigned forbidden_alone[] = {SYS_execve, SYS_execveat, SYS_kill};

enum { N_ALWAYS = sizeof forbidden / sizeof *forbidden, N_ALONE = sizeof forbidden_alone / sizeof *forbidden_alone };

bool cli_has_seccomp(void) {
  return ARCHITECTURE != 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

void cli_seccomp_enter(bool starts_program) {
  enum { BEFORE = 4, AFTER = 2 };
  struct sock_filter filter[BEFORE + N_ALWAYS + N_ALONE + AFTER];
  const unsigned n_calls = N_ALWAYS + (starts_program ? 0 : N_ALONE);
  const unsigned char to_end = (unsigned char)(n_calls + 1); /* instructions from the first call to the last one */
  unsigned n = 0;
  if (ARCHITECTURE == 0)
    return;
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, to_end + 2);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, to_end, 0);
  for (unsigned i = 0; i < n_calls; i++) {
    const unsigned call = i < N_ALWAYS ? forbidden[i] : forbidden_alone[i - N_ALWAYS];
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, (unsigned char)(n_calls - i), 0);
  }
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  const struct sock_fprog program = {.len = (unsigned short)n, .filter = filter};
  /* without SPEC_ALLOW, older kernels slow down all code of the process, to protect secrets that it does not have */
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}
