// A correct program in Objective-C++, with C++ around the objects of Metal.
#import <Metal/Metal.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Kernel {
  id<MTLDevice> device = MTLCreateSystemDefaultDevice();
  id<MTLComputePipelineState> pipeline;
  explicit Kernel(const std::string &name) {
    NSError *error = nil;
    id<MTLLibrary> library = [device newLibraryWithSource:@"kernel void twice(device float *x [[buffer(0)]],"
      " uint i [[thread_position_in_grid]]) { x[i] *= 2; }" options:nil error:&error];
    id<MTLFunction> f = [library newFunctionWithName:@(name.c_str())];
    if (!f) throw std::runtime_error("no " + name);
    pipeline = [device newComputePipelineStateWithFunction:f error:&error];
  }
  std::vector<float> operator()(std::vector<float> x) {
    id<MTLBuffer> b = [device newBufferWithBytes:x.data() length:x.size() * 4 options:MTLResourceStorageModeShared];
    id<MTLCommandBuffer> c = [[device newCommandQueue] commandBuffer];
    id<MTLComputeCommandEncoder> e = [c computeCommandEncoder];
    [e setComputePipelineState:pipeline];
    [e setBuffer:b offset:0 atIndex:0];
    [e dispatchThreads:MTLSizeMake(x.size(), 1, 1) threadsPerThreadgroup:MTLSizeMake(32, 1, 1)];
    [e endEncoding];
    [c commit];
    [c waitUntilCompleted];
    auto p = static_cast<const float *>(b.contents);
    return {p, p + x.size()};
  }
};

int main() {
  @autoreleasepool {
    try {
      Kernel none("none");
      return 1;
    } catch (const std::runtime_error &) {
    }
    auto k = std::make_unique<Kernel>("twice");
    return (*k)({1, 2, 3}) == std::vector<float>{2, 4, 6} ? 0 : 2;
  }
}
