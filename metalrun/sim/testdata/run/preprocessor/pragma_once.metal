// A file with #pragma once is inserted once, one without each time.
// want 0 int 5 111
#include <metal_stdlib>
using namespace metal;

#include "once.h"
#include "once.h"
kernel void f(device int* a [[buffer(0)]])
{
    a[0] = five();
    a[1] = 0;
#define STEP 1
#include "step.h"
#define STEP 10
#include "step.h"
#define STEP 100
#include "step.h"
}
// file once.h
#pragma once
static int five() { return 5; }
// file step.h
a[1] += STEP;
#undef STEP
