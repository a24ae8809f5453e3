// The device.
#include <stdlib.h>
#include <string.h>
#include "conform.h"

@implementation ConformObject
- (id<MTLDevice>)device { return conform_device(); }
- (void)dealloc {
  conform_drop(handle);
  [_label release];
  [super dealloc];
}
@end

NSError *conform_error(NSString *domain, NSInteger code, const char *text) {
  return [NSError errorWithDomain:domain code:code
                         userInfo:@{NSLocalizedDescriptionKey : [NSString stringWithUTF8String:text]}];
}

// have_pool gives a thread a pool, once. Programs that do without are common, and Apple's runtime does not mind.
static void have_pool(void) {
  static __thread BOOL pooled;
  if (pooled) return;
  pooled = YES;
  [NSAutoreleasePool new];
}
id conform_autoreleased(id object) {
  have_pool();
  return [object autorelease];
}

void conform_back_block(void *context, uint64_t value) {
  void (^block)(uint64_t) = context;
  BOOL registered = GSRegisterCurrentThread();
  @autoreleasepool {
    block(value);
  }
  Block_release(block);
  if (registered) GSUnregisterCurrentThread();
}

@interface MTLArchitecture ()
@property(copy) NSString *name;
@end
@implementation MTLArchitecture
- (id)copyWithZone:(NSZone *)zone { return [self retain]; }
@end

@interface ConformDevice : NSObject <MTLDevice>
@end
@implementation ConformDevice
- (NSString *)name {
  char text[256];
  conform_device_name(text, sizeof text);
  return [NSString stringWithUTF8String:text];
}
- (MTLArchitecture *)architecture {
  char text[256];
  conform_device_architecture(text, sizeof text);
  MTLArchitecture *a = conform_autoreleased([MTLArchitecture new]);
  a.name = [NSString stringWithUTF8String:text];
  return a;
}
- (uint64_t)registryID { return 1; }
- (MTLSize)maxThreadsPerThreadgroup {
  NSUInteger n = conform_device_threads();
  return MTLSizeMake(n, n, n);
}
- (BOOL)hasUnifiedMemory { return YES; }
- (BOOL)isLowPower { return NO; }
- (BOOL)isHeadless { return NO; }
- (BOOL)isRemovable { return NO; }
- (uint64_t)recommendedMaxWorkingSetSize { return conform_device_working_set(); }
- (MTLDeviceLocation)location { return MTLDeviceLocationBuiltIn; }
- (NSUInteger)maxBufferLength { return conform_device_longest_buffer(); }
- (NSUInteger)maxThreadgroupMemoryLength { return conform_device_threadgroup_memory(); }
- (NSUInteger)currentAllocatedSize { return 0; }
- (BOOL)supportsFamily:(MTLGPUFamily)family { return conform_device_supports(family) != 0; }

- (id<MTLCommandQueue>)newCommandQueue {
  ConformQueue *q = [ConformQueue new];
  q->handle = conform_queue();
  return q;
}
- (id<MTLCommandQueue>)newCommandQueueWithMaxCommandBufferCount:(NSUInteger)count { return [self newCommandQueue]; }
- (id<MTLCommandQueue>)newCommandQueueWithDescriptor:(MTLCommandQueueDescriptor *)descriptor {
  return [self newCommandQueue];
}

- (id<MTLLibrary>)newDefaultLibrary {
  conform_refuse("newDefaultLibrary");
  return nil;
}
- (id<MTLLibrary>)newLibraryWithSource:(NSString *)source options:(MTLCompileOptions *)options error:(NSError **)error {
  if (!options) options = conform_autoreleased([MTLCompileOptions new]);
  if (!source) {
    conform_assert("-[MTLDebugDevice newLibraryWithSource:options:error:]: source must not be nil.");
    return nil;
  }
  NSMutableDictionary *macros = [NSMutableDictionary dictionary];
  NSDictionary *given = options.preprocessorMacros;
  for (id key in given) macros[key] = [given[key] description];
  NSData *json = [NSJSONSerialization dataWithJSONObject:macros options:0 error:NULL];
  NSString *text = conform_autoreleased([[NSString alloc] initWithData:json encoding:NSUTF8StringEncoding]);
  NSUInteger version = options.languageVersion;
  char *log = calloc(1, textRoom);
  uint64_t h = conform_library([source UTF8String], (version >> 16) * 100 + (version & 0xffff) * 10, options.mathMode,
                               options.mathFloatingPointFunctions == MTLMathFloatingPointFunctionsFast,
                               [text UTF8String], log, textRoom);
  if (error) *error = h ? nil : conform_error(MTLLibraryErrorDomain, MTLLibraryErrorCompileFailure, log);
  free(log);
  if (!h) return nil;
  ConformLibrary *l = [ConformLibrary new];
  l->handle = h;
  return l;
}
- (void)newLibraryWithSource:(NSString *)source
                     options:(MTLCompileOptions *)options
           completionHandler:(MTLNewLibraryCompletionHandler)handler {
  dispatch_async(dispatch_get_global_queue(0, 0), ^{
    NSError *error = nil;
    id<MTLLibrary> l = [self newLibraryWithSource:source options:options error:&error];
    handler(l, error);
    [(id)l release];
  });
}
- (id<MTLLibrary>)binary:(NSError **)error {
  if (error)
    *error = conform_error(MTLLibraryErrorDomain, MTLLibraryErrorUnsupported,
                           "libraries other than source are not supported by the simulator");
  return nil;
}
- (id<MTLLibrary>)newLibraryWithURL:(NSURL *)url error:(NSError **)error { return [self binary:error]; }
- (id<MTLLibrary>)newLibraryWithFile:(NSString *)path error:(NSError **)error { return [self binary:error]; }
- (id<MTLLibrary>)newLibraryWithData:(dispatch_data_t)data error:(NSError **)error { return [self binary:error]; }

- (id<MTLComputePipelineState>)pipeline:(ConformFunction *)f
                                threads:(NSUInteger)threads
                                  label:(NSString *)label
                                  error:(NSError **)error {
  if (!f) {
    conform_assert("-[MTLDebugDevice newComputePipelineStateWithFunction:error:]: computeFunction must not be nil.");
    return nil;
  }
  char *log = calloc(1, textRoom);
  uint64_t h = conform_pipeline(f->handle, threads, log, textRoom);
  if (error) *error = h ? nil : conform_error(@"AGXMetal13_3", 3, log);
  free(log);
  if (!h) return nil;
  ConformPipeline *p = [ConformPipeline new];
  p->handle = h;
  p.label = label;
  return p;
}
- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function error:(NSError **)error {
  return [self pipeline:function threads:0 label:nil error:error];
}
- (void)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                          completionHandler:(MTLNewComputePipelineStateCompletionHandler)handler {
  dispatch_async(dispatch_get_global_queue(0, 0), ^{
    NSError *error = nil;
    id<MTLComputePipelineState> p = [self newComputePipelineStateWithFunction:function error:&error];
    handler(p, error);
    [(id)p release];
  });
}
- (id<MTLComputePipelineState>)newComputePipelineStateWithDescriptor:(MTLComputePipelineDescriptor *)descriptor
                                                             options:(MTLPipelineOption)options
                                                          reflection:(id *)reflection
                                                               error:(NSError **)error {
  if (reflection) *reflection = nil;
  return [self pipeline:descriptor.computeFunction threads:descriptor.maxTotalThreadsPerThreadgroup
                  label:descriptor.label error:error];
}

- (BOOL)takes:(NSUInteger)length where:(const char *)where {
  char text[256];
  NSUInteger most = conform_device_longest_buffer();
  if (length > 0 && length <= most) return YES;
  snprintf(text, sizeof text, "-[MTLDebugDevice %s]: Buffer Validation\nlength(%lu) must be between 1 and %lu.", where,
           (unsigned long)length, (unsigned long)most);
  conform_assert(text);
  return length == 0;
}
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options {
  if (![self takes:length where:"newBufferWithLength:options:"]) return nil;
  enum { longestGuarded = 64 << 20 };
  struct conform_pages *pages = NULL;
  if (length <= longestGuarded && (options >> 4 & 0xf) == MTLStorageModeShared) pages = conform_pages_of(length);
  if (pages) {
    ConformBuffer *b = conform_buffer_of(conform_pages_gpu(pages), length, options, 0);
    b->bytes = conform_pages_program(pages);
    b->pages = pages;
    conform_pages_guard(pages, b->handle);
    return b;
  }
  void *p = NULL;
  if (posix_memalign(&p, getpagesize(), length ? length : 1)) return nil;
  memset(p, 0, length ? length : 1);
  ConformBuffer *b = conform_buffer_of(p, length, options, 0);
  b->owned = YES;
  return b;
}
- (id<MTLBuffer>)newBufferWithBytes:(const void *)bytes length:(NSUInteger)length options:(MTLResourceOptions)options {
  if (!bytes) {
    conform_assert("-[MTLDebugDevice newBufferWithBytes:length:options:]: pointer must not be nil.");
    return nil;
  }
  ConformBuffer *b = [self newBufferWithLength:length options:options];
  if (b) memcpy(b->bytes, bytes, length);
  return b;
}
- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void *)bytes
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(void (^)(void *, NSUInteger))deallocator {
  if (![self takes:length where:"newBufferWithBytesNoCopy:length:options:deallocator:"]) return nil;
  if ((uintptr_t)bytes % getpagesize() || length % getpagesize())
    conform_assert("-[MTLDebugDevice newBufferWithBytesNoCopy:length:options:deallocator:]: "
                   "pointer and length must be multiples of the page size.");
  ConformBuffer *b = conform_buffer_of(bytes, length, options, bufferWritten);
  b->deallocator = Block_copy(deallocator);
  return b;
}
- (id<MTLHeap>)newHeapWithDescriptor:(MTLHeapDescriptor *)descriptor {
  return [[ConformHeap alloc] initWithDescriptor:descriptor];
}
- (MTLSizeAndAlign)heapBufferSizeAndAlignWithLength:(NSUInteger)length options:(MTLResourceOptions)options {
  return (MTLSizeAndAlign){(length + 255) & ~255ul, 256};
}
- (id<MTLTexture>)newTextureWithDescriptor:(MTLTextureDescriptor *)descriptor {
  conform_refuse("newTextureWithDescriptor: (textures)");
  return nil;
}
- (id<MTLFence>)newFence {
  ConformFence *f = [ConformFence new];
  f->handle = conform_fence();
  return f;
}
- (id<MTLSharedEvent>)newSharedEvent {
  ConformEvent *e = [ConformEvent new];
  e->handle = conform_event();
  return e;
}
- (id<MTLEvent>)newEvent { return [self newSharedEvent]; }
- (id<MTLResidencySet>)newResidencySetWithDescriptor:(MTLResidencySetDescriptor *)descriptor error:(NSError **)error {
  if (error) *error = nil;
  return [[ConformResidencySet alloc] initWithDescriptor:descriptor];
}
@end

id<MTLDevice> conform_device(void) {
  static ConformDevice *device;
  static dispatch_once_t once;
  dispatch_once(&once, ^{ device = [ConformDevice new]; });
  return device;
}
id<MTLDevice> MTLCreateSystemDefaultDevice(void) {
  have_pool();
  return [(id)conform_device() retain];
}
NSArray *MTLCopyAllDevices(void) {
  have_pool();
  return [@[ conform_device() ] retain];
}

__attribute__((destructor)) static void finish(void) { conform_close(); }
