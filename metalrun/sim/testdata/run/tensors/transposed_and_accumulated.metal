// A transposed right factor, a sum on top of what was there, and slices.
// left[m][k] = k, right[n][k] = n. Slices
// leave out k = 0 and 1: the sum is 2+…+7 = 27, times n; twice, on top of 100.
// version 400
// dispatch threads=32 per=32
// want 0 float 100 154 208 262
#include <metal_stdlib>
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;

kernel void f(device float* out [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    threadgroup float a[16 * 8], b[16 * 8];
    for (int i = lane; i < 16 * 8; i += 32) {
        a[i] = i % 8;
        b[i] = i / 8;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    constexpr auto desc = mpp::tensor_ops::matmul2d_descriptor(16, 16, dynamic_length_v<int>, false, true, false,
                                                               mpp::tensor_ops::matmul2d_descriptor::mode::multiply_accumulate);
    mpp::tensor_ops::matmul2d<desc, execution_simdgroup> op;
    auto left = tensor(a, dextents<int, 2>(8, 16)).slice(2, 0);
    auto right = tensor(b, dextents<int, 2>(8, 16)).slice(2, 0);
    auto c = op.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
    for (ushort i = 0; i < c.get_capacity(); ++i)
        c[i] = 100;
    op.run(left, right, c);
    op.run(left, right, c);
    for (ushort i = 0; i < c.get_capacity(); ++i) {
        auto at = c.get_multidimensional_index(i);
        if (c.is_valid_element(i) && at[1] == 5 && at[0] < 4)
            out[at[0]] = c[i];
    }
}
