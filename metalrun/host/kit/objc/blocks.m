// Blocks: copies, variables that blocks share, and their classes.
#import <Foundation/Foundation.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"

enum { // of the flags of a block, and of what a block holds
  countMask = 0xfffe,
  needsFree = 1 << 24,
  hasCopy = 1 << 25,
  isGlobal = 1 << 28,
  isObject = 3,
  isBlock = 7,
  isShared = 8, // a variable that is declared __block
  isWeak = 16,
  fromShared = 128,
};

struct descriptor {
  unsigned long reserved, size;
  void (*copy)(void *to, const void *from);
  void (*dispose)(const void *);
};
struct block {
  void *isa;
  volatile int flags;
  int reserved;
  void (*invoke)(void);
  struct descriptor *descriptor;
};
struct shared {
  void *isa;
  struct shared *forwarding;
  volatile int flags;
  int size;
  void (*keep)(struct shared *to, const struct shared *from);
  void (*destroy)(struct shared *);
};

@interface ConformBlock : NSObject
@end
@implementation ConformBlock
- (id)copy { return _Block_copy(self); }
- (id)copyWithZone:(NSZone *)zone { return _Block_copy(self); }
- (id)retain { return _Block_copy(self); }
- (oneway void)release { _Block_release(self); }
- (id)autorelease {
  [NSAutoreleasePool addObject:self];
  return self;
}
- (NSUInteger)retainCount { return 1; }
@end

// The classes of blocks are one class. Its symbol is local: aliases export it.
__asm__(".globl _NSConcreteStackBlock\n.globl _NSConcreteGlobalBlock\n.globl _NSConcreteMallocBlock\n"
        ".set _NSConcreteStackBlock, _OBJC_CLASS_ConformBlock\n"
        ".set _NSConcreteGlobalBlock, _OBJC_CLASS_ConformBlock\n"
        ".set _NSConcreteMallocBlock, _OBJC_CLASS_ConformBlock\n");

void *_Block_copy(const void *from) {
  struct block *b = (struct block *)from;
  if (!b || b->flags & isGlobal) return b;
  if (b->flags & needsFree) {
    __sync_fetch_and_add(&b->flags, 2);
    return b;
  }
  struct block *to = malloc(b->descriptor->size);
  memcpy(to, b, b->descriptor->size);
  to->flags = (to->flags & ~countMask) | needsFree | 2;
  if (to->flags & hasCopy) to->descriptor->copy(to, b);
  return to;
}

void _Block_release(const void *from) {
  struct block *b = (struct block *)from;
  if (!b || !(b->flags & needsFree)) return;
  if ((__sync_sub_and_fetch(&b->flags, 2) & countMask) != 0) return;
  if (b->flags & hasCopy) b->descriptor->dispose(b);
  free(b);
}

static void assign_shared(void *to, const struct shared *from) {
  struct shared *s = from->forwarding;
  if (!(s->flags & needsFree)) {
    struct shared *copy = malloc(s->size);
    memcpy(copy, s, s->size);
    copy->flags = s->flags | needsFree | 4; // held by the copy and by the frame
    copy->forwarding = copy;
    s->forwarding = copy;
    if (s->flags & hasCopy) s->keep(copy, s);
    s = copy;
  } else {
    __sync_fetch_and_add(&s->flags, 2);
  }
  *(struct shared **)to = s;
}

static void release_shared(const struct shared *from) {
  struct shared *s = from->forwarding;
  if (!(s->flags & needsFree) || (__sync_sub_and_fetch(&s->flags, 2) & countMask) != 0) return;
  if (s->flags & hasCopy) s->destroy(s);
  free(s);
}

void _Block_object_assign(void *to, const void *from, int flags);
void _Block_object_assign(void *to, const void *from, int flags) {
  if (flags & fromShared) {
    *(const void **)to = from;
    return;
  }
  if ((flags & isShared) == isShared && (flags & 7) == 0) assign_shared(to, from);
  else if ((flags & isBlock) == isBlock) *(void **)to = _Block_copy(from);
  else *(id *)to = [(id)from retain];
}

void _Block_object_dispose(const void *x, int flags);
void _Block_object_dispose(const void *x, int flags) {
  if (flags & fromShared) return;
  if ((flags & isShared) == isShared && (flags & 7) == 0) release_shared(x);
  else if ((flags & isBlock) == isBlock) _Block_release(x);
  else [(id)x release];
}
