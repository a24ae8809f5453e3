// Factors that lie in the registers of a simdgroup: load, product, store.
// The left factor is 2 on the diagonal, the right one holds 100 r + c: the product is twice that.
// version 400
// dispatch threads=32 per=32
// want 0 float 0 2 200 202 3062
#include <metal_stdlib>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;

kernel void f(device float* out [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    threadgroup half a[256];
    threadgroup float b[512], c[512];
    for (int i = lane; i < 512; i += 32) {
        if (i < 256)
            a[i] = i % 17 == 0 ? 2 : 0;
        b[i] = 100 * (i / 32) + i % 32;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    mpp::tensor_ops::matmul2d<mpp::tensor_ops::matmul2d_descriptor(16, 32, 16), execution_simdgroup> op;
    auto left = op.get_left_input_cooperative_tensor<half, float, float>();
    auto right = op.get_right_input_cooperative_tensor<half, float, float>();
    auto product = op.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
    left.load(tensor(a, dextents<int, 2>(16, 16)));
    right.load(tensor(b, dextents<int, 2>(32, 16)));
    op.run(left, right, product);
    product.store(tensor(c, dextents<int, 2>(32, 16)));
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lane == 0) {
        out[0] = c[0];
        out[1] = c[1];
        out[2] = c[32];
        out[3] = c[33];
        out[4] = c[15 * 32 + 31];
    }
}
