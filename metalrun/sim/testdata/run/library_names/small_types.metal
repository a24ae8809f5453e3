// vec_elements, uniform, the traits of any number of types, move and swap, and messages that are dropped.
// version 320
// want 0 int 4 1 6 1 0 2 1 9
#include <metal_stdlib>
#include <metal_logging>
using namespace metal;

constant os_log logger("example", "loop");
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = int(vec_elements<float4>::value);
    a[1] = int(vec_elements<half>::value);
    const uniform<int> n = make_uniform(5);
    a[2] = n + 1;
    a[3] = _disjunction<is_same<int, float>, is_same<int, int>>::value;
    a[4] = conjunction<is_same<int, float>, is_same<int, int>>::value;
    int x = 1, y = 2;
    swap(x, y);
    a[5] = x;
    a[6] = y;
    logger.log_error("n is %d", a[2]);
    a[7] = 9;
}
