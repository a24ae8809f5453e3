// Fields are taken out (with sign for signed types) and put in.
// want 0 int 0xbc -1 7 0
// want 1 uint 0xffff00ff 0xab0 0x12345678
#include <metal_stdlib>
using namespace metal;

kernel void f(device int* a [[buffer(0)]], device uint* b [[buffer(1)]])
{
    a[0] = extract_bits(0xabcdu, 4, 8);
    a[1] = extract_bits(0xf0, 4, 4);
    a[2] = extract_bits(0x70, 4, 4);
    a[3] = extract_bits(0xffu, 4, 0);
    b[0] = insert_bits(0xffffffffu, 0u, 8, 8);
    b[1] = insert_bits(0u, 0xffabu, 4, 8);
    b[2] = insert_bits(0x12345678u, 0u, 4, 0);
}
