// The product of tensors in threadgroup memory by four simdgroups, into a tensor in device memory.
// Row m of the left factor holds m+1, column n of the right one n: sixteen times that is
// 16 (m+1) n. Of the 32 x 32 tile the tensor takes 3 columns of 2 rows; the rest stays.
// version 400
// dispatch threads=128 per=128
// bind 0 float -1 x8
// want 0 float 0 16 32 -1 0 32 64 -1
#include <metal_stdlib>
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;
using namespace mpp::tensor_ops;

kernel void f(device float* out [[buffer(0)]], ushort t [[thread_index_in_threadgroup]])
{
    threadgroup half a[32 * 16], b[16 * 32];
    for (int i = t; i < 32 * 16; i += 128) {
        a[i] = i / 16 + 1;
        b[i] = i % 32;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    auto left = tensor<threadgroup half, dextents<int32_t, 2>, tensor_inline>(a, dextents<int32_t, 2>(16, 32));
    auto right = tensor(b, dextents<int, 2>(32, 16));
    matmul2d<matmul2d_descriptor(32, 32, 16), execution_simdgroups<4>> op;
    auto c = op.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
    op.run(left, right, c);
    auto d = tensor(out, dextents<int, 2>(3, 2), array<int, 2>({1, 4}));
    c.store(d);
}
