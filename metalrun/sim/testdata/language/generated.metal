// What code generators write: wrappers of arrays, packed members, bit casts and helpers of their own.
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wmissing-braces"
#include <metal_stdlib>
#include <simd/simd.h>
using namespace metal;

template <typename T, size_t Num>
struct safe_array
{
    T elements[Num ? Num : 1];

    thread T& operator [] (size_t pos) thread { return elements[pos]; }
    constexpr const thread T& operator [] (size_t pos) const thread { return elements[pos]; }
    device T& operator [] (size_t pos) device { return elements[pos]; }
    constexpr const device T& operator [] (size_t pos) const device { return elements[pos]; }
    constexpr const constant T& operator [] (size_t pos) const constant { return elements[pos]; }
    threadgroup T& operator [] (size_t pos) threadgroup { return elements[pos]; }
    constexpr const threadgroup T& operator [] (size_t pos) const threadgroup { return elements[pos]; }
};

constant safe_array<int, 3> table = safe_array<int, 3>({ 4, 5, 6 });
constant float _12[2] = { 1.5f, 2.5f };

// want int 5 6 9
kernel void wrapped_array(device int *out [[buffer(0)]])
{
    safe_array<int, 2> a = safe_array<int, 2>({ 9, 8 });
    out[0] = table[1];
    out[1] = table[2];
    out[2] = a[0];
}

struct Params
{
    uint n;
    packed_float3 scale;
    char _pad[16];
    float4 offset;
};

// want int 48 4 32
kernel void explicit_layout(device int *out [[buffer(0)]])
{
    out[0] = sizeof(Params);
    out[1] = alignof(packed_float3);
    Params p = {};
    out[2] = int((thread char *)&p.offset - (thread char *)&p);
}

static inline __attribute__((always_inline))
int helper(thread const int& a, thread int& b)
{
    b = a + 1;
    return b * 2;
}

// want int 4 8
kernel void references(device int *out [[buffer(0)]])
{
    int param = 3;
    int param_1;
    int _30 = helper(param, param_1);
    out[0] = param_1;
    out[1] = _30;
}

template<typename Tx, typename Ty>
inline Tx mod(Tx x, Ty y)
{
    return x - y * floor(x / y);
}

// want float 1 1.5
kernel void modulo(device float *out [[buffer(0)]])
{
    out[0] = mod(7.0f, 3.0f);
    out[1] = mod(float2(-0.5f, 3.5f), float2(2.0f)).x;
}

template<typename T>
[[clang::optnone]] T fmul(T l, T r) { return fma(l, r, T(0)); }

template<typename T>
[[clang::optnone]] T fadd(T l, T r) { return fma(T(1), l, r); }

// want float 6 5
kernel void exact_arithmetic(device float *out [[buffer(0)]])
{
    out[0] = fmul(2.0f, 3.0f);
    out[1] = fadd(2.0f, 3.0f);
}

template<typename T, typename U>
inline T bits_of(U x) { return as_type<T>(x); }

// want uint 0x3f800000 0x3c00 0x40004000
kernel void bit_casts(device uint *out [[buffer(0)]])
{
    out[0] = bits_of<uint>(1.0f);
    out[1] = bits_of<ushort>(half(1.0h));
    out[2] = as_type<uint>(half2(2.0h, 2.0h));
}

inline uint2 umul_extended(uint l, uint r) { return uint2(mulhi(l, r), l * r); }

struct res { uint m0; uint m1; };

// want uint 1 0 2 1
kernel void extended(device uint *out [[buffer(0)]])
{
    uint2 m = umul_extended(0x80000000u, 2u);
    out[0] = m.x;
    out[1] = m.y;
    res r;
    r.m0 = 0xffffffffu + 3u;
    r.m1 = select(uint(1), uint(0), r.m0 >= max(0xffffffffu, 3u));
    out[2] = r.m0;
    out[3] = r.m1;
}

// want int 3
kernel void flat_control(device int *out [[buffer(0)]])
{
    int _20 = 0;
    do
    {
        if (out == nullptr)
        {
            break;
        }
        for (;;)
        {
            if (_20 < 3)
            {
                _20++;
                continue;
            }
            else
            {
                break;
            }
        }
        break;
    } while (false);
    out[0] = _20;
}

// want int 10
kernel void ladder(device int *out [[buffer(0)]])
{
    int state = 0, sum = 0;
    for (;;) {
        switch (state) {
        case 0: { sum += 1; state = 2; break; }
        case 1: { sum += 4; state = 3; break; }
        case 2: { sum += 5; state = 1; continue; }
        default: break;
        }
        if (state == 3) break;
    }
    out[0] = sum;
}

// want float 3 4 5
kernel void pasted_types(device float *out [[buffer(0)]])
{
    auto alu0 = (out+0);
    float val0 = 3.0f;
    float2 val1 = float2(4.0f,5.0f);
    *alu0 = val0;
    *(out+1) = val1.x;
    *((device float*)(out+2)) = val1.y;
}

// want float 1 2 3 4
kernel void vector_store(device float *data0_4 [[buffer(0)]])
{
    *((device float4*)((data0_4+0))) = float4(1.0f,2.0f,3.0f,4.0f);
}

// want float inf -inf nan 0.5
kernel void special_values(device float *out [[buffer(0)]])
{
    out[0] = INFINITY;
    out[1] = -INFINITY;
    out[2] = NAN;
    out[3] = (bool)(1)?0.5f:NAN;
}


// want int 1 3 6
kernel void members_of_library_templates(device int *out [[buffer(0)]])
{
    make_signed<uint>::type below = -1;
    out[0] = below < 0;
    integral_constant<short, 3>::value_type three = integral_constant<short, 3>::value;
    out[1] = three;
    out[2] = sizeof(conditional<true, uint, char>::type) + sizeof(metal::make_unsigned<short>::type);
}
