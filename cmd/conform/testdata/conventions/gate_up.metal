#include <metal_stdlib>
using namespace metal;

// Two halves of a row in one buffer, elements by their number, in steps of the grid.
kernel void gate_up(device const half *gate_up_rows [[buffer(0)]], device half *y [[buffer(1)]], constant uint &intermediate [[buffer(2)]], constant uint &rows [[buffer(3)]],
                    uint i [[thread_position_in_grid]], uint all [[threads_per_grid]]) {
    for (uint j = i; j < rows * intermediate; j += all) {
        const uint row = j / intermediate, col = j % intermediate;
        const float g = gate_up_rows[row * 2 * intermediate + col], u = gate_up_rows[row * 2 * intermediate + intermediate + col];
        y[FAULT == 2 ? row * (intermediate / 2) + col : j] = half(g / (1 + exp(-g)) * u);
    }
}
