// Copies by a simdgroup, as libraries declare them by the names that Apple's compiler has for
// them. The thread alone is a simdgroup of one.
#include <metal_stdlib>
using namespace metal;

struct _simdgroup_event_t;
thread _simdgroup_event_t* copy_row(ulong, ulong, threadgroup void*, const device void*, ulong)
    __asm("\01air.simdgroup_async_copy_1d.p3i8.p1i8");
thread _simdgroup_event_t* copy_row(ulong, ulong, device void*, const threadgroup void*, ulong)
    __asm("\01air.simdgroup_async_copy_1d.p1i8.p3i8");
thread _simdgroup_event_t* copy_tile(ulong, ulong, threadgroup void*, ulong, ulong, ulong2, const device void*, ulong, ulong, ulong2, long2, int)
    __asm("\01air.simdgroup_async_copy_2d.p3i8.p1i8");
thread _simdgroup_event_t* copy_tile(ulong, ulong, device void*, ulong, ulong, ulong2, const threadgroup void*, ulong, ulong, ulong2, long2, int)
    __asm("\01air.simdgroup_async_copy_2d.p1i8.p3i8");
void wait_for(int, thread _simdgroup_event_t**) __asm("\01air.wait_simdgroup_events");

struct Event
{
    thread _simdgroup_event_t* event;
    static void wait(int n, thread Event* events) { wait_for(n, reinterpret_cast<thread _simdgroup_event_t**>(events)); }
};

// want int 1 2 3 1 2 3
kernel void there_and_back(device int *out [[buffer(0)]])
{
    threadgroup int t[3];
    for (int i = 0; i < 3; i++)
        out[i] = i + 1;
    Event events[2];
    events[0].event = copy_row(4, 4, t, out, 3);
    Event::wait(1, events);
    events[1].event = copy_row(sizeof(int), alignof(int), out + 3, t, 3);
    Event::wait(2, events);
}

// want int 11 12 0 21 22 0 0 0 0
kernel void zero_outside(device int *out [[buffer(0)]])
{
    threadgroup int t[9];
    out[0] = 11; out[1] = 12; out[2] = 13;
    out[3] = 21; out[4] = 22; out[5] = 23;
    thread _simdgroup_event_t* e = copy_tile(4, 4, t, 3, 1, ulong2(3, 3), out, 3, 1, ulong2(2, 2), long2(0), 0);
    wait_for(1, &e);
    e = copy_tile(4, 4, out, 3, 1, ulong2(3, 3), t, 3, 1, ulong2(3, 3), long2(0), 0);
    wait_for(1, &e);
}

// want short 11 12 12 21 22 22 21 22 22
kernel void nearest_outside(device short *out [[buffer(0)]])
{
    threadgroup short t[9];
    out[0] = 11; out[1] = 12; out[2] = 13;
    out[3] = 21; out[4] = 22; out[5] = 23;
    thread _simdgroup_event_t* e = copy_tile(2, 2, t, 3, 1, ulong2(3, 3), out, 3, 1, ulong2(2, 2), long2(0), 1);
    wait_for(1, &e);
    e = copy_tile(2, 2, out, 3, 1, ulong2(3, 3), t, 3, 1, ulong2(3, 3), long2(0), 0);
    wait_for(1, &e);
}

// want uchar 5 0 1 6 2 3
kernel void every_other_from_an_offset(device uchar *out [[buffer(0)]])
{
    threadgroup uchar t[6];
    for (int i = 0; i < 6; i++) {
        out[i] = uchar(i);
        t[i] = 9;
    }
    t[0] = 5;
    t[3] = 6;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    thread _simdgroup_event_t* e = copy_tile(1, 1, t + 1, 3, 1, ulong2(2, 2), out, 2, 1, ulong2(2, 2), long2(0, 0), 0);
    wait_for(1, &e);
    e = copy_row(3, 1, out, t, 2);
    wait_for(1, &e);
}

// want int 0 10 11
kernel void left_of_the_source(device int *out [[buffer(0)]])
{
    threadgroup int t[3];
    out[0] = 10; out[1] = 11; out[2] = 12;
    thread _simdgroup_event_t* e = copy_tile(4, 4, t, 3, 1, ulong2(3, 1), out, 3, 1, ulong2(3, 1), long2(-1, 0), 0);
    wait_for(1, &e);
    e = copy_row(4, 4, out, t, 3);
    wait_for(1, &e);
}
