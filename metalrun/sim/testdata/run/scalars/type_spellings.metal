// The spellings of C and of stdint.h name the same types.
// want 0 uint 1 1 2 2 4 4 8 8 1 1 2 2 4 4 8 8
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]])
{
    const size_t sizes[] = {
        sizeof(signed char), sizeof(unsigned char), sizeof(short int), sizeof(unsigned short), sizeof(unsigned), sizeof(signed int),
        sizeof(long int), sizeof(unsigned long), sizeof(int8_t), sizeof(uint8_t), sizeof(int16_t), sizeof(uint16_t),
        sizeof(int32_t), sizeof(uint32_t), sizeof(int64_t), sizeof(uint64_t),
    };
    for (int i = 0; i < 16; i++) {
        a[i] = sizes[i];
    }
}
