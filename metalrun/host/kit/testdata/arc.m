// A correct program with automatic reference counting.
#import <Metal/Metal.h>

@interface Sum : NSObject
@property(nonatomic, strong) id<MTLDevice> device;
@property(nonatomic, copy) NSString *name;
- (instancetype)initWithName:(NSString *)name;
- (float)of:(NSArray<NSNumber *> *)numbers;
@end

@implementation Sum {
  id<MTLComputePipelineState> pipeline;
  id<MTLCommandQueue> queue;
}
- (instancetype)initWithName:(NSString *)name {
  if ((self = [super init])) {
    _name = name;
    _device = MTLCreateSystemDefaultDevice();
    queue = [_device newCommandQueue];
    id<MTLLibrary> library = [_device newLibraryWithSource:@"#include <metal_stdlib>\n"
      "using namespace metal;\n"
      "kernel void sum(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]])"
      " { float s = 0; for (uint i = 0; i < n; i++) s += x[i]; y[0] = s; }" options:nil error:nil];
    pipeline = [_device newComputePipelineStateWithFunction:[library newFunctionWithName:name] error:nil];
  }
  return self;
}
- (float)of:(NSArray<NSNumber *> *)numbers {
  uint32_t n = numbers.count;
  id<MTLBuffer> x = [self.device newBufferWithLength:4 * n options:MTLResourceStorageModeShared];
  id<MTLBuffer> y = [self.device newBufferWithLength:4 options:MTLResourceStorageModeShared];
  for (uint32_t i = 0; i < n; i++) ((float *)x.contents)[i] = numbers[i].floatValue;
  id<MTLCommandBuffer> commands = [queue commandBuffer];
  id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
  [encoder setComputePipelineState:pipeline];
  [encoder setBuffer:x offset:0 atIndex:0];
  [encoder setBuffer:y offset:0 atIndex:1];
  [encoder setBytes:&n length:4 atIndex:2];
  [encoder dispatchThreads:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(1, 1, 1)];
  [encoder endEncoding];
  __block BOOL completed = NO;
  [commands addCompletedHandler:^(id<MTLCommandBuffer> b) { completed = b.status == MTLCommandBufferStatusCompleted; }];
  [commands commit];
  [commands waitUntilCompleted];
  return completed ? *(float *)y.contents : -1;
}
@end

int main(void) {
  @autoreleasepool {
    NSDictionary *by = @{@"sum" : @[ @1, @2.5, @4 ]};
    Sum *sum = [[Sum alloc] initWithName:by.allKeys[0]];
    if (@available(macOS 13.0, *)) return [sum of:by[@"sum"]] == 7.5f ? 0 : 1;
  }
  return 2;
}
