#include <metal_stdlib>
using namespace metal;

//= 5 1 4 2 3 15
kernel void pointers(device int *out) {
    int a[5] = {5, 1, 4, 2, 3};
    thread int *p = a;
    for (int i = 0; i < 5; i++) out[i] = *p++;
    int sum = 0;
    for (thread int *q = a; q != a + 5; ++q) sum += *q;
    out[5] = sum;
}

//= 6 3 2 10 7
kernel void arithmetic(device int *out) {
    int a[10] = {};
    for (int i = 0; i < 10; i++) a[i] = i;
    thread int *p = a + 6;
    out[0] = *p;
    thread int *q = &a[3];
    out[1] = p - q;
    out[2] = p[-4];
    p -= 6;
    out[3] = p == a ? 10 : 0;
    out[4] = *(&p[8] - 1);
}

void swap(thread int &a, thread int &b) {
    int t = a;
    a = b;
    b = t;
}

void set(thread int *p, int v) { *p = v; }

void set_through(thread int *p, int v) { set(p, v); }

int first(thread const int *p) { return p[0] + p[1]; }

//= 2 1 7 8 3 20 10
kernel void references(device int *out) {
    int a = 1, b = 2;
    swap(a, b);
    out[0] = a;
    out[1] = b;
    set(&a, 7);
    out[2] = a;
    set_through(&b, 8);
    out[3] = b;
    int arr[2] = {1, 2};
    out[4] = first(arr);
    int x[2] = {10, 20};
    swap(x[0], x[1]);
    out[5] = x[0];
    thread int &r = x[1];
    out[6] = r;
}

struct Inner { float2 v; int n; };
struct Outer { char c; Inner in[2]; half h; };

Inner bump(Inner i) {
    i.n += 1;
    i.v *= 2.0f;
    return i;
}

//= 3 4 8 2 9 0.5 12
kernel void structs(device float *out) {
    Outer o = {1, {{float2(1, 2), 3}, {float2(4, 5), 6}}, 0.5h};
    out[0] = o.in[0].n;
    Inner b = bump(o.in[1]);
    out[1] = o.in[1].v.x;
    out[2] = b.v.x;
    Outer copy = o;
    copy.in[0].v.y = 9;
    out[3] = o.in[0].v.y;
    out[4] = copy.in[0].v.y;
    out[5] = float(copy.h);
    thread Inner *p = &o.in[0];
    p->n = 12;
    out[6] = o.in[0].n;
}

union Bits { float f; uint u; uchar b[4]; };

//= 1065353216 63 128 1073741824
kernel void unions(device uint *out) {
    Bits x;
    x.f = 1.0f;
    out[0] = x.u;
    out[1] = x.b[3];
    out[2] = x.b[2];
    Bits y = x;
    y.f += 1.0f;
    out[3] = y.u;
}

constant int table[5] = {3, 1, 4, 1, 5};
constant float2 pairs[2] = {float2(1, 2), float2(3, 4)};

//= 4 14 3 4
kernel void constants(device int *out) {
    out[0] = table[2];
    int sum = 0;
    for (int i = 0; i < 5; i++) sum += table[i];
    out[1] = sum;
    uint k = out[1] == 14;
    out[2] = int(pairs[k].x);
    constant float2 *p = pairs;
    out[3] = int((p + 1)->y);
}

//= 11 12 21 22 31 32 33
kernel void two_dimensions(device int *out) {
    int m[3][2] = {{11, 12}, {21, 22}, {31, 32}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) out[2 * i + j] = m[i][j];
    uint r = 1;
    m[r + 1][r] += 1;
    out[6] = m[2][1];
}

//= 258 1 2 3 4 5
kernel void casts(device int *out) {
    device uchar *b = (device uchar *)out;
    b[0] = 2;
    b[1] = 1;
    b[2] = 0;
    b[3] = 0;
    device int4 *v = (device int4 *)(out + 1);
    *(device packed_int4 *)v = packed_int4(1, 2, 3, 4);
    ulong address = (ulong)(out + 5);
    *(device int *)address = 5;
}

//= 100 0 0 200 5050
kernel void large(device int *out) {
    int a[100] = {100};
    int b[100];
    out[0] = a[0];
    out[1] = a[1];
    out[2] = a[99];
    for (int i = 0; i < 100; i++) b[i] = a[0] + i;
    struct Big { int x[100]; int y; };
    Big s;
    for (int i = 0; i < 100; i++) s.x[i] = i + 1;
    s.y = 200;
    Big t = s;
    out[3] = t.y;
    int sum = 0;
    for (int i = 0; i < 100; i++) sum += t.x[i];
    out[4] = sum;
}

//= 31 30 29 28
//threads 32
kernel void reversed(device int *out, uint i [[thread_index_in_threadgroup]]) {
    threadgroup int shared[32];
    shared[i] = int(i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i < 4) out[i] = shared[31 - i];
}

//= 32 32 31 7
//threads 32
kernel void atomics(device atomic_int *out, uint i [[thread_index_in_threadgroup]]) {
    threadgroup atomic_uint count;
    if (i == 0) atomic_store_explicit(&count, 0u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(&count, 1u, memory_order_relaxed);
    atomic_fetch_add_explicit(&out[0], 1, memory_order_relaxed);
    atomic_fetch_max_explicit(&out[2], int(i), memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i == 0) {
        atomic_store_explicit(&out[1], int(atomic_load_explicit(&count, memory_order_relaxed)), memory_order_relaxed);
        int expected = 1;
        bool done = atomic_compare_exchange_weak_explicit(&out[3], &expected, 5, memory_order_relaxed, memory_order_relaxed);
        if (!done && expected == 0) {
            atomic_compare_exchange_weak_explicit(&out[3], &expected, 7, memory_order_relaxed, memory_order_relaxed);
        }
    }
}
