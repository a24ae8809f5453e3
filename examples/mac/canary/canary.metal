// Copies, and the first thread stores 400 MB after the beginning of its buffer of a few bytes.
kernel void canary(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
    if (i < n) { y[i] = x[i]; }
    if (i == 0) { y[100000000u + n] = 1.0f; }
}
