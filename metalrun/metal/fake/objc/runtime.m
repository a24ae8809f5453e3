// Objects, pools and broken rules.
#include "fake.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long live, sends;
long fake_live(void) { return live; }
long fake_sends(void) { return sends; }

void fake_fail(const char *where, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s: failed assertion `", where);
  vfprintf(stderr, format, args);
  fprintf(stderr, "'\n");
  va_end(args);
  abort();
}

// What is left of an object that has been deallocated: a class that answers nothing.
__attribute__((objc_root_class)) @interface FakeZombie {
  Class isa;
}
+ (Class)class;
@end
@implementation FakeZombie
+ (Class)class { return self; }
@end

// ---- what msgsend.S and the other side of the binding need of Apple's runtime

IMP fake_lookup(id self, SEL selector) {
  __sync_fetch_and_add(&sends, 1);
  REQUIRE(*(Class *)self != [FakeZombie class], "NSZombie", "-[%s]: message sent to deallocated instance", sel_getName(selector));
  REQUIRE(class_respondsToSelector(object_getClass(self), selector), "NSForwarding", "-[%s %s]: unrecognized selector sent to instance",
          class_getName(object_getClass(self)), sel_getName(selector));
  return objc_msg_lookup(self, selector);
}
#undef object_getClass
Class fake_class_of(id object) __asm__("object_getClass");
Class fake_class_of(id object) { return object ? *(Class *)object : Nil; }

// ---- pools: a pool belongs to the thread that pushes it, and the last one goes first

typedef struct pool { id pool; long thread; struct pool *outer; } pool;
static __thread pool *innermost;

void *objc_autoreleasePoolPush(void) {
  pool *p = malloc(sizeof *p);
  *p = (pool){[NSAutoreleasePool new], syscall(SYS_gettid), innermost};
  return innermost = p;
}
void objc_autoreleasePoolPop(void *token) {
  pool *p = token;
  REQUIRE(p->thread == syscall(SYS_gettid), "objc_autoreleasePoolPop", "pool of thread %ld popped by thread %ld", p->thread, (long)syscall(SYS_gettid));
  REQUIRE(p == innermost, "objc_autoreleasePoolPop", "pool popped out of order");
  [p->pool drain];
  innermost = p->outer;
  free(p);
}

@implementation FakeObject
- (id)init {
  if ((self = [super init])) __sync_fetch_and_add(&live, 1);
  return self;
}
- (void)dealloc { // its memory stays, so that who uses it later is found out
  REQUIRE(innermost, "dealloc", "object of class %s deallocated with no pool in place for what it gives up", class_getName([self class]));
  __sync_fetch_and_sub(&live, 1);
  object_setClass(self, [FakeZombie class]);
  return;
  [super dealloc];
}
- (id)autorelease {
  REQUIRE(innermost, "autorelease", "object of class %s autoreleased with no pool in place - just leaking", class_getName([self class]));
  return [super autorelease];
}
@end

NSError *fake_error(NSString *domain, NSInteger code, NSString *text, NSError *underlying) {
  NSMutableDictionary *info = [NSMutableDictionary dictionaryWithObject:text forKey:NSLocalizedDescriptionKey];
  if (underlying) [info setObject:underlying forKey:@"NSUnderlyingError"];
  return [NSError errorWithDomain:domain code:code userInfo:info];
}
