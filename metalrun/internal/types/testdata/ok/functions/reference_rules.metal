#include <metal_stdlib>
using namespace metal;

float sum3(const thread float3& v) { return v.x + v.y + v.z; }
void set(thread float& x, float v) { x = v; }
void sincos_pair(float x, thread float& s, thread float& c) { s = sincos(x, c); }
kernel void reference_rules(device float* out [[buffer(0)]], device const float3* v [[buffer(1)]])
{
    out[0] = sum3(v[0]);
    float3 l = v[1];
    out[1] = sum3(l) + sum3(float3(1)) + sum3(l * 2);
    float x;
    set(x, 3);
    float a[2];
    set(a[1], x);
    float s, c;
    sincos_pair(1, s, c);
    out[2] = s + c + a[1];
    int e;
    out[3] = frexp(x, e) + e;
    float whole;
    out[4] = modf(2.5f, whole) + whole;
}
