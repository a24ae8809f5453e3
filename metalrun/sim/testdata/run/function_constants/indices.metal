// What index an argument is bound at can be a function constant, a template's constant, or
// any constant of the program. Of two arguments with one index, constants choose one.
// constant 0 uint 3
// constant 1 bool true
// bind 1 int 5 6
// bind 2 int 40 50
// bind 3 int 700 800
// kernel chosen twice_1
// want 0 int 745 10
constant uint at [[function_constant(0)]];
constant bool first [[function_constant(1)]];
constant bool second = !first;
constant int base = 1;

kernel void chosen(device int *out [[buffer(0)]], device const int *x [[buffer(base + 1)]], device const int *y [[buffer(at)]],
                   device const int *a [[buffer(1), function_constant(first)]],
                   device const int *b [[buffer(1), function_constant(second)]])
{
    out[0] = x[0] + y[0] + (first ? a[0] : b[1]);
}

template <int I> kernel void twice(device int *out [[buffer(I - 1)]], device const int *x [[buffer(I)]])
{
    out[1] = 2 * x[0];
}
template [[host_name("twice_1")]] kernel void twice<1>(device int *, device const int *);
