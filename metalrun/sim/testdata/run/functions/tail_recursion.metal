// A function that ends in a call of itself is a loop: gcd(48, 18) = 6; digits of 4095 in base 16; 5 + 4 + 3 + 2 + 1.
// want 0 int 6 3 15
#include <metal_stdlib>
using namespace metal;

int gcd(int a, int b)
{
    if (b == 0) return a;
    return gcd(b, a % b);
}
void digits(uint x, thread int& n)
{
    if (x == 0) return;
    n++;
    digits(x / 16, n);
}
struct Sum {
    int total = 0;
    void add(int n)
    {
        if (n > 0) {
            total += n;
            add(n - 1);
        }
    }
};
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = gcd(48, 18);
    int n = 0;
    digits(4095, n);
    a[1] = n;
    Sum s;
    s.add(5);
    a[2] = s.total;
}
