// Queues, command buffers, encoders and captures.
#include <stdlib.h>
#include <string.h>
#include "conform.h"

@interface ConformCommandBuffer : ConformObject <MTLCommandBuffer> {
@public
  ConformQueue *queue;
  BOOL retained;
  NSMutableArray *kept; // what the commands use
}
@end
@interface ConformEncoder : ConformObject <MTLComputeCommandEncoder, MTLBlitCommandEncoder> {
@public
  ConformCommandBuffer *buffer;
  MTLDispatchType type;
}
@end

@implementation ConformQueue
- (id<MTLCommandBuffer>)buffer:(BOOL)retained {
  ConformCommandBuffer *b = [ConformCommandBuffer new];
  b->handle = conform_command_buffer(handle, !retained);
  b->queue = [self retain];
  b->retained = retained;
  return conform_autoreleased(b);
}
- (id<MTLCommandBuffer>)commandBuffer { return [self buffer:YES]; }
- (id<MTLCommandBuffer>)commandBufferWithUnretainedReferences { return [self buffer:NO]; }
- (id<MTLCommandBuffer>)commandBufferWithDescriptor:(MTLCommandBufferDescriptor *)d {
  return [self buffer:d.retainedReferences];
}
- (void)addResidencySet:(id<MTLResidencySet>)set {}
- (void)removeResidencySet:(id<MTLResidencySet>)set {}
- (void)insertDebugCaptureBoundary {}
@end

@implementation ConformCommandBuffer
- (id)init {
  if ((self = [super init])) kept = [NSMutableArray new];
  return self;
}
- (void)dealloc {
  [kept release];
  [queue release];
  [super dealloc];
}
- (void)keep:(id)object {
  if (retained && object) [kept addObject:object];
}
- (void)setLabel:(NSString *)label {
  [super setLabel:label];
  conform_command_buffer_label(handle, [label UTF8String]);
}
- (id<MTLCommandQueue>)commandQueue { return queue; }
- (BOOL)retainedReferences { return retained; }
- (MTLCommandBufferStatus)status { return conform_status(handle); }
- (NSError *)error {
  char text[4096];
  if (!conform_command_buffer_error(handle, text, sizeof text)) return nil;
  return conform_error(MTLCommandBufferErrorDomain, MTLCommandBufferErrorTimeout, text);
}
- (double)seconds:(int)end {
  uint64_t bits = conform_time(handle, end);
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
- (CFTimeInterval)GPUStartTime { return [self seconds:0]; }
- (CFTimeInterval)GPUEndTime { return [self seconds:1]; }
- (CFTimeInterval)kernelStartTime { return [self seconds:0]; }
- (CFTimeInterval)kernelEndTime { return [self seconds:1]; }
- (ConformEncoder *)encoder:(int)kind {
  ConformEncoder *e = [ConformEncoder new];
  e->handle = conform_pass(handle, kind);
  e->buffer = [self retain];
  e->type = kind == kindConcurrent ? MTLDispatchTypeConcurrent : MTLDispatchTypeSerial;
  return conform_autoreleased(e);
}
- (id<MTLComputeCommandEncoder>)computeCommandEncoder { return [self encoder:kindSerial]; }
- (id<MTLComputeCommandEncoder>)computeCommandEncoderWithDispatchType:(MTLDispatchType)type {
  return [self encoder:type == MTLDispatchTypeConcurrent ? kindConcurrent : kindSerial];
}
- (id<MTLComputeCommandEncoder>)computeCommandEncoderWithDescriptor:(MTLComputePassDescriptor *)d {
  return [self computeCommandEncoderWithDispatchType:d.dispatchType];
}
- (id<MTLBlitCommandEncoder>)blitCommandEncoder { return [self encoder:kindBlit]; }
- (id<MTLBlitCommandEncoder>)blitCommandEncoderWithDescriptor:(MTLBlitPassDescriptor *)d {
  return [self encoder:kindBlit];
}
- (id<MTLRenderCommandEncoder>)renderCommandEncoderWithDescriptor:(MTLRenderPassDescriptor *)d {
  conform_refuse("renderCommandEncoderWithDescriptor: (rendering)");
  return nil;
}
- (void)enqueue { conform_enqueue(handle); }
- (void)commit {
  if (self.status < MTLCommandBufferStatusCommitted) {
    [self retain]; // the command buffer lives until it has completed
    conform_at_end(handle, conform_back_block, Block_copy(^(uint64_t value) {
      [kept removeAllObjects];
      [self autorelease];
    }));
  }
  conform_commit(handle);
}
- (void)waitUntilScheduled { conform_wait_scheduled(handle); }
- (void)waitUntilCompleted { conform_wait_completed(handle); }
- (void)addScheduledHandler:(MTLCommandBufferHandler)handler {
  ConformCommandBuffer *b = self;
  conform_scheduled(handle, conform_back_block, Block_copy(^(uint64_t value) { handler(b); }));
}
- (void)addCompletedHandler:(MTLCommandBufferHandler)handler {
  ConformCommandBuffer *b = self;
  conform_completed(handle, conform_back_block, Block_copy(^(uint64_t value) { handler(b); }));
}
- (void)encodeSignalEvent:(id<MTLEvent>)event value:(uint64_t)value {
  [self keep:event];
  conform_signal(handle, conform_handle(event), value);
}
- (void)encodeWaitForEvent:(id<MTLEvent>)event value:(uint64_t)value {
  [self keep:event];
  conform_wait(handle, conform_handle(event), value);
}
- (void)pushDebugGroup:(NSString *)name {}
- (void)popDebugGroup {}
- (void)useResidencySet:(id<MTLResidencySet>)set {}
@end

@implementation ConformEncoder
- (void)dealloc {
  [buffer release];
  [super dealloc];
}
- (MTLDispatchType)dispatchType { return type; }
- (void)setLabel:(NSString *)label {
  [super setLabel:label];
  conform_pass_label(handle, [label UTF8String]);
}
- (void)insertDebugSignpost:(NSString *)text {}
- (void)pushDebugGroup:(NSString *)name { conform_push_group(handle, [name UTF8String]); }
- (void)popDebugGroup { conform_pop_group(handle); }
- (void)endEncoding { conform_end(handle); }
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state {
  [buffer keep:state];
  conform_set_pipeline(handle, conform_handle(state));
}
- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index {
  conform_set_bytes(handle, bytes, length, index);
}
- (void)setBuffer:(id<MTLBuffer>)b offset:(NSUInteger)offset atIndex:(NSUInteger)index {
  [buffer keep:b];
  conform_set_buffer(handle, conform_handle(b), offset, index);
}
- (void)setBufferOffset:(NSUInteger)offset atIndex:(NSUInteger)index { conform_set_offset(handle, offset, index); }
- (void)setBuffers:(const id<MTLBuffer>[])buffers offsets:(const NSUInteger[])offsets withRange:(NSRange)range {
  for (NSUInteger i = 0; i < range.length; i++)
    [self setBuffer:buffers[i] offset:offsets[i] atIndex:range.location + i];
}
- (void)setTexture:(id<MTLTexture>)texture atIndex:(NSUInteger)index {
  conform_refuse("setTexture:atIndex: (textures)");
}
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index {
  conform_set_memory(handle, length, index);
}
- (void)dispatchThreadgroups:(MTLSize)g threadsPerThreadgroup:(MTLSize)t {
  conform_dispatch(handle, g.width, g.height, g.depth, t.width, t.height, t.depth);
}
- (void)dispatchThreads:(MTLSize)g threadsPerThreadgroup:(MTLSize)t {
  conform_dispatch_threads(handle, g.width, g.height, g.depth, t.width, t.height, t.depth);
}
- (void)dispatchThreadgroupsWithIndirectBuffer:(id<MTLBuffer>)b
                          indirectBufferOffset:(NSUInteger)offset
                         threadsPerThreadgroup:(MTLSize)t {
  [buffer keep:b];
  conform_dispatch_indirect(handle, conform_handle(b), offset, t.width, t.height, t.depth);
}
- (void)memoryBarrierWithScope:(MTLBarrierScope)scope {
  if (scope & MTLBarrierScopeBuffers) conform_barrier(handle);
}
- (void)memoryBarrierWithResources:(const id<MTLResource>[])resources count:(NSUInteger)count {
  uint64_t *handles = malloc(count * sizeof *handles + 1);
  for (NSUInteger i = 0; i < count; i++) handles[i] = conform_handle(resources[i]);
  conform_barrier_of(handle, handles, count);
  free(handles);
}
- (void)useResource:(id<MTLResource>)resource usage:(MTLResourceUsage)usage {
  [buffer keep:resource];
  conform_use(handle, conform_handle(resource));
}
- (void)useResources:(const id<MTLResource>[])resources count:(NSUInteger)count usage:(MTLResourceUsage)usage {
  for (NSUInteger i = 0; i < count; i++) [self useResource:resources[i] usage:usage];
}
- (void)useHeap:(id<MTLHeap>)heap { [buffer keep:heap]; }
- (void)updateFence:(id<MTLFence>)fence { conform_update_fence(handle, conform_handle(fence)); }
- (void)waitForFence:(id<MTLFence>)fence { conform_wait_fence(handle, conform_handle(fence)); }
- (void)copyFromBuffer:(id<MTLBuffer>)source
          sourceOffset:(NSUInteger)sourceOffset
              toBuffer:(id<MTLBuffer>)destination
     destinationOffset:(NSUInteger)destinationOffset
                  size:(NSUInteger)size {
  [buffer keep:source];
  [buffer keep:destination];
  conform_copy(handle, conform_handle(source), sourceOffset, conform_handle(destination), destinationOffset, size);
}
- (void)fillBuffer:(id<MTLBuffer>)b range:(NSRange)range value:(uint8_t)value {
  [buffer keep:b];
  conform_fill(handle, conform_handle(b), range.location, range.length, value);
}
- (void)synchronizeResource:(id<MTLResource>)resource {}
@end

@interface ConformScope : ConformObject <MTLCaptureScope>
@end
@implementation ConformScope
- (void)beginScope {}
- (void)endScope {}
@end
@implementation MTLCaptureDescriptor
- (id)copyWithZone:(NSZone *)zone { return [self retain]; }
- (void)dealloc {
  [_captureObject release];
  [_outputURL release];
  [super dealloc];
}
@end
@implementation MTLCaptureManager
+ (MTLCaptureManager *)sharedCaptureManager {
  static MTLCaptureManager *manager;
  static dispatch_once_t once;
  dispatch_once(&once, ^{ manager = [MTLCaptureManager new]; });
  return manager;
}
- (BOOL)isCapturing { return NO; }
- (BOOL)supportsDestination:(MTLCaptureDestination)destination { return NO; }
- (id<MTLCaptureScope>)newCaptureScopeWithDevice:(id<MTLDevice>)device { return [ConformScope new]; }
- (id<MTLCaptureScope>)newCaptureScopeWithCommandQueue:(id<MTLCommandQueue>)queue { return [ConformScope new]; }
- (BOOL)startCaptureWithDescriptor:(MTLCaptureDescriptor *)descriptor error:(NSError **)error {
  if (error) *error = conform_error(@"MTLCaptureErrorDomain", 1, "captures are not supported: conform host records");
  return NO;
}
- (void)stopCapture {}
@end
