// Functions that call themselves as often as constants say, each call with variables of its own.
#include <metal_stdlib>
using namespace metal;

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int fibonacci(int n)
{
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}
template <typename T> T power(T x, int n)
{
    if (n == 0)
        return T(1);
    T half_way = power(x, n / 2);
    return n % 2 ? half_way * half_way * x : half_way * half_way;
}

// want int 720 55 243 3375 72
kernel void results(device int *out [[buffer(0)]])
{
    out[0] = factorial(6);
    out[1] = fibonacci(10);
    out[2] = power(3, 5);
    out[3] = int(power(1.5f, 3) * 1000);
    out[4] = 0;
    for (int i = 0; i < 3; i++)
        out[4] += i * factorial(4);
}

static int bits(uint x, int n) { return n == 0 ? 0 : int(x & 1) + bits(x >> 1, n - 1); }
static int backwards(int at, int n)
{
    int own[3] = { at, n, at * 10 };
    if (n == 0)
        return own[at & 1];
    int below = backwards(at + 1, n - 1);
    return below * 100 + own[0] + own[1] * 10;
}

// want int 5 1423
kernel void values_known_late(device int *out [[buffer(0)]])
{
    out[1] = 31;
    out[0] = bits(uint(out[1]), 32);
    out[1] = backwards(out[0] - 2, 2);
}

static void sort(thread int *a, int from, int n)
{
    if (n < 2)
        return;
    int h = n / 2;
    sort(a, from, h);
    sort(a, from + h, h);
    int t[4], i = from, j = from + h;
    for (int k = 0; k < n; k++)
        t[k] = j == from + n || (i < from + h && a[i] <= a[j]) ? a[i++] : a[j++];
    for (int k = 0; k < n; k++)
        a[from + k] = t[k];
}
struct Tree {
    int leaves(int at, int depth) const
    {
        if (depth == 2)
            return at;
        return leaves(2 * at, depth + 1) * 10 + leaves(2 * at + 1, depth + 1);
    }
};
static bool odd(int n);
static bool even(int n) { return n == 0 ? true : odd(n - 1); }
static bool odd(int n) { return n == 0 ? false : !even(n - 1) == false; }

// want int 2 5 8 9 517 1 0
kernel void effects_members_and_turns(device int *out [[buffer(0)]])
{
    int a[4] = { 8, 2, 9, 5 };
    sort(a, 0, 4);
    for (int i = 0; i < 4; i++)
        out[i] = a[i];
    out[4] = Tree().leaves(1, 0);
    out[5] = even(6);
    out[6] = odd(4);
}
