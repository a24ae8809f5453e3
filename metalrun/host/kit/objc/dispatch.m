// The parts of libdispatch that programs use, over POSIX threads. A queue runs its blocks one after the other on a thread
// that lives while there are any; a concurrent queue has a thread for each block.
#import <Foundation/Foundation.h>
#include <dispatch/dispatch.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "conform.h"

enum kind { queueKind = 1, groupKind, semaphoreKind, dataKind };
struct object { // what all objects begin with
  enum kind kind;
  int references;
};
struct job {
  struct job *next;
  dispatch_block_t block;
  dispatch_function_t function;
  void *context;
  dispatch_group_t group;
};
struct conform_queue {
  struct object object;
  BOOL concurrent, running;
  pthread_mutex_t lock;
  struct job *first, **last;
};
struct conform_group {
  struct object object;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  long count;
};
struct conform_semaphore {
  struct object object;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  long value;
};
struct conform_data {
  struct object object;
  size_t size;
  void *bytes;
};

static void *object_of(size_t size, enum kind kind) {
  struct object *o = calloc(1, size);
  o->kind = kind;
  o->references = 1;
  return o;
}

void conform_dispatch_retain(void *object) { __sync_fetch_and_add(&((struct object *)object)->references, 1); }
void conform_dispatch_release(void *object) {
  struct object *o = object;
  if (!o || __sync_sub_and_fetch(&o->references, 1) > 0) return;
  if (o->kind == dataKind) { // threads may still use the others
    free(((dispatch_data_t)o)->bytes);
    free(o);
  }
}

dispatch_queue_t dispatch_queue_create(const char *label, dispatch_queue_attr_t attributes) {
  dispatch_queue_t q = object_of(sizeof *q, queueKind);
  q->concurrent = attributes == DISPATCH_QUEUE_CONCURRENT;
  pthread_mutex_init(&q->lock, NULL);
  q->last = &q->first;
  return q;
}

static pthread_once_t shared_once = PTHREAD_ONCE_INIT;
static dispatch_queue_t shared_concurrent, shared_main;
static void make_shared(void) {
  shared_concurrent = dispatch_queue_create("global", DISPATCH_QUEUE_CONCURRENT);
  shared_main = dispatch_queue_create("main", DISPATCH_QUEUE_SERIAL);
}
dispatch_queue_t dispatch_get_global_queue(intptr_t identifier, uintptr_t flags) {
  pthread_once(&shared_once, make_shared);
  return shared_concurrent;
}
dispatch_queue_t dispatch_get_main_queue(void) {
  pthread_once(&shared_once, make_shared);
  return shared_main;
}

static void run(struct job *j) {
  @autoreleasepool {
    if (j->block) j->block();
    else j->function(j->context);
  }
  if (j->block) Block_release(j->block);
  if (j->group) dispatch_group_leave(j->group);
  free(j);
}

static void *run_one(void *job) {
  GSRegisterCurrentThread();
  run(job);
  GSUnregisterCurrentThread();
  return NULL;
}

static void *run_queue(void *queue) {
  dispatch_queue_t q = queue;
  GSRegisterCurrentThread();
  for (;;) {
    pthread_mutex_lock(&q->lock);
    struct job *j = q->first;
    if (!j) {
      q->running = NO;
      pthread_mutex_unlock(&q->lock);
      break;
    }
    if (!(q->first = j->next)) q->last = &q->first;
    pthread_mutex_unlock(&q->lock);
    run(j);
  }
  GSUnregisterCurrentThread();
  return NULL;
}

static void start(void *(*work)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, argument)) abort();
  pthread_detach(thread);
}

static void submit(dispatch_queue_t q, struct job given) {
  struct job *j = malloc(sizeof *j);
  *j = given;
  if (q->concurrent) {
    start(run_one, j);
    return;
  }
  pthread_mutex_lock(&q->lock);
  *q->last = j;
  q->last = &j->next;
  BOOL begin = !q->running;
  q->running = YES;
  pthread_mutex_unlock(&q->lock);
  if (begin) start(run_queue, q);
}

void dispatch_async(dispatch_queue_t queue, dispatch_block_t block) {
  submit(queue, (struct job){.block = Block_copy(block)});
}
void dispatch_async_f(dispatch_queue_t queue, void *context, dispatch_function_t work) {
  submit(queue, (struct job){.function = work, .context = context});
}
static void and_wait(dispatch_queue_t queue, struct job j) {
  j.group = dispatch_group_create();
  dispatch_group_enter(j.group);
  submit(queue, j);
  dispatch_group_wait(j.group, DISPATCH_TIME_FOREVER);
  dispatch_release(j.group);
}
void dispatch_sync(dispatch_queue_t queue, dispatch_block_t block) {
  and_wait(queue, (struct job){.block = Block_copy(block)});
}
void dispatch_sync_f(dispatch_queue_t queue, void *context, dispatch_function_t work) {
  and_wait(queue, (struct job){.function = work, .context = context});
}
void dispatch_apply(size_t count, dispatch_queue_t queue, void (^block)(size_t)) {
  for (size_t i = 0; i < count; i++) block(i);
}
void dispatch_once(dispatch_once_t *once, dispatch_block_t block) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (!*once) {
    block();
    *once = ~0l;
  }
  pthread_mutex_unlock(&lock);
}

dispatch_group_t dispatch_group_create(void) {
  dispatch_group_t g = object_of(sizeof *g, groupKind);
  pthread_mutex_init(&g->lock, NULL);
  pthread_cond_init(&g->changed, NULL);
  return g;
}
static void count(dispatch_group_t g, long by) {
  pthread_mutex_lock(&g->lock);
  g->count += by;
  pthread_cond_broadcast(&g->changed);
  pthread_mutex_unlock(&g->lock);
}
void dispatch_group_enter(dispatch_group_t group) { count(group, 1); }
void dispatch_group_leave(dispatch_group_t group) { count(group, -1); }
void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t block) {
  dispatch_group_enter(group);
  submit(queue, (struct job){.block = Block_copy(block), .group = group});
}

// wait_until waits for a change, and reports whether the time is over.
static BOOL wait_until(pthread_cond_t *changed, pthread_mutex_t *lock, dispatch_time_t timeout) {
  if (timeout == DISPATCH_TIME_FOREVER) return pthread_cond_wait(changed, lock) != 0;
  struct timespec at = {timeout / NSEC_PER_SEC, timeout % NSEC_PER_SEC};
  return pthread_cond_timedwait(changed, lock, &at) == ETIMEDOUT;
}
intptr_t dispatch_group_wait(dispatch_group_t g, dispatch_time_t timeout) {
  pthread_mutex_lock(&g->lock);
  while (g->count > 0 && !wait_until(&g->changed, &g->lock, timeout)) {}
  intptr_t late = g->count > 0;
  pthread_mutex_unlock(&g->lock);
  return late;
}

dispatch_semaphore_t dispatch_semaphore_create(intptr_t value) {
  dispatch_semaphore_t s = object_of(sizeof *s, semaphoreKind);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->changed, NULL);
  s->value = value;
  return s;
}
intptr_t dispatch_semaphore_signal(dispatch_semaphore_t s) {
  pthread_mutex_lock(&s->lock);
  s->value++;
  pthread_cond_signal(&s->changed);
  pthread_mutex_unlock(&s->lock);
  return 0;
}
intptr_t dispatch_semaphore_wait(dispatch_semaphore_t s, dispatch_time_t timeout) {
  pthread_mutex_lock(&s->lock);
  while (s->value <= 0 && !wait_until(&s->changed, &s->lock, timeout)) {}
  intptr_t late = s->value <= 0;
  if (!late) s->value--;
  pthread_mutex_unlock(&s->lock);
  return late;
}
dispatch_time_t dispatch_time(dispatch_time_t when, int64_t delta) {
  if (when == DISPATCH_TIME_FOREVER) return when;
  if (when == DISPATCH_TIME_NOW) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    when = now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
  }
  return when + delta;
}

dispatch_data_t dispatch_data_create(const void *bytes, size_t size, dispatch_queue_t queue, dispatch_block_t destructor) {
  dispatch_data_t d = object_of(sizeof *d, dataKind);
  d->size = size;
  d->bytes = malloc(size ? size : 1);
  memcpy(d->bytes, bytes, size);
  if (destructor) destructor();
  return d;
}
size_t dispatch_data_get_size(dispatch_data_t data) { return data->size; }
