// A default argument may ask for the type of a parameter ahead of it, name what comes later in its class, and be given by a
// later declaration.
// want 0 int 16 6 3 11
#include <metal_stdlib>
using namespace metal;

constant int a = 5;
int sized(float4 a, int bytes = sizeof(a)) { return bytes; }
template <typename T> int sized(T a, short b, int bytes = sizeof(a) + sizeof(decltype(b)) + 2) { return bytes; }
struct Later {
    int value(int x = later()) const { return x; }
    static int later() { return 3; }
};
int sum(int x, int y);
int sum(int x, int y = a * 2);
int sum(int x, int y) { return x + y; }
kernel void f(device int* out [[buffer(0)]])
{
    out[0] = sized(float4(1));
    out[1] = sized(half(1), short(1));
    out[2] = Later().value();
    out[3] = sum(1);
}
