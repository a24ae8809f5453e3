// Statements: loops, switches, jumps, scopes and the order of evaluation.
#include <metal_stdlib>
using namespace metal;

// want int 45 24
kernel void for_loops(device int *out [[buffer(0)]])
{
    int s = 0, t = 0;
    for (int i = 0; i < 10; ++i)
        s += i;
    for (int i = 0, j = 10; i < j; i += 2, j -= 2)
        t += j;
    out[0] = s;
    out[1] = t;
}

// want int 8 3
kernel void while_loops(device int *out [[buffer(0)]])
{
    int n = 1, k = 0;
    while (n < 8) {
        n *= 2;
        ++k;
    }
    out[0] = n;
    do
        --k;
    while (false);
    out[1] = k + 1;
}

// want int 6 12
kernel void jumps(device int *out [[buffer(0)]])
{
    int s = 0, t = 0;
    for (int i = 0;; ++i) {
        if (i == 7)
            break;
        if (i % 2)
            continue;
        s += i / 2;
    }
    out[0] = s;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 9; ++j) {
            if (j == 4)
                break;
            ++t;
        }
    out[1] = t;
}

// want int 11 30 2 99
kernel void switches(device int *out [[buffer(0)]])
{
    for (int i = 0; i < 4; ++i) {
        int r = 0;
        switch (i) {
        case 0:
            r += 1;
        case 2 - 1 + 4:
            r += 10;
            break;
        case 1: {
            int x = 30;
            r = x;
            break;
        }
        case 2:
            r = 2;
            break;
        default:
            r = 99;
        }
        out[i] = r;
    }
}

// want int 1 2 1
kernel void scopes(device int *out [[buffer(0)]])
{
    int x = 1;
    out[0] = x;
    {
        int x = 2;
        out[1] = x;
    }
    out[2] = x;
}

// want int 3 5
kernel void conditions_with_declarations(device int *out [[buffer(0)]])
{
    if (int n = 3)
        out[0] = n;
    if (int m = 4; m > 3)
        out[1] = m + 1;
}

// want int 0 1 1
kernel void short_circuit(device int *out [[buffer(0)]])
{
    int calls = 0;
    bool a = false && ++calls;
    out[0] = calls;
    bool b = true || ++calls;
    out[1] = !a && b;
    bool c = true && ++calls;
    out[2] = calls * c;
}

// want int 7 4
kernel void commas(device int *out [[buffer(0)]])
{
    int a = 1, b = (a += 2, a + 4);
    out[0] = b;
    out[1] = (a, b, 4);
}

// want int 2 3 10
kernel void conditional_operator(device int *out [[buffer(0)]])
{
    int a = 2, b = 3;
    out[0] = a < b ? a : b;
    out[1] = a > b ? a : a == b ? 0 : b;
    (a < b ? a : b) = 10;
    out[2] = a;
}

// want int 5 6 6 7
kernel void increments(device int *out [[buffer(0)]])
{
    int i = 5;
    out[0] = i++;
    out[1] = i;
    out[2] = i++;
    out[3] = i;
}

// want int 14
kernel void unrolled(device int *out [[buffer(0)]])
{
    int s = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        s += i * i;
    out[0] = s;
}

// want int 1 3 6 10
kernel void early_return(device int *out [[buffer(0)]])
{
    int s = 0;
    for (int i = 0;; ++i) {
        s += i + 1;
        out[i] = s;
        if (i == 3)
            return;
    }
}

namespace a { constant int v = 1; int f() { return 10; } namespace b { int f() { return 20 + v; } } inline namespace c { int g() { return 30; } } }
namespace a { int h() { return f() + g(); } }
namespace ab = a::b;
using a::b::f;

// want int 21 40 21 30 1
kernel void namespaces(device int *out [[buffer(0)]])
{
    out[0] = ab::f();
    out[1] = a::h();
    out[2] = f();
    out[3] = a::c::g();
    {
        using namespace a;
        out[4] = v;
    }
}

namespace { int hidden() { return 9; } }
static int internal() { return 8; }

// want int 9 8 3
kernel void linkage(device int *out [[buffer(0)]])
{
    out[0] = hidden();
    out[1] = ::internal();
    using metal::max;
    out[2] = max(1, 3);
}

// want int 5 7 12 4 3
kernel void atomics(device int *out [[buffer(0)]])
{
    device atomic_int *a = (device atomic_int *)out;
    atomic_store_explicit(a, 5, memory_order_relaxed);
    atomic_store_explicit(a + 1, 3, memory_order_relaxed);
    atomic_store_explicit(a + 2, 8, memory_order_relaxed);
    out[3] = 0;
    out[4] = atomic_fetch_add_explicit(a + 1, 4, memory_order_relaxed);
    atomic_fetch_or_explicit(a + 2, 4, memory_order_relaxed);
    int expected = 0;
    while (!atomic_compare_exchange_weak_explicit(a + 3, &expected, 4, memory_order_relaxed, memory_order_relaxed))
        ;
}

// want uint 6 9 2 1
kernel void atomic_extremes(device uint *out [[buffer(0)]])
{
    device atomic_uint *a = (device atomic_uint *)out;
    for (int i = 0; i < 4; ++i)
        atomic_store_explicit(&a[i], 6u, memory_order_relaxed);
    atomic_fetch_min_explicit(&a[0], 9u, memory_order_relaxed);
    atomic_fetch_max_explicit(&a[1], 9u, memory_order_relaxed);
    atomic_fetch_and_explicit(&a[2], 3u, memory_order_relaxed);
    atomic_fetch_sub_explicit(&a[3], 5u, memory_order_relaxed);
}

// want int 5 4 2 3 1
kernel void declared_conditions(device int *out [[buffer(0)]])
{
    int n = 5, filled = 0;
    while (int x = n) {
        --n;
        if (x == 3)
            continue;
        if (x == 1)
            break;
        out[filled++] = x;
    }
    for (int i = 0; int left = 3 - i; ++i) {
        if (left == 2)
            continue;
        out[filled++] = left;
    }
}

// want int 3 -1 12
kernel void switches_declare(device int *out [[buffer(0)]])
{
    switch (int x = 3) {
    case 3: out[0] = x; break;
    default: out[0] = 0;
    }
    switch (int y = -1; y + 1) {
    case 0: out[1] = y; break;
    default: out[1] = 0;
    }
    int x = 7;
    switch (int x = 2; int y = x + 10) {
    default: out[2] = y;
    }
    if (x != 7)
        out[2] = x;
}

// want int 1 2 4
kernel void hints(device int *out [[buffer(0)]])
{
    int n = 0;
    if (n == 0) [[likely]] {
        n = 1;
    } else [[unlikely]] {
        n = 9;
    }
    out[0] = n;
    [[likely]] out[1] = 2;
    [[clang::nomerge]] while (n < 4)
        n++;
    out[2] = n;
}
