#include <metal_stdlib>
using namespace metal;

enum Color { Red, Green = 5, Blue };
enum class Op : uchar { None, Add = 3 };
enum { Width = 16, Height = Width / 2 };
enum Big : ulong { Huge = 0x1ffffffffUL };
enum Signed { Minus = -1, Plus = 1 };
typedef enum { One = 1, Two } Numbers;
struct Item { Color color; Op op; };
kernel void enums(device int* out [[buffer(0)]], device Item* items [[buffer(1)]], constant Color& which [[buffer(2)]])
{
    Color c = Blue;
    out[0] = c + Green;
    out[1] = int(Op::Add);
    Op op = (Op)3;
    out[2] = op == Op::Add;
    float a[Width][Height];
    a[0][1] = Color::Red;
    out[3] = a[0][1];
    c = static_cast<Color>(out[4]);
    items[0].color = which;
    items[0].op = Op::None;
    out[5] = items[0].color == Red ? Minus : Plus;
    Numbers n = Two;
    out[6] = n << 2;
    out[7] = Huge > 5 && sizeof(Op) == 1 && sizeof(Big) == 8;
    out[8] = Minus < 0;
    out[9] = -Green;
}
