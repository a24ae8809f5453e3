// Memory of buffers that the program sees at one address and the GPU at another one. While a command in flight uses a
// buffer, the pages of the program are protected: the first access to a page is recorded, and goes on.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "conform.h"

enum { mostHits = 64, mostPages = 4096 };
struct conform_pages {
  char *program, *gpu;
  size_t size; // whole pages
  uint64_t buffer;
  int slot;
  volatile int guarded;
  volatile unsigned count;
  struct {
    size_t offset;
    int write;
  } hits[mostHits];
};

static struct conform_pages *volatile table[mostPages];
static struct sigaction before;

static void on_fault(int number, siginfo_t *info, void *context) {
  char *at = info->si_addr;
  for (int i = 0; i < mostPages; i++) {
    struct conform_pages *p = table[i];
    if (!p || at < p->program || at >= p->program + p->size) continue;
    if (!p->guarded) return; // another thread has just ended the protection
    unsigned n = __sync_fetch_and_add(&p->count, 1);
    if (n < mostHits) {
      p->hits[n].offset = at - p->program;
#ifdef __x86_64__
      p->hits[n].write = (((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
    }
    size_t page = getpagesize();
    mprotect((void *)((uintptr_t)at & ~(page - 1)), page, PROT_READ | PROT_WRITE);
    return;
  }
  if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(number, info, context);
  else if (before.sa_handler == SIG_DFL) signal(number, SIG_DFL); // the access faults again, and ends the process
  else if (before.sa_handler != SIG_IGN) before.sa_handler(number);
}

static void listen_to_faults(void) {
  conform_device_threads(); // Go's handler is there from now on
  struct sigaction a = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigfillset(&a.sa_mask);
  sigaction(SIGSEGV, &a, &before);
}

struct conform_pages *conform_pages_of(size_t length) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, listen_to_faults);
  size_t page = getpagesize(), size = (length + page - 1) & ~(page - 1);
  int fd = memfd_create("buffer", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, size)) {
    if (fd >= 0) close(fd);
    return NULL;
  }
  char *program = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  char *gpu = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  struct conform_pages *p = calloc(1, sizeof *p);
  *p = (struct conform_pages){.program = program, .gpu = gpu, .size = size, .slot = -1};
  for (int i = 0; i < mostPages && program != MAP_FAILED && gpu != MAP_FAILED; i++)
    if (!table[i] && __sync_bool_compare_and_swap(&table[i], NULL, p)) {
      p->slot = i;
      return p;
    }
  conform_pages_free(p);
  return NULL;
}
void conform_pages_free(struct conform_pages *p) {
  if (p->slot >= 0) table[p->slot] = NULL;
  if (p->program != MAP_FAILED) munmap(p->program, p->size);
  if (p->gpu != MAP_FAILED) munmap(p->gpu, p->size);
  free(p);
}
void *conform_pages_program(struct conform_pages *p) { return p->program; }
void *conform_pages_gpu(struct conform_pages *p) { return p->gpu; }

// guard begins and ends the protection, and tells of the accesses since it began.
static void guard(void *context, uint64_t on) {
  struct conform_pages *p = context;
  if (on && !p->guarded) {
    p->guarded = 1;
    mprotect(p->program, p->size, PROT_NONE);
  } else if (!on && p->guarded) {
    mprotect(p->program, p->size, PROT_READ | PROT_WRITE);
    p->guarded = 0;
  }
  unsigned n = p->count;
  for (unsigned i = 0; i < n && i < mostHits; i++) conform_buffer_touched(p->buffer, p->hits[i].offset, p->hits[i].write);
  __sync_fetch_and_sub(&p->count, n);
}
void conform_pages_guard(struct conform_pages *p, uint64_t buffer) {
  p->buffer = buffer;
  conform_buffer_guard(buffer, guard, p);
}
