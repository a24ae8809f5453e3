// The double of Metal: what its files share.
#import <Foundation/Foundation.h>
#include <objc/runtime.h>
#include <objc/message.h>
#include <stdint.h>
#include "enums.h" // made of enums.tsv

typedef struct { NSUInteger width, height, depth; } MTLSize;

// A rule of Metal that is broken ends the process, as Metal's validation does.
void fake_fail(const char *where, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
#define REQUIRE(condition, where, ...) do { if (!(condition)) fake_fail(where, __VA_ARGS__); } while (0)

// Every object of the double counts, and knows whether it has a pool to go to.
@interface FakeObject : NSObject @end

// What happens on demand: entries of the environment's METAL_DOUBLE, separated by
// spaces, each NAME or NAME=VALUE or NAME@KERNEL or NAME=VALUE@KERNEL.
const char *plan_value(const char *name);
BOOL plan_has(const char *name, const char *kernel);
const char *plan_for(const char *name, const char *kernel);
BOOL plan_refuses(const char *selector);

// shader_validation reports whether the environment asks for it.
BOOL shader_validation(void);

// Go executes: see package fake.
enum { maxArguments = 62, maxTable = 31 };
typedef struct {
  uint64_t handle, max_threads, static_memory, count;
  struct { uint64_t index, align, size, constant, threadgroup; } argument[maxArguments];
  char name[256], features[256]; // of the latter, each behind a space
  uint64_t family;               // the first Apple family that has them
} fake_kernel;
typedef struct { uint64_t bound, offset, length, is_inline; void *data; } fake_binding;
typedef struct {
  uint64_t kernel, threads;
  fake_binding buffer[maxTable];
  uint64_t memory[maxTable], grid[3], group[3];
  double seconds;
  char fault[4096];
} fake_dispatch;
extern uint64_t (*go_compile)(const char *source, uint64_t version, int64_t mode, int64_t functions, char *log);
extern uint64_t (*go_kernel)(uint64_t library, const char *name, fake_kernel *out);
extern void (*go_constant)(uint64_t library, uint64_t index, uint64_t type, const void *value);
extern uint64_t (*go_specialise)(uint64_t library, char *log);
extern void (*go_run)(fake_dispatch *);

NSError *fake_error(NSString *domain, NSInteger code, NSString *text, NSError *underlying);

@interface MTLCompileOptions : FakeObject {
@public
  BOOL complete;
  NSUInteger version;
  NSInteger mode, functions;
}
@end
@interface MTLFunctionConstantValues : FakeObject {
@public
  NSMutableDictionary *values; // NSNumber of the index to NSData that begins with the type
}
@end
@interface MTLCommandBufferDescriptor : FakeObject {
@public
  NSUInteger errorOptions;
}
@end
@interface FakeFunction : FakeObject {
@public
  fake_kernel kernel;
}
@end
@interface FakeLibrary : FakeObject {
@public
  uint64_t handle;
}
@end
@interface FakePipeline : FakeObject {
@public
  fake_kernel kernel;
}
@end
@interface FakeBuffer : FakeObject {
@public
  void *bytes;
  NSUInteger length;
}
@end
@interface FakeQueue : FakeObject @end
