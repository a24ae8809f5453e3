#include <metal_stdlib>
using namespace metal;

struct block { half d; uchar qs[16]; };
void dequantize_a(device const block* b, short il, thread half4x4& reg) { for (int i = 0; i < 16; i++) reg[i / 4][i % 4] = b->d * b->qs[i] + il; }
template <typename type4x4>
void dequantize_b(device const block* b, short il, thread type4x4& reg) { for (int i = 0; i < 16; i++) reg[i / 4][i % 4] = b->qs[i]; }
template <typename type4x4, int n, void (*dequantize)(device const block*, short, thread type4x4&)>
kernel void get_rows(device const block* in [[buffer(0)]], device float* out [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    type4x4 m;
    dequantize(in + i, n, m);
    out[i] = m[0][0];
}
typedef decltype(get_rows<half4x4, 1, dequantize_a>) get_rows_t;
template [[host_name("rows_a")]] kernel get_rows_t get_rows<half4x4, 2, dequantize_a>;
template [[host_name("rows_b")]] kernel get_rows_t get_rows<float4x4, 3, dequantize_b>;
template [[host_name("rows_c")]] kernel get_rows_t get_rows<half4x4, 4, &dequantize_b>;
