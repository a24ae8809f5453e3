// Functions that call themselves as often as data say.
#include <metal_stdlib>
using namespace metal;

static int given(device int *out, int x) { int kept = out[0]; out[0] = x; x = out[0]; out[0] = kept; return x; } // what no compiler knows

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
// want int 144 9 61 0
kernel void two_calls_in_an_expression(device int *out [[buffer(0)]])
{
    out[0] = fib(given(out, 12));
    out[1] = ackermann(given(out, 2), 3);
    out[2] = ackermann(given(out, 3), given(out, 3));
    out[3] = fib(given(out, 0));
}

static void hanoi(int n, int from, int to, int over, thread int &moves, thread int &trace)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, over, to, moves, trace);
    moves++;
    if (moves <= 4)
        trace = trace * 100 + from * 10 + to;
    hanoi(n - 1, over, to, from, moves, trace);
}
// want int 31 13123213
kernel void references_to_locals_of_the_caller(device int *out [[buffer(0)]])
{
    int moves = 0, trace = 0;
    hanoi(given(out, 5), 1, 3, 2, moves, trace);
    out[0] = moves;
    out[1] = trace;
}

static void quicksort(thread int *a, int low, int high)
{
    if (low >= high)
        return;
    int pivot = a[high], at = low;
    for (int i = low; i < high; i++) {
        if (a[i] < pivot) {
            int t = a[i];
            a[i] = a[at];
            a[at++] = t;
        }
    }
    int t = a[at];
    a[at] = a[high];
    a[high] = t;
    quicksort(a, low, at - 1);
    quicksort(a, at + 1, high);
}
// want int -4 0 1 2 3 5 7 8
kernel void quicksort_of_a_local_array(device int *out [[buffer(0)]])
{
    int a[8] = { 5, 3, 8, 1, 7, 2, -4, 0 };
    quicksort(a, given(out, 0), given(out, 7));
    for (int i = 0; i < 8; i++)
        out[i] = a[i];
}

static bool is_odd(uint n);
static bool is_even(uint n) { if (n == 0) return true; bool r = is_odd(n - 1); return r; }
static bool is_odd(uint n) { if (n == 0) return false; bool r = is_even(n - 1); return r; }
static int sum_b(int n);
static int sum_a(int n) { return n <= 0 ? 0 : n + 2 * sum_b(n - 1); }
static int sum_c(int n) { return n <= 0 ? 5 : n * sum_a(n - 2) + 1; }
static int sum_b(int n) { return n <= 0 ? 1 : n - sum_c(n - 1); }
// sum_a(5): sum_a(2) = 2 + 2 sum_b(1) = 2 + 2 (1 - 5) = -6; hence sum_c(3) = 3 sum_a(1) + 1 = 3 (1 + 2) + 1 = 10, sum_b(4) = -6, sum_a(5) = -7
// want int 1 0 -7 -6
kernel void mutual(device int *out [[buffer(0)]])
{
    out[0] = is_even(given(out, 40));
    out[1] = is_odd(given(out, 40));
    out[2] = sum_a(given(out, 5));
    out[3] = sum_a(given(out, 2));
}

// Permutations of three, found in a loop around the call, in the order of the digits.
static int permute(int used, int depth, int number, device int *out, int at)
{
    if (depth == 3) {
        out[at] = number;
        return at + 1;
    }
    for (int d = 1; d <= 3; d++) {
        if (used & 1 << d)
            continue;
        at = permute(used | 1 << d, depth + 1, number * 10 + d, out, at);
        if (at == 5)
            break;
    }
    return at;
}
// want int 123 132 213 231 312 0 0 0 0 0 5
kernel void loops_around_the_call(device int *out [[buffer(0)]])
{
    for (int i = 0; i < 10; i++)
        out[i] = 0;
    out[10] = permute(0, out[9], 0, out, 0);
}

struct Box { int low, high; int part[3]; };
static Box hull(Box a, int n)
{
    if (n == 0)
        return a;
    Box half_of = a;
    half_of.part[n % 3] = a.low + n;
    half_of.high = a.high - n;
    Box b = hull(half_of, n - 1);
    b.low += a.part[n % 3];
    return b;
}
// n = 3: part[0] = 4, high = 97; n = 2: part[2] = 3, high = 95; n = 1: part[1] = 2, high = 94; low = 1, then + 8 + 9 + 7
// want int 25 94 4 2 3
kernel void structs_and_arrays_by_value(device int *out [[buffer(0)]])
{
    Box a = { 1, 100, { 7, 8, 9 } };
    Box b = hull(a, given(out, 3));
    out[0] = b.low;
    out[1] = b.high;
    for (int i = 0; i < 3; i++)
        out[2 + i] = b.part[i];
}

// A tree in arrays: left and right child, -1 for none.
static int depth_of(device const int *left, device const int *right, int node)
{
    if (node < 0)
        return 0;
    return 1 + max(depth_of(left, right, left[node]), depth_of(left, right, right[node]));
}
static void in_order(device int *out, int node, thread int &at, int key)
{
    if (node < 0)
        return;
    in_order(out, out[node], at, key + 1);
    out[20 + at++] = node * 10 + key;
    in_order(out, out[10 + node], at, key + 1);
}
// 0: 1 2; 1: 3 -; 2: - 4; 4: 5 -
// want int 1 3 -1 -1 5 -1 0 0 0 0 2 -1 4 -1 -1 -1 0 0 0 4 32 11 0 21 53 42
kernel void trees(device int *out [[buffer(0)]])
{
    const int left[10] = { 1, 3, -1, -1, 5, -1, 0, 0, 0, 0 };
    const int right[10] = { 2, -1, 4, -1, -1, -1, 0, 0, 0, 0 };
    for (int i = 0; i < 10; i++) {
        out[i] = left[i];
        out[10 + i] = right[i];
    }
    int at = 0;
    in_order(out, 0, at, 0);
    out[19] = depth_of(out, out + 10, 0);
}

template <typename T> T power(T x, int n) { return n == 0 ? T(1) : n % 2 ? x * power(x, n - 1) : power(x * x, n / 2); }
template <int Base> int digits(uint x, thread int *list, int at)
{
    if (x == 0)
        return at;
    at = digits<Base>(x / Base, list, at);
    list[at] = int(x % Base);
    return at + 1;
}
// want int 1024 390625 4 2 0 3 1
kernel void templates(device int *out [[buffer(0)]])
{
    out[0] = power(2, given(out, 10));
    out[1] = int(power(float2(5, 1), given(out, 8)).x);
    int list[8];
    out[2] = digits<5>(uint(given(out, 266)), list, 0);
    for (int i = 0; i < 4; i++)
        out[3 + i] = list[i];
}

struct Counter {
    int calls = 0;
    int run(int n, int m)
    {
        calls++;
        while (m > 0) {
            if (n <= 0)
                return m;
            m -= run(n - 1, m - 1) > 2 ? 2 : 1;
        }
        do {
            if (n > 2)
                n -= 2;
            else
                break;
        } while (run(n, 0) == 0);
        return -n;
    }
};
// want int -2 7 -2 11
kernel void members_with_loops_and_early_returns(device int *out [[buffer(0)]])
{
    Counter c;
    out[0] = c.run(given(out, 2), 3);
    out[1] = c.calls;
    out[2] = c.run(4, 1);
    out[3] = c.calls;
}

static int gcd(int a, int b) { if (b == 0) { return a; } return gcd(b, a % b); }
static int collatz(uint n, thread int &most)
{
    most = max(most, int(n));
    if (n == 1)
        return 0;
    switch (n % 2) {
    case 0: return 1 + collatz(n / 2, most);
    default: break;
    }
    int rest = collatz(3 * n + 1, most);
    return rest + 1;
}
// want int 21 111 9232
kernel void chains(device int *out [[buffer(0)]])
{
    int most = 0;
    out[0] = gcd(given(out, 1071), given(out, 462));
    out[1] = collatz(uint(given(out, 27)), most);
    out[2] = most;
}

static int eval(device const int *code, thread int &at);
static int operand(device const int *code, thread int &at) { int k = code[at]; if (k < 0) return eval(code, at); at++; return k; }
static int eval(device const int *code, thread int &at)
{
    int op = code[at++];
    int a = operand(code, at);
    int b = operand(code, at);
    return op == -1 ? a + b : op == -2 ? a * b : a - b;
}
// (2 + 3) * (10 - (1 + 4))
// want int -2 -1 2 3 -3 10 -1 1 4 25 9
kernel void an_interpreter(device int *out [[buffer(0)]])
{
    const int code[9] = { -2, -1, 2, 3, -3, 10, -1, 1, 4 };
    for (int i = 0; i < 9; i++)
        out[i] = code[i];
    int at = 0;
    out[9] = eval(out, at);
    out[10] = at;
}

using Step = int (*)(int, int);
static int down(int n, int k);
static int twice(int n, int k) { return n <= 0 ? k : down(n - 1, k) * 2; }
static int apply(Step f, int n, int k) { return f(n, k); }
static int down(int n, int k) { return n <= 0 ? k + 1 : apply(n % 2 ? twice : down, n - 1, k + n); }
static int outer(int n, thread int &sum) { for (int i = 0; i < n; i++) sum += outer(i, sum) + fib(i); return n; }
// down(5, 1) = twice(4, 6) = 2 down(3, 6) = 2 twice(2, 9) = 4 down(1, 9) = 4 twice(0, 10) = 40
// outer(i) gives i and adds j + fib(j) for each j below, with what outer(j) adds: 0; 0; 0 + 2; 0 + 2 + (2 + 3)
// want int 40 3 7
kernel void pointers_and_cycles_in_cycles(device int *out [[buffer(0)]])
{
    int sum = 0;
    out[0] = down(given(out, 5), 1);
    out[1] = outer(given(out, 3), sum);
    out[2] = sum;
}
