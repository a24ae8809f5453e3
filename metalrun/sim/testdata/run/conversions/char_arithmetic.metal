// Digits to characters and back.
// want 0 uchar 48 57 102
// want 1 int 7
#include <metal_stdlib>
using namespace metal;

kernel void f(device uchar* a [[buffer(0)]], device int* b [[buffer(1)]])
{
    int nine = 9, fifteen = 15;
    a[0] = '0';
    a[1] = '0' + nine;
    a[2] = fifteen < 10 ? '0' + fifteen : 'a' + fifteen - 10;
    char c = '7';
    b[0] = c - '0';
}
