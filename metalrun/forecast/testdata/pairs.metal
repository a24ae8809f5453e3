// Pairs of kernels of which everybody who tunes kernels knows the faster one.
#include <metal_stdlib>
using namespace metal;

#define ARGS device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]], device atomic_uint *bins [[buffer(2)]], constant uint &n [[buffer(3)]], \
	uint i [[thread_position_in_grid]], uint l [[thread_position_in_threadgroup]], uint g [[threadgroup_position_in_grid]], \
	uint width [[threads_per_threadgroup]], uint groups [[threadgroups_per_grid]], uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]
#define F device const float *f = (device const float *)in; device float *o = (device float *)out;
#define LOOP(T, ...) T x = T(in[i]), y = T(in[i] | 1); for (uint k = 0; k < 64; k++) { __VA_ARGS__ } out[i] = uint(x);
#define FLOOP(T, ...) T x = T(float(in[i] & 255) / 256.0f), y = T(0.25f); for (uint k = 0; k < 64; k++) { __VA_ARGS__ } out[i] = as_type<uint>(float(x + y));

inline float spin(uint turns, float x) {
	for (uint k = 0; k < turns; k++) {
		x = fma(x, x, 0.25f);
		x = fma(x, 0.5f, 0.125f);
	}
	return x;
}
inline uint spread3(uint v) {
	v &= 0x3ffu;
	v = (v | (v << 16)) & 0x030000FFu;
	v = (v | (v << 8)) & 0x0300F00Fu;
	v = (v | (v << 4)) & 0x030C30C3u;
	return (v | (v << 2)) & 0x09249249u;
}

// Histograms of 256 bins.
kernel void hist_device(ARGS) {
	for (uint k = 0; k < 16; k++) {
		uint v = in[g * width * 16 + k * width + l];
		atomic_fetch_add_explicit(bins + (v & 255), 1u, memory_order_relaxed);
	}
}
kernel void hist_shared(ARGS) {
	threadgroup atomic_uint h[256];
	for (uint k = l; k < 256; k += width) {
		atomic_store_explicit(h + k, 0u, memory_order_relaxed);
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	for (uint k = 0; k < 16; k++) {
		uint v = in[g * width * 16 + k * width + l];
		atomic_fetch_add_explicit(h + (v & 255), 1u, memory_order_relaxed);
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	for (uint k = l; k < 256; k += width) {
		atomic_fetch_add_explicit(bins + k, atomic_load_explicit(h + k, memory_order_relaxed), memory_order_relaxed);
	}
}

// Counters: of each thread, of each simdgroup, of each threadgroup.
kernel void count_each(ARGS) {
	if ((in[i] & 3) == 0) {
		atomic_fetch_add_explicit(bins, 1u, memory_order_relaxed);
	}
}
kernel void count_simd(ARGS) {
	uint c = simd_sum(uint((in[i] & 3) == 0));
	if (lane == 0) {
		atomic_fetch_add_explicit(bins, c, memory_order_relaxed);
	}
}
kernel void count_group(ARGS) {
	threadgroup uint part[32];
	uint c = simd_sum(uint((in[i] & 3) == 0));
	if (lane == 0) {
		part[sg] = c;
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	if (l == 0) {
		uint s = 0;
		for (uint k = 0; k < width / 32; k++) {
			s += part[k];
		}
		atomic_fetch_add_explicit(bins, s, memory_order_relaxed);
	}
}

// Compaction, by a counter or by prefix sums.
kernel void compact_each(ARGS) {
	uint v = in[i];
	if ((v & 3) == 0) {
		out[atomic_fetch_add_explicit(bins, 1u, memory_order_relaxed)] = v;
	}
}
kernel void compact_scan(ARGS) {
	threadgroup uint part[32];
	threadgroup uint base;
	uint v = in[i], keep = uint((v & 3) == 0), before = simd_prefix_exclusive_sum(keep);
	if (lane == 31) {
		part[sg] = before + keep;
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	if (l == 0) {
		uint s = 0;
		for (uint k = 0; k < width / 32; k++) {
			uint p = part[k];
			part[k] = s;
			s += p;
		}
		base = atomic_fetch_add_explicit(bins, s, memory_order_relaxed);
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	if (keep) {
		out[base + part[sg] + before] = v;
	}
}

// What goes to many places.
kernel void scatter_store(ARGS) {
	out[in[i] & (n - 1)] = i;
}
kernel void scatter_int(ARGS) {
	atomic_fetch_add_explicit(bins + (in[i] & (n - 1)), 1u, memory_order_relaxed);
}
kernel void scatter_float(ARGS) {
	atomic_fetch_add_explicit((device atomic_float *)bins + (in[i] & (n - 1)), 1.0f, memory_order_relaxed);
}

// What goes to one, or to one of each threadgroup.
kernel void sum_float(ARGS) {
	atomic_fetch_add_explicit((device atomic_float *)bins, float(in[i] & 3), memory_order_relaxed);
}
kernel void sum_int(ARGS) {
	atomic_fetch_add_explicit(bins, in[i] & 3, memory_order_relaxed);
}
kernel void own_place(ARGS) {
	atomic_fetch_add_explicit(bins + g * 32, in[i] & 3, memory_order_relaxed);
}

// Atomics of threadgroup memory.
kernel void shared_one(ARGS) {
	threadgroup atomic_uint h[256];
	if (l < 256) atomic_store_explicit(h + l, 0u, memory_order_relaxed);
	threadgroup_barrier(mem_flags::mem_threadgroup);
	for (uint k = 0; k < 64; k++) {
		atomic_fetch_add_explicit(h + (k & 15), i, memory_order_relaxed);
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	out[i] = atomic_load_explicit(h + (l & 255), memory_order_relaxed);
}
kernel void shared_spread(ARGS) {
	threadgroup atomic_uint h[256];
	if (l < 256) atomic_store_explicit(h + l, 0u, memory_order_relaxed);
	threadgroup_barrier(mem_flags::mem_threadgroup);
	for (uint k = 0; k < 64; k++) {
		atomic_fetch_add_explicit(h + ((l + k) & 255), i, memory_order_relaxed);
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	out[i] = atomic_load_explicit(h + (l & 255), memory_order_relaxed);
}

// Threadgroups that do as much as there are before them, or all the same; one that does all.
kernel void triangle(ARGS) {
	out[i] = as_type<uint>(spin(g * 64, float(l)));
}
kernel void square(ARGS) {
	out[i] = as_type<uint>(spin((groups - 1) * 32, float(l)));
}
kernel void one_works(ARGS) {
	out[i] = as_type<uint>(spin(g == 5 ? groups * 64 : 0, float(l)));
}
kernel void each_works(ARGS) {
	out[i] = as_type<uint>(spin(64, float(l)));
}

// Arms and turns that lanes take, or whole simdgroups.
kernel void arms_lanes(ARGS) {
	float x = float(l);
	if (l & 1) {
		x = spin(200, x);
	}
	else {
		x = spin(200, x + 1.0f);
		x += 1.0f;
	}
	out[i] = as_type<uint>(x);
}
kernel void arms_groups(ARGS) {
	float x = float(l);
	if (sg & 1) {
		x = spin(200, x);
	}
	else {
		x = spin(200, x + 1.0f);
		x += 1.0f;
	}
	out[i] = as_type<uint>(x);
}
kernel void turns_lanes(ARGS) {
	out[i] = as_type<uint>(spin((in[i] & 31) * 32, float(l)));
}
kernel void turns_groups(ARGS) {
	out[i] = as_type<uint>(spin((simd_broadcast(in[i], 0) & 31) * 32, float(l)));
}

// Integers.
kernel void int_mul(ARGS) { LOOP(uint, x = x * y; y = y * x; x = x * 77u; y = y * x;) }
kernel void int_mulhi(ARGS) { LOOP(uint, x = mulhi(x, y); y = mulhi(y, x + 77u); x = mulhi(x, y); y = mulhi(y, x);) }
kernel void int_rotate(ARGS) { LOOP(uint, x = rotate(x, 13u); y = rotate(y, x); x = rotate(x, y); y = rotate(y, 7u);) }
kernel void int_shift_by(ARGS) { LOOP(uint, x = x >> 1; x ^= y; y = y >> 3; y ^= x; x = x >> 5; x ^= y; y = y >> 2; y ^= x;) }
kernel void int_div(ARGS) { LOOP(uint, x = (x + 99u) / (y | 3u); y = (x + 7777777u) / (x | 5u);) }
kernel void int_div_const(ARGS) { LOOP(uint, x = (x + 99u) / 7u; y = (x + 7777777u) / 13u; x ^= y;) }
kernel void long_mul(ARGS) { LOOP(ulong, x = x * y; y = y * x; x = x * 77u; y = y * x;) }
kernel void philox(ARGS) { LOOP(uint, for (uint r = 0; r < 10; r++) { uint hi = mulhi(0xD2511F53u, x), lo = 0xD2511F53u * x; x = hi ^ y ^ (r * 0x9E3779B9u); y = lo; }) }
kernel void lcg(ARGS) { LOOP(uint, x = x * 1664525u + 1013904223u; y += x;) }

// Functions.
kernel void f_sin(ARGS) { FLOOP(float, x = sin(x + y); y = sin(y + x); x = sin(x + y); y = sin(y + x);) }
kernel void f_sincos(ARGS) { FLOOP(float, float a = x + y; x = sin(a); y = cos(a); a = x - y; x = sin(a); y = cos(a);) }

// Vectors of half and float.
kernel void m_half(ARGS) {
	device half4 *a = (device half4 *)out;
	half4 v = a[i];
	float4 s = float4(v);
	for (uint k = 0; k < 8; k++) {
		s = fma(s, s, 0.25f);
	}
	a[i] = half4(s);
}
kernel void m_float(ARGS) {
	device float4 *a = (device float4 *)out;
	float4 s = a[i];
	for (uint k = 0; k < 8; k++) {
		s = fma(s, s, 0.25f);
	}
	a[i] = s;
}

// A lattice of nine populations, by cell or by population.
kernel void lat_aos(ARGS) {
	F uint c = i & 65535;
	float s = 0;
	float v[9];
	for (uint k = 0; k < 9; k++) {
		v[k] = f[c * 9 + k];
		s += v[k];
	}
	for (uint k = 0; k < 9; k++) {
		o[c * 9 + k] = v[k] + 0.1f * (s - v[k]);
	}
}
kernel void lat_soa(ARGS) {
	F uint c = i & 65535;
	float s = 0;
	float v[9];
	for (uint k = 0; k < 9; k++) {
		v[k] = f[k * 65536 + c];
		s += v[k];
	}
	for (uint k = 0; k < 9; k++) {
		o[k * 65536 + c] = v[k] + 0.1f * (s - v[k]);
	}
}

// Rows that threads go along, or neighbours together.
kernel void row_thread(ARGS) {
	F float s = 0;
	for (uint k = 0; k < 64; k++) {
		s += f[(i * 64 + k) & (n - 1)];
	}
	o[i] = s;
}
kernel void row_neighbours(ARGS) {
	F float s = 0;
	for (uint k = 0; k < 64; k++) {
		s += f[(k * 16384 + (i & 16383)) & (n - 1)];
	}
	o[i] = s;
}

// Neighbours close by, anywhere, and anywhere in three arrays.
kernel void nbr_near(ARGS) {
	F device const float4 *x = (device const float4 *)bins;
	float4 a = x[i];
	float3 s = 0;
	for (uint k = 0; k < 32; k++) {
		uint j = (i + (in[(k * 4096 + i) & (n - 1)] & 63)) & (n / 4 - 1);
		float3 d = x[j].xyz - a.xyz;
		s += d * rsqrt(dot(d, d) + 0.01f);
	}
	o[i] = s.x + s.y + s.z;
}
kernel void nbr_far(ARGS) {
	F device const float4 *x = (device const float4 *)bins;
	float4 a = x[i];
	float3 s = 0;
	for (uint k = 0; k < 32; k++) {
		uint j = in[(k * 4096 + i) & (n - 1)] & (n / 4 - 1);
		float3 d = x[j].xyz - a.xyz;
		s += d * rsqrt(dot(d, d) + 0.01f);
	}
	o[i] = s.x + s.y + s.z;
}
kernel void nbr_far_apart(ARGS) {
	F device const float *x = (device const float *)bins;
	uint m = n / 4;
	float3 a = float3(x[i], x[i + m], x[i + 2 * m]);
	float3 s = 0;
	for (uint k = 0; k < 32; k++) {
		uint j = in[(k * 4096 + i) & (n - 1)] & (m - 1);
		float3 d = float3(x[j], x[j + m], x[j + 2 * m]) - a;
		s += d * rsqrt(dot(d, d) + 0.01f);
	}
	o[i] = s.x + s.y + s.z;
}

// A torus whose width is a power of two, or not known.
kernel void spin_word(ARGS) {
	uint x = i & 511, y = i >> 9;
	uint m = in[y * 512 + ((x + 1) & 511)] + in[y * 512 + ((x - 1) & 511)] + in[((y + 1) & 511) * 512 + x] + in[((y - 1) & 511) * 512 + x];
	out[i] = exp(-0.4f * float(m & 7)) > 0.5f ? 1 : 0;
}
kernel void spin_mod(ARGS) {
	uint x = i % (n / 2048), y = i / (n / 2048);
	uint w = n / 2048;
	uint m = in[y * w + (x + 1) % w] + in[y * w + (x + w - 1) % w] + in[((y + 1) % w) * w + x] + in[((y + w - 1) % w) * w + x];
	out[i] = exp(-0.4f * float(m & 7)) > 0.5f ? 1 : 0;
}

// Sorting.
kernel void sort_shared(ARGS) {
	threadgroup uint t[256];
	t[l] = in[i];
	for (uint k = 2; k <= 256; k <<= 1) {
		for (uint j = k >> 1; j > 0; j >>= 1) {
			threadgroup_barrier(mem_flags::mem_threadgroup);
			uint x = l ^ j;
			if (x > l) {
				uint a = t[l], b = t[x];
				if (((l & k) == 0) == (a > b)) {
					t[l] = b;
					t[x] = a;
				}
			}
		}
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	out[i] = t[l];
}
kernel void sort_simd(ARGS) {
	threadgroup uint t[256];
	uint v = in[i];
	for (uint k = 2; k <= 256; k <<= 1) {
		for (uint j = k >> 1; j > 0; j >>= 1) {
			uint w;
			if (j >= 32) {
				threadgroup_barrier(mem_flags::mem_threadgroup);
				t[l] = v;
				threadgroup_barrier(mem_flags::mem_threadgroup);
				w = t[l ^ j];
			}
			else {
				w = simd_shuffle_xor(v, ushort(j));
			}
			bool low = (l & j) == 0, up = (l & k) == 0;
			v = low == up ? min(v, w) : max(v, w);
		}
	}
	out[i] = v;
}
kernel void sort_rank(ARGS) {
	threadgroup uint t[256];
	uint v = in[i];
	t[l] = v;
	threadgroup_barrier(mem_flags::mem_threadgroup);
	uint r = 0;
	for (uint k = 0; k < 256; k++) {
		r += uint(t[k] < v || (t[k] == v && k < l));
	}
	out[i - l + r] = v;
}

// Morton codes.
kernel void mor_loop(ARGS) {
	uint v = in[i], r = 0;
	for (uint k = 0; k < 10; k++) {
		r |= ((v >> k) & 1u) << (3 * k);
		r |= ((v >> (k + 10)) & 1u) << (3 * k + 1);
		r |= ((v >> (k + 20)) & 1u) << (3 * k + 2);
	}
	out[i] = r;
}
kernel void mor_masks(ARGS) {
	uint v = in[i];
	out[i] = spread3(v) | (spread3(v >> 10) << 1) | (spread3(v >> 20) << 2);
}

// Sums of a threadgroup.
kernel void red_tree(ARGS) {
	F threadgroup float t[256];
	t[l] = f[i];
	threadgroup_barrier(mem_flags::mem_threadgroup);
	for (uint k = 128; k > 0; k >>= 1) {
		if (l < k) {
			t[l] += t[l + k];
		}
		threadgroup_barrier(mem_flags::mem_threadgroup);
	}
	if (l == 0) {
		o[g] = t[0];
	}
}
kernel void red_simd(ARGS) {
	F threadgroup float t[32];
	float s = simd_sum(f[i]);
	if (lane == 0) {
		t[sg] = s;
	}
	threadgroup_barrier(mem_flags::mem_threadgroup);
	if (sg == 0) {
		s = simd_sum(lane < width / 32 ? t[lane] : 0.0f);
		if (lane == 0) {
			o[g] = s;
		}
	}
}
kernel void red_one(ARGS) {
	F threadgroup float t[256];
	t[l] = f[i];
	threadgroup_barrier(mem_flags::mem_threadgroup);
	if (l == 0) {
		float s = 0;
		for (uint k = 0; k < 256; k++) {
			s += t[k];
		}
		o[g] = s;
	}
}

// Transposition.
kernel void ld_transposed(ARGS) {
	F uint x = i & 511, y = i >> 9;
	o[x * 512 + y] = f[i];
}
kernel void ld_tiled(ARGS) {
	F threadgroup float t[16][17];
	uint x = (g & 31) * 16, y = (g >> 5) * 16;
	uint a = l & 15, b = l >> 4;
	t[b][a] = f[((y + b) * 512 + x + a) & (n - 1)];
	threadgroup_barrier(mem_flags::mem_threadgroup);
	o[((x + b) * 512 + y + a) & (n - 1)] = t[a][b];
}
