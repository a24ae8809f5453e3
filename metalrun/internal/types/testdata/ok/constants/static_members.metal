#include <metal_stdlib>
using namespace metal;

struct Shape {
    static constexpr constant int rows = 4;
    static constant constexpr int cols = rows * 2;
    static constexpr constant float scale[2] = {1, 0.5f};
    float data[rows * cols];
    static constexpr int at(int r, int c) { return r * cols + c; }
};
static_assert(Shape::at(1, 2) == 10, "at");
kernel void members(device Shape* s [[buffer(0)]], device float* out [[buffer(1)]])
{
    s->data[Shape::at(1, 1)] = Shape::scale[1];
    out[0] = s->rows + Shape::cols;
    float local[Shape::rows];
    local[0] = 2;
    out[1] = local[0] + sizeof(Shape);
}
