// Threads go as deep as their numbers say, and each finds its own variables again. Thread t gets the sum of t, t - 1, … 1, of
// the squares on the way back up, and the digits of t from the least significant one.
// dispatch threads=40 per=40
// bind 0 int 0 x120
// want 0 int 0 0 0 1 1 1 3 5 2 6 14 3 10 30 4 15 55 5 21 91 6 28 140 7 36 204 8 45 285 9 55 385 1 66 506 11 78 650 21 91 819 31 105 1015 41 120 1240 51 136 1496 61 153 1785 71 171 2109 81 190 2470 91 210 2870 2 231 3311 12 253 3795 22 276 4324 32 300 4900 42 325 5525 52 351 6201 62 378 6930 72 406 7714 82 435 8555 92 465 9455 3 496 10416 13 528 11440 23 561 12529 33 595 13685 43 630 14910 53 666 16206 63 703 17575 73 741 19019 83 780 20540 93
#include <metal_stdlib>
using namespace metal;
static int sum(int n, thread int &squares)
{
    if (n == 0)
        return 0;
    int below = sum(n - 1, squares);
    squares += n * n;
    return below + n;
}
static int reversed(int n, int so_far)
{
    int digit = n % 10, rest = n / 10;
    int all = so_far * 10 + digit;
    if (rest > 0)
        all = reversed(rest, all);
    return all;
}
kernel void depths(device int *out [[buffer(0)]], uint t [[thread_position_in_grid]])
{
    int squares = 0;
    out[3 * t] = sum(int(t), squares);
    out[3 * t + 1] = squares;
    out[3 * t + 2] = reversed(int(t), 0);
}
