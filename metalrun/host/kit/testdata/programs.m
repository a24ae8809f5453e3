// Programs with planted mistakes, and correct ones. Each has a name and what is to be found in it; without an argument the
// list is printed, and with a name the program runs.
#import <Metal/Metal.h>
#include <conform.h>
#include <stdlib.h>
#include <string.h>

static NSString *const source = @
"#include <metal_stdlib>\n"
"using namespace metal;\n"
"constant uint factor [[function_constant(0)]];\n"
"kernel void fill(device uint *out [[buffer(0)]], constant uint &v [[buffer(1)]],\n"
"                 uint i [[thread_position_in_grid]]) { out[i] = v; }\n"
"kernel void copy(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],\n"
"                 uint i [[thread_position_in_grid]]) { out[i] = in[i]; }\n"
"kernel void shift(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]],\n"
"                  uint i [[thread_position_in_grid]]) { out[i] = in[i + 1]; }\n"
"kernel void wide(device const uchar *in [[buffer(0)]], device float4 *out [[buffer(1)]],\n"
"                 uint i [[thread_position_in_grid]]) { out[i] = *(device const float4 *)(in + 4); }\n"
"kernel void local(device uint *out [[buffer(0)]], threadgroup uint *t [[threadgroup(0)]],\n"
"                  uint i [[thread_index_in_threadgroup]]) { t[i] = i; out[i] = t[i]; }\n"
"kernel void scale(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= factor; }\n"
"kernel void count(device atomic_uint *n [[buffer(0)]]) {\n"
"  atomic_fetch_add_explicit(n, 1u, memory_order_relaxed); }\n"
"kernel void some(device uint *out [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
"  if (i < 16) threadgroup_barrier(mem_flags::mem_device);\n"
"  out[i] = i; }\n";

enum { n = 64 };
static id<MTLDevice> device;
static id<MTLLibrary> library;
static id<MTLCommandQueue> queue;
static id<MTLSharedEvent> held; // keeps command buffers from executing
static MTLSize all, group;

static id<MTLComputePipelineState> pipeline(NSString *name) {
  NSError *error = nil;
  MTLFunctionConstantValues *values = [MTLFunctionConstantValues new];
  uint32_t three = 3;
  [values setConstantValue:&three type:MTLDataTypeUInt atIndex:0];
  id<MTLFunction> f = [library newFunctionWithName:name constantValues:values error:&error];
  id<MTLComputePipelineState> p = [device newComputePipelineStateWithFunction:f error:&error];
  if (!p) abort();
  return p;
}
static id<MTLBuffer> words(void) { return [device newBufferWithLength:n * 4 options:MTLResourceStorageModeShared]; }
static void launch(id<MTLComputeCommandEncoder> e, NSString *kernel, NSArray *buffers) {
  [e setComputePipelineState:pipeline(kernel)];
  NSUInteger i = 0;
  for (id<MTLBuffer> b in buffers) [e setBuffer:b offset:0 atIndex:i++];
  [e dispatchThreads:all threadsPerThreadgroup:group];
}
static void fill(id<MTLComputeCommandEncoder> e, id<MTLBuffer> b, uint32_t value) {
  [e setBytes:&value length:4 atIndex:1];
  launch(e, @"fill", @[ b ]);
}
static void finish(id<MTLCommandBuffer> c) {
  [c commit];
  [c waitUntilCompleted];
}
static void require(BOOL holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "wrong: %s\n", what);
  exit(9);
}
#define REQUIRE(x) require(x, #x)
static uint32_t at(id<MTLBuffer> b, int i) { return ((uint32_t *)b.contents)[i]; }

// in_one encodes into one encoder, and waits.
static void in_one(MTLDispatchType type, void (^encode)(id<MTLComputeCommandEncoder> e)) {
  id<MTLCommandBuffer> c = [queue commandBuffer];
  id<MTLComputeCommandEncoder> e = [c computeCommandEncoderWithDispatchType:type];
  encode(e);
  [e endEncoding];
  finish(c);
}
static void serial(void (^encode)(id<MTLComputeCommandEncoder> e)) { in_one(MTLDispatchTypeSerial, encode); }
static void concurrent(void (^encode)(id<MTLComputeCommandEncoder> e)) { in_one(MTLDispatchTypeConcurrent, encode); }

// two_encoders fills a buffer in one encoder and copies it in the next.
static void two_encoders(id<MTLBuffer> a, id<MTLFence> fence, BOOL waits) {
  id<MTLCommandBuffer> c = [queue commandBuffer];
  id<MTLComputeCommandEncoder> first = [c computeCommandEncoder];
  fill(first, a, 7);
  if (fence) [first updateFence:fence];
  [first endEncoding];
  id<MTLComputeCommandEncoder> second = [c computeCommandEncoder];
  if (fence && waits) [second waitForFence:fence];
  id<MTLBuffer> b = words();
  launch(second, @"copy", @[ a, b ]);
  [second endEncoding];
  finish(c);
  REQUIRE(at(b, n - 1) == 7);
}

// two_queues fills a buffer on one queue and copies it on another.
static void two_queues(void (^between)(id<MTLCommandBuffer> first, id<MTLCommandBuffer> second), BOOL early) {
  id<MTLBuffer> a = words(), b = words();
  id<MTLCommandBuffer> first = [queue commandBuffer], second = [[device newCommandQueue] commandBuffer];
  if (early && between) between(first, second);
  id<MTLComputeCommandEncoder> e = [first computeCommandEncoder];
  fill(e, a, 7);
  [e endEncoding];
  if (!early && between) between(first, second);
  e = [second computeCommandEncoder];
  launch(e, @"copy", @[ a, b ]);
  [e endEncoding];
  [second commit];
  finish(first);
  [second waitUntilCompleted];
}

static id<MTLBuffer> from_heap(MTLHazardTrackingMode mode) {
  MTLHeapDescriptor *d = [MTLHeapDescriptor new];
  d.size = 1 << 16;
  d.storageMode = MTLStorageModeShared;
  d.hazardTrackingMode = mode;
  return [[device newHeapWithDescriptor:d] newBufferWithLength:n * 4 options:MTLResourceStorageModeShared];
}

static struct {
  const char *name, *found;
  void (^run)(void);
} programs[128];
static int count;
#define PROGRAM(title, finds, ...) programs[count].name = title; programs[count].found = finds; \
  programs[count++].run = Block_copy(^{ __VA_ARGS__ })

static void list(void) {
  PROGRAM("two dispatches", "", {
    id<MTLBuffer> a = words(), b = words();
    serial(^(id<MTLComputeCommandEncoder> e) {
      fill(e, a, 5);
      launch(e, @"copy", @[ a, b ]);
      launch(e, @"scale", @[ b ]);
    });
    REQUIRE(at(b, 0) == 15 && at(b, n - 1) == 15);
  });
  PROGRAM("barrier", "", {
    id<MTLBuffer> a = words(), b = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      fill(e, a, 5);
      [e memoryBarrierWithScope:MTLBarrierScopeBuffers];
      launch(e, @"copy", @[ a, b ]);
    });
  });
  PROGRAM("barrier left out", "hazard", {
    id<MTLBuffer> a = words(), b = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      fill(e, a, 5);
      launch(e, @"copy", @[ a, b ]);
    });
  });
  PROGRAM("barrier of textures", "hazard", {
    id<MTLBuffer> a = words(), b = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      fill(e, a, 5);
      [e memoryBarrierWithScope:MTLBarrierScopeTextures];
      launch(e, @"copy", @[ a, b ]);
    });
  });
  PROGRAM("barrier of the buffer", "", {
    id<MTLBuffer> a = words(), b = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      fill(e, a, 5);
      id<MTLResource> list[] = {a};
      [e memoryBarrierWithResources:list count:1];
      launch(e, @"copy", @[ a, b ]);
    });
  });
  PROGRAM("barrier of another buffer", "hazard", {
    id<MTLBuffer> a = words(), b = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      fill(e, a, 5);
      id<MTLResource> list[] = {b};
      [e memoryBarrierWithResources:list count:1];
      launch(e, @"copy", @[ a, b ]);
    });
  });
  PROGRAM("write after read", "hazard", {
    id<MTLBuffer> a = words(), b = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      launch(e, @"copy", @[ a, b ]);
      fill(e, a, 5);
    });
  });
  PROGRAM("write after write", "hazard", {
    id<MTLBuffer> a = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      fill(e, a, 5);
      fill(e, a, 6);
    });
  });
  PROGRAM("halves", "", {
    id<MTLBuffer> a = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      uint32_t v = 1;
      [e setComputePipelineState:pipeline(@"fill")];
      [e setBytes:&v length:4 atIndex:1];
      [e setBuffer:a offset:0 atIndex:0];
      [e dispatchThreads:MTLSizeMake(n / 2, 1, 1) threadsPerThreadgroup:group];
      [e setBufferOffset:n * 2 atIndex:0];
      [e dispatchThreads:MTLSizeMake(n / 2, 1, 1) threadsPerThreadgroup:group];
    });
    REQUIRE(at(a, n - 1) == 1);
  });
  PROGRAM("halves that overlap", "hazard", {
    id<MTLBuffer> a = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      uint32_t v = 1;
      [e setComputePipelineState:pipeline(@"fill")];
      [e setBytes:&v length:4 atIndex:1];
      [e setBuffer:a offset:0 atIndex:0];
      [e dispatchThreads:MTLSizeMake(n / 2, 1, 1) threadsPerThreadgroup:group];
      [e setBufferOffset:n * 2 - 4 atIndex:0];
      [e dispatchThreads:MTLSizeMake(n / 2, 1, 1) threadsPerThreadgroup:group];
    });
  });
  PROGRAM("counters", "", {
    id<MTLBuffer> a = words();
    concurrent(^(id<MTLComputeCommandEncoder> e) {
      launch(e, @"count", @[ a ]);
      launch(e, @"count", @[ a ]);
    });
    REQUIRE(at(a, 0) == 2 * n);
  });
  PROGRAM("tracked buffer", "", { two_encoders(words(), nil, NO); });
  PROGRAM("untracked buffer", "hazard", {
    two_encoders([device newBufferWithLength:n * 4 options:MTLResourceHazardTrackingModeUntracked], nil, NO);
  });
  PROGRAM("untracked buffer with a fence", "", {
    two_encoders([device newBufferWithLength:n * 4 options:MTLResourceHazardTrackingModeUntracked],
                 [device newFence], YES);
  });
  PROGRAM("fence that nobody waits for", "hazard", {
    two_encoders([device newBufferWithLength:n * 4 options:MTLResourceHazardTrackingModeUntracked],
                 [device newFence], NO);
  });
  PROGRAM("heap", "hazard", { two_encoders(from_heap(MTLHazardTrackingModeDefault), nil, NO); });
  PROGRAM("tracked heap", "", { two_encoders(from_heap(MTLHazardTrackingModeTracked), nil, NO); });
  PROGRAM("blit after a dispatch", "", {
    id<MTLBuffer> a = words(), b = words();
    id<MTLCommandBuffer> c = [queue commandBuffer];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    fill(e, a, 9);
    [e endEncoding];
    id<MTLBlitCommandEncoder> blit = [c blitCommandEncoder];
    [blit copyFromBuffer:a sourceOffset:4 toBuffer:b destinationOffset:8 size:16];
    [blit fillBuffer:b range:NSMakeRange(0, 4) value:1];
    [blit endEncoding];
    finish(c);
    REQUIRE(at(b, 0) == 0x01010101 && at(b, 1) == 0 && at(b, 2) == 9 && at(b, 5) == 9 && at(b, 6) == 0);
  });
  PROGRAM("two queues", "hazard", { two_queues(nil, NO); });
  PROGRAM("two queues with an event", "", {
    id<MTLEvent> event = [device newEvent];
    two_queues(^(id<MTLCommandBuffer> first, id<MTLCommandBuffer> second) {
      [first encodeSignalEvent:event value:1];
      [second encodeWaitForEvent:event value:1];
    }, NO);
  });
  PROGRAM("an event too early", "hazard", {
    id<MTLEvent> event = [device newEvent];
    two_queues(^(id<MTLCommandBuffer> first, id<MTLCommandBuffer> second) {
      [first encodeSignalEvent:event value:1];
      [second encodeWaitForEvent:event value:1];
    }, YES);
  });
  PROGRAM("the program waits between queues", "", {
    id<MTLBuffer> a = words(), b = words();
    serial(^(id<MTLComputeCommandEncoder> e) { fill(e, a, 7); });
    id<MTLCommandBuffer> c = [[device newCommandQueue] commandBuffer];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    launch(e, @"copy", @[ a, b ]);
    [e endEncoding];
    finish(c);
    REQUIRE(at(b, 3) == 7);
  });
  PROGRAM("a handler commits the next queue", "", {
    id<MTLBuffer> a = words(), b = words();
    id<MTLCommandBuffer> first = [queue commandBuffer], second = [[device newCommandQueue] commandBuffer];
    id<MTLComputeCommandEncoder> e = [first computeCommandEncoder];
    fill(e, a, 7);
    [e endEncoding];
    e = [second computeCommandEncoder];
    launch(e, @"copy", @[ a, b ]);
    [e endEncoding];
    [first addCompletedHandler:^(id<MTLCommandBuffer> done) { [second commit]; }];
    finish(first);
    [second waitUntilCompleted];
    REQUIRE(at(b, 3) == 7);
  });
  PROGRAM("a shared event and its listener", "", {
    id<MTLSharedEvent> event = [device newSharedEvent];
    MTLSharedEventListener *listener = [MTLSharedEventListener new];
    dispatch_semaphore_t told = dispatch_semaphore_create(0);
    [event notifyListener:listener atValue:2 block:^(id<MTLSharedEvent> e, uint64_t value) {
      dispatch_semaphore_signal(told);
    }];
    id<MTLCommandBuffer> c = [queue commandBuffer];
    [c encodeWaitForEvent:event value:1];
    [c encodeSignalEvent:event value:2];
    [c commit];
    event.signaledValue = 1;
    dispatch_semaphore_wait(told, DISPATCH_TIME_FOREVER);
    REQUIRE([event waitUntilSignaledValue:2 timeoutMS:1000] && event.signaledValue == 2);
  });
  PROGRAM("enqueued first", "", {
    id<MTLBuffer> a = words(), b = words();
    id<MTLCommandBuffer> first = [queue commandBuffer], second = [queue commandBuffer];
    [first enqueue];
    id<MTLComputeCommandEncoder> e = [second computeCommandEncoder];
    launch(e, @"copy", @[ a, b ]);
    [e endEncoding];
    [second commit];
    e = [first computeCommandEncoder];
    fill(e, a, 7);
    [e endEncoding];
    [first commit];
    [second waitUntilCompleted];
    REQUIRE(at(b, 3) == 7);
  });
  PROGRAM("a read past the end", "range", {
    id<MTLBuffer> a = words(), b = words();
    memset(a.contents, 1, n * 4);
    serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"shift", @[ a, b ]); });
    REQUIRE(at(b, n - 2) == 0x01010101 && at(b, n - 1) == 0);
  });
  PROGRAM("a grid too large", "range", {
    id<MTLBuffer> a = words();
    serial(^(id<MTLComputeCommandEncoder> e) {
      uint32_t v = 1;
      [e setComputePipelineState:pipeline(@"fill")];
      [e setBytes:&v length:4 atIndex:1];
      [e setBuffer:a offset:0 atIndex:0];
      [e dispatchThreadgroups:MTLSizeMake(n / 32 + 1, 1, 1) threadsPerThreadgroup:group];
    });
    REQUIRE(at(a, n - 1) == 1);
  });
  PROGRAM("an offset too large", "range", {
    id<MTLBuffer> a = words();
    serial(^(id<MTLComputeCommandEncoder> e) {
      uint32_t v = 1;
      [e setComputePipelineState:pipeline(@"fill")];
      [e setBytes:&v length:4 atIndex:1];
      [e setBuffer:a offset:16 atIndex:0];
      [e dispatchThreads:all threadsPerThreadgroup:group];
    });
  });
  PROGRAM("a vector at an odd place", "alignment", {
    id<MTLBuffer> a = words(), b = [device newBufferWithLength:n * 16 options:0];
    for (int i = 0; i < n; i++) ((uint32_t *)a.contents)[i] = i;
    serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"wide", @[ a, b ]); });
    REQUIRE(at(b, 0) == 1 && at(b, 3) == 4);
  });
  PROGRAM("threadgroup memory too short", "range range", {
    id<MTLBuffer> a = words();
    serial(^(id<MTLComputeCommandEncoder> e) {
      [e setThreadgroupMemoryLength:64 atIndex:0];
      launch(e, @"local", @[ a ]);
    });
  });
  PROGRAM("no buffer", "unbound", { serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"copy", @[ words() ]); }); });
  PROGRAM("writes to bytes", "read-only", {
    serial(^(id<MTLComputeCommandEncoder> e) {
      char bytes[256] = {0};
      [e setBytes:bytes length:sizeof bytes atIndex:0];
      launch(e, @"scale", @[]);
    });
  });
  PROGRAM("a barrier that some threads miss", "divergent", {
    serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"some", @[ words() ]); });
  });
  PROGRAM("unwritten memory of a heap", "unwritten", {
    id<MTLBuffer> a = from_heap(MTLHazardTrackingModeTracked), b = words();
    serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"copy", @[ a, b ]); });
  });
  PROGRAM("written memory of a heap", "", {
    id<MTLBuffer> a = from_heap(MTLHazardTrackingModeTracked), b = words();
    memset(a.contents, 0, n * 4);
    serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"copy", @[ a, b ]); });
  });
  PROGRAM("cleared memory of a buffer", "", {
    id<MTLBuffer> a = words(), b = words();
    serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"copy", @[ a, b ]); });
    REQUIRE(at(b, 5) == 0);
  });
  PROGRAM("a buffer released too early", "released", {
    id<MTLBuffer> a = words(), b = words();
    id<MTLCommandBuffer> c = [queue commandBufferWithUnretainedReferences];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    [e setComputePipelineState:pipeline(@"copy")];
    [e setBuffer:a offset:0 atIndex:0];
    [e setBuffer:b offset:0 atIndex:1];
    [e dispatchThreads:all threadsPerThreadgroup:group];
    [e endEncoding];
    [a release];
    finish(c);
  });
  PROGRAM("a buffer that the command buffer retains", "", {
    id<MTLBuffer> a = words(), b = words();
    id<MTLCommandBuffer> c = [queue commandBuffer];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    [e setComputePipelineState:pipeline(@"copy")];
    [e setBuffer:a offset:0 atIndex:0];
    [e setBuffer:b offset:0 atIndex:1];
    [e dispatchThreads:all threadsPerThreadgroup:group];
    [e endEncoding];
    [a release];
    finish(c);
  });
  PROGRAM("memory of the program", "", {
    void *p = NULL;
    REQUIRE(posix_memalign(&p, getpagesize(), getpagesize()) == 0);
    memset(p, 2, getpagesize());
    __block BOOL gone = NO;
    id<MTLBuffer> a = [device newBufferWithBytesNoCopy:p length:getpagesize() options:0
                                           deallocator:^(void *q, NSUInteger length) { gone = q == p; }];
    @autoreleasepool {
      serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"scale", @[ a ]); });
    }
    REQUIRE(((uint32_t *)p)[1] == 0x06060606);
    [a release];
    REQUIRE(gone);
    free(p);
  });
  PROGRAM("an indirect dispatch", "", {
    id<MTLBuffer> a = words(), size = words();
    uint32_t groups[] = {2, 1, 1};
    memcpy(size.contents, groups, sizeof groups);
    serial(^(id<MTLComputeCommandEncoder> e) {
      uint32_t v = 4;
      [e setComputePipelineState:pipeline(@"fill")];
      [e setBytes:&v length:4 atIndex:1];
      [e setBuffer:a offset:0 atIndex:0];
      [e dispatchThreadgroupsWithIndirectBuffer:size indirectBufferOffset:0 threadsPerThreadgroup:group];
    });
    REQUIRE(at(a, n - 1) == 4);
  });
  PROGRAM("an empty grid", "empty", {
    serial(^(id<MTLComputeCommandEncoder> e) {
      [e setComputePipelineState:pipeline(@"count")];
      [e setBuffer:words() offset:0 atIndex:0];
      [e dispatchThreadgroups:MTLSizeMake(0, 1, 1) threadsPerThreadgroup:group];
    });
  });
  PROGRAM("threadgroup memory of 100 bytes", "assertion", {
    serial(^(id<MTLComputeCommandEncoder> e) { [e setThreadgroupMemoryLength:100 atIndex:0]; });
  });
  PROGRAM("a threadgroup too large", "assertion", {
    serial(^(id<MTLComputeCommandEncoder> e) {
      [e setComputePipelineState:pipeline(@"count")];
      [e setBuffer:words() offset:0 atIndex:0];
      [e dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(2048, 1, 1)];
    });
  });
  PROGRAM("too many bytes", "assertion", {
    char *bytes = calloc(1, 8192);
    serial(^(id<MTLComputeCommandEncoder> e) { [e setBytes:bytes length:8192 atIndex:1]; });
  });
  PROGRAM("no pipeline", "assertion", {
    serial(^(id<MTLComputeCommandEncoder> e) { [e dispatchThreads:all threadsPerThreadgroup:group]; });
  });
  PROGRAM("a private buffer's contents", "assertion", {
    REQUIRE([device newBufferWithLength:16 options:MTLResourceStorageModePrivate].contents == NULL);
  });
  PROGRAM("encoding after the end", "assertion", {
    id<MTLCommandBuffer> c = [queue commandBuffer];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    [e endEncoding];
    [e setBuffer:words() offset:0 atIndex:0];
    finish(c);
  });
  PROGRAM("no end of encoding", "assertion", {
    id<MTLCommandBuffer> c = [queue commandBuffer];
    [c computeCommandEncoder];
    finish(c);
  });
  PROGRAM("committed twice", "assertion", {
    id<MTLCommandBuffer> c = [queue commandBuffer];
    finish(c);
    [c commit];
  });
  PROGRAM("waits before it commits", "assertion", { [[queue commandBuffer] waitUntilCompleted]; });
  PROGRAM("a handler after the commit", "assertion", {
    id<MTLCommandBuffer> c = [queue commandBuffer];
    finish(c);
    [c addCompletedHandler:^(id<MTLCommandBuffer> done) {}];
  });
  PROGRAM("a copy too long", "assertion", {
    id<MTLCommandBuffer> c = [queue commandBuffer];
    id<MTLBlitCommandEncoder> blit = [c blitCommandEncoder];
    [blit copyFromBuffer:words() sourceOffset:8 toBuffer:words() destinationOffset:0 size:n * 4];
    [blit endEncoding];
    finish(c);
  });
  PROGRAM("a range from offset to end", "assertion", {
    id<MTLBuffer> a = words();
    id<MTLCommandBuffer> c = [queue commandBuffer];
    id<MTLBlitCommandEncoder> blit = [c blitCommandEncoder];
    [blit fillBuffer:a range:NSMakeRange(128, 256) value:0];
    [blit endEncoding];
    finish(c);
  });
  PROGRAM("a misaligned offset", "assertion", {
    id<MTLBuffer> a = words();
    serial(^(id<MTLComputeCommandEncoder> e) {
      [e setComputePipelineState:pipeline(@"count")];
      [e setBuffer:a offset:6 atIndex:0];
      [e dispatchThreads:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(1, 1, 1)];
    });
  });
  PROGRAM("results read too early", "early", {
    id<MTLBuffer> a = words();
    uint32_t *x = a.contents;
    id<MTLCommandBuffer> c = [queue commandBuffer];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    [e setBuffer:a offset:0 atIndex:0];
    fill(e, a, 3);
    [e endEncoding];
    [c encodeWaitForEvent:held value:1];
    [c commit];
    volatile uint32_t early = x[5];
    (void)early;
    held.signaledValue = 1;
    [c waitUntilCompleted];
    REQUIRE(x[5] == 3);
  });
  PROGRAM("inputs changed in flight", "early", {
    id<MTLBuffer> a = words(), b = words();
    uint32_t *x = a.contents;
    id<MTLCommandBuffer> c = [queue commandBuffer];
    [c encodeWaitForEvent:held value:1];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    launch(e, @"copy", @[ a, b ]);
    [e endEncoding];
    [c commit];
    x[0] = 9;
    held.signaledValue = 1;
    [c waitUntilCompleted];
  });
  PROGRAM("inputs read in flight", "", {
    id<MTLBuffer> a = words(), b = words();
    uint32_t *x = a.contents;
    id<MTLCommandBuffer> c = [queue commandBuffer];
    [c encodeWaitForEvent:held value:1];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    launch(e, @"copy", @[ a, b ]);
    [e endEncoding];
    [c commit];
    volatile uint32_t in = x[0];
    held.signaledValue = 1;
    [c waitUntilCompleted];
    x[0] = in + 1;
  });
  PROGRAM("another part written in flight", "", {
    id<MTLBuffer> a = words(), b = [device newBufferWithLength:n * 8 options:0];
    uint32_t *x = b.contents;
    id<MTLCommandBuffer> c = [queue commandBuffer];
    [c encodeWaitForEvent:held value:1];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    launch(e, @"copy", @[ a, b ]);
    [e endEncoding];
    [c commit];
    x[n] = 9;
    held.signaledValue = 1;
    [c waitUntilCompleted];
    REQUIRE(x[n] == 9 && x[0] == 0);
  });
  PROGRAM("past the tensor, in its buffer", "region", {
    id<MTLBuffer> a = [device newBufferWithLength:n * 8 options:0], b = words();
    conform_region(a, 0, n * 4, "first");
    conform_region(a, n * 4, n * 4, "second");
    serial(^(id<MTLComputeCommandEncoder> e) { launch(e, @"shift", @[ a, b ]); });
  });
  PROGRAM("two tensors of one buffer", "", {
    id<MTLBuffer> a = [device newBufferWithLength:n * 8 options:0];
    conform_region(a, 0, n * 4, "first");
    conform_region(a, n * 4, n * 4, "second");
    serial(^(id<MTLComputeCommandEncoder> e) {
      [e setComputePipelineState:pipeline(@"copy")];
      [e setBuffer:a offset:0 atIndex:0];
      [e setBuffer:a offset:n * 4 atIndex:1];
      [e dispatchThreads:all threadsPerThreadgroup:group];
    });
  });
  PROGRAM("debug groups", "", {
    serial(^(id<MTLComputeCommandEncoder> e) {
      [e pushDebugGroup:@"group"];
      fill(e, words(), 1);
      [e popDebugGroup];
    });
  });
  PROGRAM("a debug group left open", "assertion", {
    serial(^(id<MTLComputeCommandEncoder> e) { [e pushDebugGroup:@"group"]; });
  });
  PROGRAM("a library that does not compile", "compile", {
    NSError *error = nil;
    id<MTLLibrary> l = [device newLibraryWithSource:@"kernel void k( {" options:nil error:&error];
    REQUIRE(l == nil && [error.localizedDescription length] > 0);
  });
  PROGRAM("a function that does not exist", "", { REQUIRE([library newFunctionWithName:@"none"] == nil); });
  PROGRAM("a texture", "refused", { REQUIRE([device newTextureWithDescriptor:nil] == nil); });
  PROGRAM("macros and options", "", {
    MTLCompileOptions *o = [MTLCompileOptions new];
    o.preprocessorMacros = @{@"VALUE" : @42};
    o.languageVersion = MTLLanguageVersion3_1;
    o.mathMode = MTLMathModeSafe;
    NSError *error = nil;
    id<MTLLibrary> l = [device
        newLibraryWithSource:@"kernel void k(device uint *x [[buffer(0)]]) { x[0] = VALUE; }" options:o error:&error];
    REQUIRE(l != nil);
    id<MTLBuffer> a = words();
    id<MTLComputePipelineState> p = [device newComputePipelineStateWithFunction:[l newFunctionWithName:@"k"]
                                                                          error:&error];
    serial(^(id<MTLComputeCommandEncoder> e) {
      [e setComputePipelineState:p];
      [e setBuffer:a offset:0 atIndex:0];
      [e dispatchThreads:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(1, 1, 1)];
    });
    REQUIRE(at(a, 0) == 42);
  });
}

int main(int argc, char **argv) {
  @autoreleasepool {
    list();
    if (argc < 2) {
      for (int i = 0; i < count; i++) printf("%s\t%s\n", programs[i].name, programs[i].found);
      return 0;
    }
    device = MTLCreateSystemDefaultDevice();
    queue = [device newCommandQueue];
    held = [device newSharedEvent];
    all = MTLSizeMake(n, 1, 1);
    group = MTLSizeMake(32, 1, 1);
    NSError *error = nil;
    library = [device newLibraryWithSource:source options:nil error:&error];
    REQUIRE(library != nil);
    for (int i = 0; i < count; i++)
      if (!strcmp(programs[i].name, argv[1])) {
        programs[i].run();
        return 0;
      }
  }
  return 8;
}
