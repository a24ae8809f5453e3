// Buffers, heaps, residency sets, fences and events.
#include <stdlib.h>
#include "conform.h"

ConformBuffer *conform_buffer_of(void *bytes, NSUInteger length, MTLResourceOptions options, int flags) {
  ConformBuffer *b = [ConformBuffer new];
  b->bytes = bytes;
  b->length = length;
  b->options = options;
  if ((options >> 8 & 3) == MTLHazardTrackingModeUntracked) flags |= bufferUntracked;
  b->handle = conform_buffer(bytes, length, flags);
  return b;
}

@implementation ConformBuffer
- (NSUInteger)length { return length; }
- (uint64_t)gpuAddress { return (uint64_t)bytes; }
- (void *)contents {
  if (self.storageMode == MTLStorageModePrivate) {
    conform_assert("-[MTLDebugBuffer contents]: a buffer of MTLStorageModePrivate has no contents.");
    return NULL;
  }
  conform_buffer_seen(handle);
  return bytes;
}
- (void)setLabel:(NSString *)label {
  [super setLabel:label];
  conform_buffer_label(handle, [label UTF8String]);
}
- (void)didModifyRange:(NSRange)range { conform_buffer_modified(handle, range.location, range.length); }
- (void)addDebugMarker:(NSString *)marker range:(NSRange)range {}
- (void)removeAllDebugMarkers {}
- (NSUInteger)allocatedSize { return length; }
- (MTLResourceOptions)resourceOptions { return options; }
- (MTLStorageMode)storageMode { return options >> 4 & 0xf; }
- (MTLCPUCacheMode)cpuCacheMode { return options & 0xf; }
- (MTLHazardTrackingMode)hazardTrackingMode {
  MTLHazardTrackingMode mode = options >> 8 & 3;
  if (mode != MTLHazardTrackingModeDefault) return mode;
  return heap ? MTLHazardTrackingModeUntracked : MTLHazardTrackingModeTracked;
}
- (id<MTLHeap>)heap { return heap; }
- (NSUInteger)heapOffset { return offset; }
- (void)makeAliasable { [heap alias:self]; }
- (BOOL)isAliasable { return NO; }
- (MTLPurgeableState)setPurgeableState:(MTLPurgeableState)state { return MTLPurgeableStateNonVolatile; }
- (void)dealloc {
  void *p = bytes;
  NSUInteger n = length;
  BOOL ours = owned;
  struct conform_pages *shared = pages;
  ConformHeap *from = heap;
  void (^give)(void *, NSUInteger) = deallocator;
  NSUInteger at = offset;
  void (^back)(uint64_t) = Block_copy(^(uint64_t value) {
    if (ours) free(p);
    if (shared) conform_pages_free(shared);
    if (give) {
      give(p, n);
      Block_release(give);
    }
    [from freed:at length:n];
  });
  conform_buffer_release(handle, conform_back_block, back);
  [heap release];
  [super dealloc];
}
@end

void conform_region(const void *buffer, unsigned long offset, unsigned long length, const char *name);
void conform_region(const void *buffer, unsigned long offset, unsigned long length, const char *name) {
  conform_buffer_region(conform_handle((id)buffer), offset, length, name);
}

@interface ConformRange : NSObject {
@public
  NSUInteger at, length;
}
@end
@implementation ConformRange
@end

@implementation ConformHeap {
  char *bytes;
  NSUInteger size;
  MTLResourceOptions options;
  MTLHeapType type;
  NSMutableArray *taken; // in ascending order
}
- (id)initWithDescriptor:(MTLHeapDescriptor *)d {
  if (!(self = [super init])) return nil;
  size = d.size;
  options = d.resourceOptions;
  type = d.type;
  taken = [NSMutableArray new];
  if (size == 0) conform_assert("-[MTLDebugDevice newHeapWithDescriptor:]: descriptor.size must be > 0.");
  if (posix_memalign((void **)&bytes, getpagesize(), size ? size : 1)) abort();
  return self;
}
- (NSUInteger)size { return size; }
- (NSUInteger)usedSize {
  NSUInteger used = 0;
  @synchronized(self) {
    for (ConformRange *r in taken) used += r->length;
  }
  return used;
}
- (NSUInteger)allocatedSize { return size; }
- (NSUInteger)currentAllocatedSize { return size; }
- (MTLStorageMode)storageMode { return options >> 4 & 0xf; }
- (MTLHazardTrackingMode)hazardTrackingMode {
  return (options >> 8 & 3) == MTLHazardTrackingModeTracked ? MTLHazardTrackingModeTracked : MTLHazardTrackingModeUntracked;
}
- (MTLHeapType)type { return type; }
- (NSUInteger)maxAvailableSizeWithAlignment:(NSUInteger)alignment {
  NSUInteger at = 0, most = 0;
  @synchronized(self) {
    for (ConformRange *r in taken) {
      if (r->at > at) most = MAX(most, r->at - at);
      at = MAX(at, r->at + r->length);
    }
  }
  return MAX(most, size - MIN(at, size));
}
- (MTLPurgeableState)setPurgeableState:(MTLPurgeableState)state { return MTLPurgeableStateNonVolatile; }

- (ConformBuffer *)at:(NSUInteger)at length:(NSUInteger)length options:(MTLResourceOptions)given {
  MTLResourceOptions o = (given & ~(3ul << 8)) | (self.hazardTrackingMode << 8);
  ConformBuffer *b = conform_buffer_of(bytes + at, length, o, bufferHeap);
  b->heap = [self retain];
  b->offset = at;
  ConformRange *r = [ConformRange new];
  r->at = at;
  r->length = length;
  NSUInteger i = 0;
  while (i < [taken count] && ((ConformRange *)taken[i])->at <= at) i++;
  [taken insertObject:r atIndex:i];
  [r release];
  return b;
}
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)given {
  if (type == MTLHeapTypePlacement)
    conform_assert("-[MTLDebugHeap newBufferWithLength:options:]: the heap is of MTLHeapTypePlacement: give an offset.");
  @synchronized(self) {
    NSUInteger at = 0;
    for (ConformRange *r in taken) {
      if (r->at >= at + length) break;
      at = (MAX(at, r->at + r->length) + 255) & ~255ul;
    }
    if (length == 0 || at + length > size) return nil;
    return [self at:at length:length options:given];
  }
}
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)given offset:(NSUInteger)at {
  if (type != MTLHeapTypePlacement)
    conform_assert("-[MTLDebugHeap newBufferWithLength:options:offset:]: the heap is not of MTLHeapTypePlacement.");
  if (length == 0 || at + length > size) {
    conform_assert("-[MTLDebugHeap newBufferWithLength:options:offset:]: offset + length must be <= [heap size].");
    return nil;
  }
  @synchronized(self) {
    return [self at:at length:length options:given];
  }
}
- (void)freed:(NSUInteger)at length:(NSUInteger)length {
  @synchronized(self) {
    for (NSUInteger i = 0; i < [taken count]; i++) {
      ConformRange *r = taken[i];
      if (r->at == at && r->length == length) {
        [taken removeObjectAtIndex:i];
        return;
      }
    }
  }
}
- (void)alias:(ConformBuffer *)b { [self freed:b->offset length:b->length]; }
- (void)dealloc {
  free(bytes);
  [taken release];
  [super dealloc];
}
@end

@implementation ConformResidencySet {
  NSMutableSet *allocations;
}
- (id)initWithDescriptor:(MTLResidencySetDescriptor *)d {
  if ((self = [super init])) {
    allocations = [NSMutableSet new];
    self.label = d.label;
  }
  return self;
}
- (uint64_t)allocatedSize {
  uint64_t sum = 0;
  for (id<MTLAllocation> a in allocations) sum += a.allocatedSize;
  return sum;
}
- (NSUInteger)allocationCount { return [allocations count]; }
- (void)addAllocation:(id<MTLAllocation>)allocation { [allocations addObject:allocation]; }
- (void)addAllocations:(const id<MTLAllocation>[])list count:(NSUInteger)count {
  for (NSUInteger i = 0; i < count; i++) [allocations addObject:list[i]];
}
- (void)removeAllocation:(id<MTLAllocation>)allocation { [allocations removeObject:allocation]; }
- (void)removeAllAllocations { [allocations removeAllObjects]; }
- (BOOL)containsAllocation:(id<MTLAllocation>)allocation { return [allocations containsObject:allocation]; }
- (void)commit {}
- (void)requestResidency {}
- (void)endResidency {}
- (void)dealloc {
  [allocations release];
  [super dealloc];
}
@end

@implementation ConformFence
@end

@implementation ConformEvent
- (uint64_t)signaledValue { return conform_event_value(handle); }
- (void)setSignaledValue:(uint64_t)value { conform_event_set(handle, value); }
- (BOOL)waitUntilSignaledValue:(uint64_t)value timeoutMS:(uint64_t)milliseconds {
  return conform_event_wait(handle, value, milliseconds) != 0;
}
- (void)notifyListener:(MTLSharedEventListener *)listener
               atValue:(uint64_t)value
                 block:(MTLSharedEventNotificationBlock)block {
  dispatch_queue_t queue = listener.dispatchQueue;
  void (^back)(uint64_t) = Block_copy(^(uint64_t now) {
    dispatch_async(queue, ^{ block(self, now); });
  });
  conform_event_listen(handle, value, conform_back_block, back);
}
@end
@implementation MTLSharedEventListener {
  dispatch_queue_t queue;
}
- (instancetype)init { return [self initWithDispatchQueue:dispatch_queue_create("shared events", NULL)]; }
- (instancetype)initWithDispatchQueue:(dispatch_queue_t)q {
  if ((self = [super init])) queue = q;
  return self;
}
- (dispatch_queue_t)dispatchQueue { return queue; }
@end
