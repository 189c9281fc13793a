/* Included first in each changed file of the copy. A change is `ir_mutant_on(number) ? changed : original`. */
#pragma once
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IR_MOST_MUTANTS = 1 << 16 };
/* Weak: one of each in a program or module. */
#define IR_SHARED __attribute__((weak, visibility("hidden")))
IR_SHARED int ir_mutant;                     /* from IRRUN_MUTANT; 0: none */
IR_SHARED unsigned char *ir_mutants_reached; /* the file IRRUN_MUTANTS_REACHED, a byte for each mutant */

/* Uses system calls, because a test replaces functions of the C library. */
__attribute__((constructor)) static void ir_choose_mutant(void) {
  const char *number = getenv("IRRUN_MUTANT"), *path = getenv("IRRUN_MUTANTS_REACHED");
  if (number != NULL)
    ir_mutant = atoi(number);
  if (path == NULL || ir_mutants_reached != NULL)
    return;
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return;
  const long map = syscall(SYS_mmap, NULL, (size_t)IR_MOST_MUTANTS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0L);
  syscall(SYS_close, file);
  if (map > 0)
    ir_mutants_reached = (unsigned char *)map;
}

static inline bool ir_mutant_on(int number) {
  if (ir_mutants_reached != NULL && ir_mutants_reached[number] == 0)
    ir_mutants_reached[number] = 1;
  return ir_mutant == number;
}
