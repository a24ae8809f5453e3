// Programs are compiled for GNUstep's runtime of version 1.6, because clang allows subscripts of objects and instance
// variables in implementations for that runtime and not for GCC's. GCC's runtime executes them: this file converts what
// clang emits to GCC's layout when a module is loaded, and has the functions that GCC's runtime lacks.
#import <Foundation/Foundation.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"

// The layouts that clang emits. Those of GCC are prefixes of them.
struct protocol_list {
  struct protocol_list *next;
  long count;
  struct protocol *list[];
};
struct protocol {
  uintptr_t isa; // the version, until the runtime has initialised the protocol
  const char *name;
  struct protocol_list *protocols;
};
struct ivar {
  const char *name, *type;
  int offset;
};
struct ivar_list {
  int count;
  struct ivar list[];
};
struct class {
  struct class *isa;
  const char *super_name; // until the class is resolved
  const char *name;
  long version;
  unsigned long info;
  long instance_size; // negative: without what the superclass has
  struct ivar_list *ivars;
  void *methods, *dtable, *subclasses, *sibling;
  struct protocol_list *protocols;
  void *gc_type;
  long abi;
  int **offsets; // where the program reads the offset of each instance variable
};
struct category {
  const char *name, *class_name;
  void *instance_methods, *class_methods;
  struct protocol_list *protocols;
};
struct symbols {
  unsigned long selector_count;
  void *selectors;
  unsigned short class_count, category_count;
  void *list[];
};
struct module {
  unsigned long version, size;
  const char *name;
  struct symbols *symbols;
};

enum { gccVersion = 8, gccProtocol = 2, clangProtocol = 3, newLayout = 1 << 4 };

// Classes that clang has laid out. The runtime replaces the name of a superclass when it resolves the class.
static struct laid_out {
  struct class *class;
  const char *super;
  BOOL placed;
} classes[4096];
static int class_count;
static pthread_mutex_t class_lock = PTHREAD_MUTEX_INITIALIZER;

static struct laid_out *laid_out(const char *name) {
  for (int i = 0; i < class_count; i++)
    if (!strcmp(classes[i].class->name, name)) return &classes[i];
  return NULL;
}

// super_size is the size of the instances of a superclass, or -1 if it is not known yet.
static long super_size(const char *name) {
  if (!name) return 0;
  struct laid_out *known = laid_out(name);
  if (known) return known->placed ? known->class->instance_size : -1;
  Class c = objc_lookUpClass(name);
  return c ? (long)class_getInstanceSize(c) : -1;
}

// place_ivars adds the size of the superclass to offsets that are relative to it.
static BOOL place_ivars(struct laid_out *l) {
  struct class *c = l->class;
  long base = super_size(l->super), size = -c->instance_size;
  if (base < 0) return NO;
  base = (base + 7) & -8L;
  for (int i = 0; c->ivars && i < c->ivars->count; i++) {
    c->ivars->list[i].offset += base;
    if (c->offsets && c->offsets[i]) *c->offsets[i] = c->ivars->list[i].offset;
  }
  c->instance_size = base + size;
  return l->placed = YES;
}

// place finds the instance variables of all classes whose superclasses have theirs. The superclass of a class may come
// after it.
static void place(void) {
  for (BOOL again = YES; again;) {
    again = NO;
    for (int i = 0; i < class_count; i++)
      if (!classes[i].placed && place_ivars(&classes[i])) again = YES;
  }
}

static void convert_protocols(struct protocol_list *l) {
  for (; l; l = l->next)
    for (long i = 0; i < l->count; i++)
      if (l->list[i]->isa == clangProtocol) {
        l->list[i]->isa = gccProtocol;
        convert_protocols(l->list[i]->protocols);
      }
}

static void load(struct module *m) {
  static void (*gcc)(struct module *);
  if (!gcc) gcc = dlsym(RTLD_NEXT, "__objc_exec_class");
  gcc(m);
}

void __objc_exec_class(struct module *m);
void __objc_exec_class(struct module *m) {
  if (m->version == gccVersion) {
    load(m);
    return;
  }
  m->version = gccVersion;
  m->size = sizeof *m;
  struct symbols *s = m->symbols;
  pthread_mutex_lock(&class_lock);
  for (int i = 0; i < s->class_count; i++) {
    struct class *c = s->list[i];
    c->info &= ~(unsigned long)newLayout;
    c->isa->info &= ~(unsigned long)newLayout;
    convert_protocols(c->protocols);
    if (class_count == sizeof classes / sizeof *classes) abort();
    classes[class_count++] = (struct laid_out){c, c->super_name, NO};
  }
  for (int i = 0; i < s->category_count; i++)
    convert_protocols(((struct category *)s->list[s->class_count + i])->protocols);
  place();
  pthread_mutex_unlock(&class_lock);
  load(m);
  pthread_mutex_lock(&class_lock);
  place();
  pthread_mutex_unlock(&class_lock);
}

// ---- messages

struct slot {
  Class owner, cached;
  const char *types;
  int version;
  IMP method;
};
static __thread struct slot found; // clang reads the method right after the call

struct slot *objc_msg_lookup_sender(id *receiver, SEL selector, id sender);
struct slot *objc_msg_lookup_sender(id *receiver, SEL selector, id sender) {
  found.method = objc_msg_lookup(*receiver, selector);
  return &found;
}
struct slot *objc_slot_lookup_super(struct objc_super *super, SEL selector);
struct slot *objc_slot_lookup_super(struct objc_super *super, SEL selector) {
  found.method = objc_msg_lookup_super(super, selector);
  return &found;
}
IMP conform_lookup(id self, SEL selector);
IMP conform_lookup(id self, SEL selector) { return objc_msg_lookup(self, selector); }

#undef object_getClass
Class conform_class_of(id object) __asm__("object_getClass");
Class conform_class_of(id object) { return object ? *(Class *)object : Nil; }

// ---- memory: what clang emits for pools and for automatic reference counting

void *objc_autoreleasePoolPush(void);
void *objc_autoreleasePoolPush(void) { return [NSAutoreleasePool new]; }
void objc_autoreleasePoolPop(void *pool);
void objc_autoreleasePoolPop(void *pool) { [(NSAutoreleasePool *)pool drain]; }

#define ARC(result, name, args) result name args; result name args
ARC(id, objc_retain, (id x)) { return [x retain]; }
ARC(void, objc_release, (id x)) { [x release]; }
ARC(id, objc_autorelease, (id x)) { return [x autorelease]; }
ARC(id, objc_autoreleaseReturnValue, (id x)) { return [x autorelease]; }
ARC(id, objc_retainAutorelease, (id x)) { return [[x retain] autorelease]; }
ARC(id, objc_retainAutoreleaseReturnValue, (id x)) { return [[x retain] autorelease]; }
ARC(id, objc_retainAutoreleasedReturnValue, (id x)) { return [x retain]; }
ARC(id, objc_unsafeClaimAutoreleasedReturnValue, (id x)) { return x; }
ARC(id, objc_retainBlock, (id x)) { return _Block_copy(x); }
ARC(void, objc_storeStrong, (id *to, id x)) {
  id old = *to;
  *to = [x retain];
  [old release];
}
// Weak references are not zeroed: an object that is gone must not be read, as with __unsafe_unretained.
ARC(id, objc_initWeak, (id *to, id x)) { return *to = x; }
ARC(id, objc_storeWeak, (id *to, id x)) { return *to = x; }
ARC(id, objc_loadWeak, (id *from)) { return *from; }
ARC(id, objc_loadWeakRetained, (id *from)) { return [*from retain]; }
ARC(void, objc_destroyWeak, (id *at)) { *at = nil; }
ARC(void, objc_copyWeak, (id *to, id *from)) { *to = *from; }
ARC(void, objc_moveWeak, (id *to, id *from)) {
  *to = *from;
  *from = nil;
}

// ---- exceptions of Objective-C++ unwind as those of C++

int conform_personality(int a, int b, uint64_t c, void *d, void *e) __asm__("__gnustep_objcxx_personality_v0");
int conform_personality(int a, int b, uint64_t c, void *d, void *e) {
  static int (*cxx)(int, int, uint64_t, void *, void *);
  if (!cxx) cxx = dlsym(RTLD_DEFAULT, "__gxx_personality_v0");
  return cxx(a, b, c, d, e);
}
