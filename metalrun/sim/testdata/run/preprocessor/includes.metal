// Quoted includes are inserted where they stand; a guard keeps the second one out.
// want 0 int 30 3
#include <metal_stdlib>
using namespace metal;

#include "lib/shapes.h"
#include "lib/shapes.h"
kernel void f(device int* a [[buffer(0)]])
{
    Box b = {5, 6};
    a[0] = area(b);
    a[1] = SIDES;
}
// file lib/shapes.h
#ifndef SHAPES_H
#define SHAPES_H
#include "sides.h"
struct Box {
    int w, h;
};
static int area(Box b) { return b.w * b.h; }
#endif
// file lib/sides.h
#define SIDES 3
