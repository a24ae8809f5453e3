// A correct program in C++ that sends messages as metal-cpp does.
#include <cstddef>
#include <cstdint>
#include <cstring>
extern "C" {
void *objc_msgSend(void *, void *, ...);
void *sel_registerName(const char *);
void *objc_lookUpClass(const char *);
void *MTLCreateSystemDefaultDevice(void);
}
struct Size {
  std::size_t width, height, depth;
};
template <typename R, typename... A> R send(const void *object, const char *selector, A... a) {
  using F = R (*)(const void *, void *, A...);
  return reinterpret_cast<F>(&objc_msgSend)(object, sel_registerName(selector), a...);
}
static void *string(const char *s) {
  return send<void *>(objc_lookUpClass("NSString"), "stringWithUTF8String:", s);
}

int main() {
  void *pool = send<void *>(send<void *>(objc_lookUpClass("NSAutoreleasePool"), "alloc"), "init");
  void *device = MTLCreateSystemDefaultDevice(), *error = nullptr;
  void *library = send<void *>(device, "newLibraryWithSource:options:error:",
    string("kernel void twice(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= 2; }"),
    static_cast<void *>(nullptr), &error);
  void *function = send<void *>(library, "newFunctionWithName:", string("twice"));
  void *pipeline = send<void *>(device, "newComputePipelineStateWithFunction:error:", function, &error);
  const float x[] = {1, 2, 3, 4};
  void *buffer = send<void *>(device, "newBufferWithBytes:length:options:", static_cast<const void *>(x), sizeof x,
    std::size_t(0));
  void *queue = send<void *>(device, "newCommandQueue"), *commands = send<void *>(queue, "commandBuffer");
  void *encoder = send<void *>(commands, "computeCommandEncoder");
  send<void>(encoder, "setComputePipelineState:", pipeline);
  send<void>(encoder, "setBuffer:offset:atIndex:", buffer, std::size_t(0), std::size_t(0));
  send<void>(encoder, "dispatchThreads:threadsPerThreadgroup:", Size{4, 1, 1}, Size{4, 1, 1});
  send<void>(encoder, "endEncoding");
  send<void>(commands, "commit");
  send<void>(commands, "waitUntilCompleted");
  bool later = send<double>(commands, "GPUEndTime") >= send<double>(commands, "GPUStartTime");
  float y[4];
  std::memcpy(y, send<void *>(buffer, "contents"), sizeof y);
  send<void>(pool, "drain");
  return later && y[0] == 2 && y[3] == 8 ? 0 : 1;
}
