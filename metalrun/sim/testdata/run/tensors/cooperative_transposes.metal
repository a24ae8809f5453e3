// Factors in the registers of a simdgroup, each as it is and transposed, in one fragment and in several.
// left[m][k] = (3 m + k) % 7, right[k][n] = (5 k + 2 n) % 11. The sums of the products over k are at
// (0, 0), (1, 2), (5, 9), (10, 13) and (15, 15), for 16 and for 32 terms.
// version 400
// dispatch threads=32 per=32
// want 0 float 257 270 210 231 235 257 270 210 231 235 257 270 210 231 235 257 270 210 231 235 474 503 455 488 515 474 503 455 488 515
#include <metal_stdlib>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;

template <int M, int N, int K, bool Left, bool Right>
void product(device float* out, threadgroup float* room, ushort lane)
{
    threadgroup float* a = room;
    threadgroup float* b = a + M * K;
    threadgroup float* c = b + K * N;
    for (int i = lane; i < M * K; i += 32)
        a[Left ? i % K * M + i / K : i] = (3 * (i / K) + i % K) % 7;
    for (int i = lane; i < K * N; i += 32)
        b[Right ? i % N * K + i / N : i] = (5 * (i / N) + 2 * (i % N)) % 11;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    mpp::tensor_ops::matmul2d<mpp::tensor_ops::matmul2d_descriptor(M, N, K, Left, Right), execution_simdgroup> op;
    auto left = op.template get_left_input_cooperative_tensor<float, float, float>();
    auto right = op.template get_right_input_cooperative_tensor<float, float, float>();
    auto sum = op.template get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
    left.load(tensor(a, dextents<int, 2>(Left ? M : K, Left ? K : M)));
    right.load(tensor(b, dextents<int, 2>(Right ? K : N, Right ? N : K)));
    op.run(left, right, sum);
    sum.store(tensor(c, dextents<int, 2>(N, M)));
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const int2 at[] = {int2(0, 0), int2(1, 2), int2(5, 9), int2(10, 13), int2(15, 15)};
    if (lane < 5)
        out[lane] = c[at[lane].x * N + at[lane].y];
    threadgroup_barrier(mem_flags::mem_threadgroup);
}

kernel void f(device float* out [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]])
{
    threadgroup float room[3 * 1024];
    product<16, 32, 16, false, false>(out, room, lane);
    product<16, 32, 16, false, true>(out + 5, room, lane);
    product<16, 32, 16, true, false>(out + 10, room, lane);
    product<16, 32, 16, true, true>(out + 15, room, lane);
    product<32, 16, 32, false, false>(out + 20, room, lane);
    product<32, 16, 32, true, true>(out + 25, room, lane);
}
