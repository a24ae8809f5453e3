#include <metal_stdlib>
using namespace metal;

struct Rows {
    const int rows;
    const int cols;
};

// y[r, c] = x[r, c] ** 2, by parameters that a pointer leads to: no line of the kernel's own names a member.
template <typename T>
kernel void squared(device const T *x [[buffer(0)]], device T *y [[buffer(1)]], const constant Rows *p [[buffer(2)]], uint2 at [[thread_position_in_grid]]) {
    if (int(at.x) >= p->cols || int(at.y) >= p->rows) {
        return;
    }
    y[at.y * p->cols + at.x] = x[at.y * p->cols + at.x] * x[at.y * p->cols + at.x];
}

template [[host_name("squared_f32")]] kernel void squared<float>(device const float *, device float *, const constant Rows *, uint2);

struct Norm {
    long n;
    ulong bytes;
    int has_weight;
};

// y[r] = x[r] * w, in rows that lie as many bytes apart as the host says, by kernels for elements of a type: no length is a
// product of lengths.
template <typename T>
kernel void weighted(constant Norm &a, device const char *x, device const char *w, device char *y, uint row [[threadgroup_position_in_grid]], uint i [[thread_position_in_threadgroup]],
                     uint threads [[threads_per_threadgroup]]) {
    device const T *from = (device const T *)(x + row * a.bytes);
    device T *to = (device T *)(y + row * a.bytes);
    for (int c = i; c < a.n / 4; c += threads) {
        to[c] = a.has_weight ? from[c] * ((device const T *)w)[c] : from[c];
    }
}

template [[host_name("weighted_f32")]] kernel void weighted<float4>(constant Norm &, device const char *, device const char *, device char *, uint, uint, uint);

struct Step {
    float lambda;
    uint n;
};

// out[i] = in[i] - lambda * from[i], with names that are no names of parameters in a definition.
kernel void shrunk(device const float *in [[buffer(0)]], device const float *from [[buffer(1)]], device float *out [[buffer(2)]], constant Step &step [[buffer(3)]],
                   uint i [[thread_position_in_grid]]) {
    if (i < step.n) {
        out[i] = in[i] - step.lambda * from[i];
    }
}

constant bool has_bias [[function_constant(0)]];

// y[r, c] = x[r, c] + bias[c], if there is one.
kernel void biased(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &cols [[buffer(2)]], constant uint &rows [[buffer(3)]],
                   device const float *bias [[buffer(4), function_constant(has_bias)]], uint2 at [[thread_position_in_grid]]) {
    if (at.x < cols && at.y < rows) {
        y[at.y * cols + at.x] = x[at.y * cols + at.x] + (has_bias ? bias[at.x] : 0);
    }
}

// y[b, t, d] = sum over s of the states of channel d, which are as many as the source says. Of batches, only the host knows how many there are.
template <int STATES>
kernel void states(device const float *x [[buffer(0)]], device const float *a [[buffer(1)]], device float *y [[buffer(2)]], device float *last [[buffer(3)]],
                   constant int &tokens [[buffer(4)]], constant int &dim [[buffer(5)]], uint2 at [[thread_position_in_grid]]) {
    int d = at.x;
    if (d >= dim) {
        return;
    }
    float state[STATES] = {};
    for (int t = 0; t < tokens; t++) {
        float sum = 0;
        for (int s = 0; s < STATES; s++) {
            state[s] = state[s] * a[d * STATES + s] + x[(at.y * tokens + t) * dim + d];
            sum += state[s];
        }
        y[(at.y * tokens + t) * dim + d] = sum;
    }
    for (int s = 0; s < STATES; s++) {
        last[(at.y * dim + d) * STATES + s] = state[s];
    }
}

template [[host_name("states_16")]] kernel void states<16>(device const float *, device const float *, device float *, device float *, constant int &, constant int &, uint2);

struct Heads {
    uint heads, kv_heads, head_dim, seq;
};

// scores[h, t] = q[h] . k[h's group, t]: as many heads share a group as the quotient says.
kernel void grouped_scores(device const float *q [[buffer(0)]], device const float *k [[buffer(1)]], device float *scores [[buffer(2)]], constant Heads &p [[buffer(3)]],
                           uint2 at [[thread_position_in_grid]]) {
    if (at.x >= p.seq || at.y >= p.heads) {
        return;
    }
    uint group = at.y / (p.heads / p.kv_heads);
    float sum = 0;
    for (uint d = 0; d < p.head_dim; d++) {
        sum += q[at.y * p.head_dim + d] * k[(group * p.seq + at.x) * p.head_dim + d];
    }
    scores[at.y * p.seq + at.x] = sum;
}

struct Symmetric {
    float xx, xy, yy;
};

// y[i] = the trace of a[i], and an image turned by half, in tiles that are wider than their threads are high.
kernel void trace(device const Symmetric *a [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i < n) {
        y[i] = a[i].xx + a[i].yy + 0 * a[i].xy;
    }
}

kernel void transposed(device const uchar4 *from [[buffer(0)]], device uchar4 *to [[buffer(1)]], constant uint2 &size [[buffer(2)]], uint2 group [[threadgroup_position_in_grid]],
                       uint2 at [[thread_position_in_threadgroup]]) {
    threadgroup uchar4 tile[32][33];
    uint x = group.x * 32 + at.x, y = group.y * 32 + at.y;
    for (uint j = 0; j < 32; j += 8) {
        if (x < size.x && y + j < size.y) {
            tile[at.y + j][at.x] = from[(y + j) * size.x + x];
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x = group.y * 32 + at.x, y = group.x * 32 + at.y;
    for (uint j = 0; j < 32; j += 8) {
        if (x < size.y && y + j < size.x) {
            to[(y + j) * size.y + x] = tile[at.x][at.y + j];
        }
    }
}

struct Field {
    uint nx, ny, nz;
    float dx;
    uint step;
};

// v = one sweep of Jacobi within the border of a field; nobody reads which step it is.
kernel void relaxed(device const float *u [[buffer(0)]], device const float *b [[buffer(1)]], device float *v [[buffer(2)]], constant Field &f [[buffer(3)]],
                    uint3 at [[thread_position_in_grid]]) {
    if (at.x == 0 || at.y == 0 || at.z == 0 || at.x >= f.nx - 1 || at.y >= f.ny - 1 || at.z >= f.nz - 1) {
        return;
    }
    uint row = f.nx, plane = f.nx * f.ny, i = at.x + row * at.y + plane * at.z;
    v[i] = (u[i - 1] + u[i + 1] + u[i - row] + u[i + row] + u[i - plane] + u[i + plane] - f.dx * f.dx * b[i]) / 6;
}

// w[i] -= rate * m[i] / (1 - beta ** step): of elements, only the host knows how many there are.
kernel void updated(device float *w [[buffer(0)]], device const float *m [[buffer(1)]], constant float &rate [[buffer(2)]], constant uint &step [[buffer(3)]],
                    uint i [[thread_position_in_grid]]) {
    w[i] -= rate * m[i] / (1 - pow(0.9f, float(step)));
}

// y[k, r, c] = k * x[r, c], in planes.
kernel void planes(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &cols [[buffer(2)]], constant uint &rows [[buffer(3)]],
                   uint2 at [[thread_position_in_grid]]) {
    if (at.x < cols && at.y < rows) {
        for (uint k = 0; k < 9; k++) {
            y[(k * rows + at.y) * cols + at.x] = k * x[at.y * cols + at.x];
        }
    }
}

// cache[h, pos % capacity] = k[h], with a stride in bytes between heads.
kernel void appended(device const char *k [[buffer(0)]], device half *cache [[buffer(1)]], constant uint &pos [[buffer(2)]], constant uint &capacity [[buffer(3)]],
                     constant uint &dim [[buffer(4)]], constant ulong &nb01 [[buffer(5)]], uint2 at [[thread_position_in_grid]]) {
    cache[(at.y * capacity + pos % capacity) * dim + at.x] = ((device const half *)(k + at.y * nb01))[at.x];
}
