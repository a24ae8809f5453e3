#include <metal_stdlib>
using namespace metal;

// Matrices carry sixteen dequantised values, as quantised products do.
void dequantize(device const uchar* q, short il, thread half4x4& reg)
{
    const float d = il > 1 ? 0.5f : 2.0f;
    for (int i = 0; i < 16; i++) {
        reg[i / 4][i % 4] = q[i] * d;
    }
}
template <typename type4x4>
void dequantize_any(device const uchar* q, short il, thread type4x4& reg)
{
    for (int i = 0; i < 16; i++) {
        reg[i / 4][i % 4] = q[i] + il;
    }
}
kernel void carrier(device const uchar* q [[buffer(0)]], device half4x4* out [[buffer(1)]], device float4x4* wide [[buffer(2)]])
{
    half4x4 temp;
    dequantize(q, 1, temp);
    out[0] = temp;
    float4x4 f;
    dequantize_any(q, 2, f);
    wide[0] = f;
    dequantize_any(q, 3, temp);
    out[1] = temp;
}
