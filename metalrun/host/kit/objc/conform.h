// What the classes of Metal share. Each object holds a handle; package host decides what happens.
#import <Foundation/Foundation.h>
#import <GNUstepBase/GNUstep.h>
#include <Metal/Metal.h>
#include <objc/message.h>
#include <objc/runtime.h>
#include "conform_host.h" // generated

enum { textRoom = 1 << 16, kindSerial = 0, kindConcurrent = 1, kindBlit = 2 };
enum { bufferWritten = 1, bufferUntracked = 2, bufferHeap = 4 };

@interface ConformObject : NSObject {
@public
  uint64_t handle;
}
@property(copy) NSString *label;
@property(readonly) id<MTLDevice> device;
@end

// Memory that the program and the GPU see at different addresses.
struct conform_pages;
struct conform_pages *conform_pages_of(size_t length); // NULL: there is none
void conform_pages_free(struct conform_pages *pages);
void *conform_pages_program(struct conform_pages *pages);
void *conform_pages_gpu(struct conform_pages *pages);
void conform_pages_guard(struct conform_pages *pages, uint64_t buffer);

@class ConformHeap;
@interface ConformBuffer : ConformObject <MTLBuffer> {
@public
  void *bytes; // as the program sees them
  struct conform_pages *pages; // NULL: the GPU sees them so, too
  NSUInteger length, offset;
  MTLResourceOptions options;
  ConformHeap *heap;
  void (^deallocator)(void *, NSUInteger);
  BOOL owned;
}
@end
@interface ConformFunction : ConformObject <MTLFunction> {
@public
  NSString *name;
}
@end
@interface ConformLibrary : ConformObject <MTLLibrary>
@end
@interface ConformPipeline : ConformObject <MTLComputePipelineState>
@end
@interface ConformQueue : ConformObject <MTLCommandQueue>
@end
@interface ConformFence : ConformObject <MTLFence>
@end
@interface ConformEvent : ConformObject <MTLSharedEvent>
@end
@interface ConformHeap : ConformObject <MTLHeap>
- (id)initWithDescriptor:(MTLHeapDescriptor *)descriptor;
- (void)freed:(NSUInteger)at length:(NSUInteger)length;
- (void)alias:(ConformBuffer *)buffer;
@end
@interface ConformResidencySet : ConformObject <MTLResidencySet>
- (id)initWithDescriptor:(MTLResidencySetDescriptor *)descriptor;
@end

// conform_handle is the handle of an object, or 0.
static inline uint64_t conform_handle(id object) { return object ? ((ConformObject *)object)->handle : 0; }

id<MTLDevice> conform_device(void);
NSError *conform_error(NSString *domain, NSInteger code, const char *text);
// conform_autoreleased is an object that the pool of the thread releases. Threads without one get one.
id conform_autoreleased(id object);
ConformBuffer *conform_buffer_of(void *bytes, NSUInteger length, MTLResourceOptions options, int flags);
// conform_back calls a block on another thread, once.
void conform_back_block(void *context, uint64_t value);
