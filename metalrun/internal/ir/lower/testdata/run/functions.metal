#include <metal_stdlib>
using namespace metal;

int twice(int x) { return 2 * x; }
int add(int x, int y = 10) { return x + y; }
float add(float x, float y) { return x + y + 0.5f; }

int mutated(int n) {
    int sum = 0;
    while (n > 0) sum += n--;
    return sum;
}

//= 12 12 4 15 3 6
kernel void calls(device int *out) {
    out[0] = twice(twice(3));
    out[1] = add(2);
    out[2] = add(1, 3);
    int n = 5;
    out[3] = mutated(n);
    out[4] = int(add(1.0f, 1.5f));
    out[5] = n + 1;
}

template <typename T, int N>
T sum(thread const T *values) {
    T s = 0;
    for (int i = 0; i < N; i++) s += values[i];
    return s;
}

template <typename T>
T clamped(T x, T lo, T hi) { return x < lo ? lo : (x > hi ? hi : x); }

//= 6 7.5 3 -1
kernel void templates(device float *out) {
    int a[3] = {1, 2, 3};
    float b[2] = {2.5f, 5.0f};
    out[0] = sum<int, 3>(a);
    out[1] = sum<float, 2>(b);
    out[2] = clamped(5, 0, 3);
    out[3] = clamped(-2.0f, -1.0f, 1.0f);
}

void accumulate(thread float4 &acc, float4 v, bool negative) {
    if (negative) {
        acc -= v;
        return;
    }
    acc += v;
}

//= 3 -1
kernel void by_reference(device float *out) {
    float4 acc = 0;
    accumulate(acc, float4(1, 2, 3, 4), false);
    accumulate(acc, float4(2, 3, 0, 4), true);
    out[0] = acc.z;
    out[1] = acc.x;
}

struct Counter {
    int n;
    int next() { return n++; }
    int peek() const { return n; }
};

//= 5 6 7
kernel void members(device int *out) {
    Counter c = {5};
    out[0] = c.next();
    out[1] = c.next();
    out[2] = c.peek();
}

namespace scale { constant float factor = 2.5f; float apply(float x) { return x * factor; } }

//= 5
kernel void namespaces(device float *out) { out[0] = scale::apply(2); }

int order(thread int &i) { return i++; }

//= 1 2 3
kernel void side_effects(device int *out) {
    int i = 1;
    int a = order(i);
    int b = i;
    out[0] = a;
    out[1] = b;
    int c = i + order(i) - 1;
    out[2] = c;
}
