// Threads that work together, over the fibres of runtime.cc.
#pragma once
#include "library.h"

namespace metal {
enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_threadgroup_imageblock = 8, mem_object_data = 16, mem_device_and_threadgroup = 3 };
constexpr mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags((int)a | (int)b); }
enum memory_order { memory_order_relaxed, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
enum thread_scope { thread_scope_thread, thread_scope_simdgroup, thread_scope_threadgroup, thread_scope_device, thread_scope_system };
inline void threadgroup_barrier(mem_flags) { witness_barrier(); }
inline void atomic_thread_fence(mem_flags, memory_order, thread_scope = thread_scope_device) {}
#define HERE uint site = __builtin_LINE() // where the operation stands that lanes wait in
inline void simdgroup_barrier(mem_flags, HERE) { witness_slot *slots; witness_simd(&slots, 0, &slots, site); }
template <class T> struct witness_lanes {
	witness_slot *slots;
	uint active;
	witness_lanes(T x, uint site) { active = witness_simd(&x, sizeof x, &slots, site); }
	bool has(uint i) const { return active >> i & 1; }
	T operator[](uint i) const { T x; __builtin_memcpy(&x, slots[i].bytes, sizeof x); return x; }
};
#define BITWISE(name, op) template <class T> T name(T a, T b) { if constexpr (witness_is_integer<witness_of<T>>) return (T)(a op b); return a; }
BITWISE(witness_and, &) BITWISE(witness_or, |) BITWISE(witness_xor, ^)
#undef BITWISE
#define REDUCE(name, expression) \
	template <class T> T name(T x, HERE) { witness_lanes<T> all(x, site); bool first = true; T a = x; \
		for (uint i = 0; i < 32; i++) if (all.has(i)) { T b = all[i]; a = first ? b : (T)(expression); first = false; } return a; }
REDUCE(simd_max, max(a, b))
REDUCE(simd_min, min(a, b))
REDUCE(simd_and, witness_and(a, b))
REDUCE(simd_or, witness_or(a, b))
REDUCE(simd_xor, witness_xor(a, b))
#undef REDUCE
template <class T> T witness_total(T x, bool product, uint site) { // in ascending order
	witness_lanes<T> all(x, site);
	T v[32];
	for (uint i = 0; i < 32; i++) v[i] = all.has(i) ? all[i] : (T)(product ? 1 : 0);
	T sum = v[0];
	for (uint i = 1; i < 32; i++) sum = product ? (T)(sum * v[i]) : (T)(sum + v[i]);
	return sum;
}
template <class T> T simd_sum(T x, HERE) { return witness_total(x, false, site); }
template <class T> T simd_product(T x, HERE) { return witness_total(x, true, site); }
template <class T> T simd_prefix_exclusive_sum(T x, HERE) { witness_lanes<T> all(x, site); T s = (T)0; for (uint i = 0; i < witness_lane(); i++) if (all.has(i)) s = (T)(s + all[i]); return s; }
template <class T> T simd_prefix_inclusive_sum(T x, HERE) { return (T)(simd_prefix_exclusive_sum(x, site) + x); }
template <class T> T simd_broadcast(T x, ushort i, HERE) { witness_lanes<T> all(x, site); return all[i & 31]; }
template <class T> T simd_broadcast_first(T x, HERE) { witness_lanes<T> all(x, site); return all[__builtin_ctz(all.active)]; }
template <class T> T simd_shuffle(T x, ushort i, HERE) { witness_lanes<T> all(x, site); return all[i & 31]; }
template <class T> T simd_shuffle_xor(T x, ushort m, HERE) { witness_lanes<T> all(x, site); return all[(witness_lane() ^ m) & 31]; }
template <class T> T simd_shuffle_down(T x, ushort d, HERE) { witness_lanes<T> all(x, site); uint i = witness_lane() + d; return i < 32 ? all[i] : x; }
template <class T> T simd_shuffle_up(T x, ushort d, HERE) { witness_lanes<T> all(x, site); uint i = witness_lane() - d; return i < 32 ? all[i] : x; }
inline bool simd_all(bool x, HERE) { witness_lanes<bool> all(x, site); for (uint i = 0; i < 32; i++) if (all.has(i) && !all[i]) return false; return true; }
inline bool simd_any(bool x, HERE) { witness_lanes<bool> all(x, site); for (uint i = 0; i < 32; i++) if (all.has(i) && all[i]) return true; return false; }
inline bool simd_is_first(HERE) { witness_lanes<bool> all(true, site); return (uint)__builtin_ctz(all.active) == witness_lane(); }

template <class T> T simd_prefix_exclusive_product(T x, HERE) { witness_lanes<T> all(x, site); T s = (T)1; for (uint i = 0; i < witness_lane(); i++) if (all.has(i)) s = (T)(s * all[i]); return s; }
template <class T> T simd_prefix_inclusive_product(T x, HERE) { return (T)(simd_prefix_exclusive_product(x, site) * x); }
template <class T> T simd_shuffle_rotate_down(T x, ushort d, HERE) { witness_lanes<T> all(x, site); return all[(witness_lane() + d) & 31]; }
template <class T> T simd_shuffle_rotate_up(T x, ushort d, HERE) { witness_lanes<T> all(x, site); return all[(witness_lane() - d) & 31]; }
template <class T> struct witness_two { T a, b; };
template <class T> T simd_shuffle_and_fill_down(T x, T fill, ushort d, ushort width = 32, HERE) {
	witness_lanes<witness_two<T>> all(witness_two<T>{x, fill}, site);
	uint i = witness_lane(), base = i & ~(width - 1u), at = (i & (width - 1)) + d;
	return at < width ? all[base + at].a : all[base + at - width].b;
}
template <class T> T simd_shuffle_and_fill_up(T x, T fill, ushort d, ushort width = 32, HERE) {
	witness_lanes<witness_two<T>> all(witness_two<T>{x, fill}, site);
	uint i = witness_lane(), base = i & ~(width - 1u), at = i & (width - 1);
	return at >= d ? all[base + at - d].a : all[base + at + width - d].b;
}
struct simd_vote {
	typedef ulong vote_t;
	vote_t bits;
	explicit simd_vote(vote_t v = 0) : bits(v) {}
	explicit operator vote_t() const { return bits; }
	bool all() const { return bits == 0xffffffff; }
	bool any() const { return bits != 0; }
};
inline simd_vote simd_ballot(bool x, HERE) { witness_lanes<bool> all(x, site); ulong b = 0; for (uint i = 0; i < 32; i++) if (all.has(i) && all[i]) b |= 1ul << i; return simd_vote(b); }
inline simd_vote simd_active_threads_mask(HERE) { witness_lanes<bool> all(true, site); return simd_vote(all.active); }

// Quads are simdgroups of four lanes.
template <class T> T quad_broadcast(T x, ushort i, HERE) { witness_lanes<T> all(x, site); return all[(witness_lane() & 28) | (i & 3)]; }
template <class T> T quad_shuffle(T x, ushort i, HERE) { return quad_broadcast(x, i, site); }
template <class T> T quad_shuffle_xor(T x, ushort m, HERE) { return quad_broadcast(x, (witness_lane() & 3) ^ m, site); }
template <class T> T quad_shuffle_up(T x, ushort d, HERE) { witness_lanes<T> all(x, site); uint i = witness_lane() & 3; return i < d ? x : all[witness_lane() - d]; }
template <class T> T quad_shuffle_down(T x, ushort d, HERE) { witness_lanes<T> all(x, site); uint i = witness_lane() & 3; return i + d > 3 ? x : all[witness_lane() + d]; }
template <class T> T quad_broadcast_first(T x, HERE) { witness_lanes<T> all(x, site); uint q = witness_lane() & 28; return all[q + __builtin_ctz(all.active >> q)]; }
template <class T> T quad_sum(T x, HERE) { witness_lanes<T> all(x, site); T s = (T)0; bool first = true; for (uint i = witness_lane() & 28, end = i + 4; i < end; i++) if (all.has(i)) { s = first ? all[i] : (T)(s + all[i]); first = false; } return s; }
template <class T> T quad_product(T x, HERE) { witness_lanes<T> all(x, site); T s = (T)1; bool first = true; for (uint i = witness_lane() & 28, end = i + 4; i < end; i++) if (all.has(i)) { s = first ? all[i] : (T)(s * all[i]); first = false; } return s; }
template <class T> T quad_max(T x, HERE) { witness_lanes<T> all(x, site); T s = x; for (uint i = witness_lane() & 28, end = i + 4; i < end; i++) if (all.has(i)) s = max(s, all[i]); return s; }
template <class T> T quad_min(T x, HERE) { witness_lanes<T> all(x, site); T s = x; for (uint i = witness_lane() & 28, end = i + 4; i < end; i++) if (all.has(i)) s = min(s, all[i]); return s; }
template <class T> T quad_and(T x, HERE) { witness_lanes<T> all(x, site); T s = x; for (uint i = witness_lane() & 28, end = i + 4; i < end; i++) if (all.has(i)) s = s & all[i]; return s; }
template <class T> T quad_or(T x, HERE) { witness_lanes<T> all(x, site); T s = x; for (uint i = witness_lane() & 28, end = i + 4; i < end; i++) if (all.has(i)) s = s | all[i]; return s; }

// A matrix of eight by eight: each lane holds two elements of a row that lie beside each other.
inline int witness_row() { uint i = witness_lane(); return (i >> 4 & 1) * 4 + (i >> 1 & 3); }
inline int witness_column() { uint i = witness_lane(); return (i >> 3 & 1) * 4 + (i & 1) * 2; }
template <class T, int C, int R> struct simdgroup_matrix {
	typedef vec<T, C * R / 32> storage_type;
	storage_type elements;
	simdgroup_matrix() = default;
	explicit simdgroup_matrix(T diagonal) { for (int k = 0; k < 2; k++) elements[k] = witness_row() == witness_column() + k ? diagonal : (T)0; }
	storage_type &thread_elements() { return elements; }
	const storage_type &thread_elements() const { return elements; }
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;
template <class T, int C, int R = C, class U> simdgroup_matrix<T, C, R> make_filled_simdgroup_matrix(U x) {
	simdgroup_matrix<T, C, R> m;
	m.elements = vec<T, 2>((T)x);
	return m;
}
template <class P> auto witness_at(P p, ulong stride, vec<ulong, 2> origin, bool transposed, int k) -> decltype(p) {
	ulong r = witness_row(), c = witness_column() + k;
	return transposed ? p + (c + origin.y) * stride + r + origin.x : p + (r + origin.y) * stride + c + origin.x;
}
template <class T> void simdgroup_load(simdgroup_matrix<T, 8, 8> &m, const T *p, ulong stride = 8, vec<ulong, 2> origin = 0, bool transposed = false, HERE) {
	simdgroup_barrier(mem_flags::mem_none, site);
	for (int k = 0; k < 2; k++) m.elements[k] = *witness_at(p, stride, origin, transposed, k);
}
template <class T> void simdgroup_store(simdgroup_matrix<T, 8, 8> m, T *p, ulong stride = 8, vec<ulong, 2> origin = 0, bool transposed = false, HERE) {
	for (int k = 0; k < 2; k++) *witness_at(p, stride, origin, transposed, k) = m.elements[k];
	simdgroup_barrier(mem_flags::mem_none, site);
}
template <class A, class B, class C> struct witness_three { vec<A, 2> a; vec<B, 2> b; vec<C, 2> c; };
template <class D, class A, class B, class C> void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8> &d, const simdgroup_matrix<A, 8, 8> &a, const simdgroup_matrix<B, 8, 8> &b, const simdgroup_matrix<C, 8, 8> &c, HERE) {
	typedef witness_three<A, B, C> three;
	witness_lanes<three> all(three{a.elements, b.elements, c.elements}, site);
	auto lane = [](int r, int c) { return (uint)((r >> 2 & 1) << 4 | (c >> 2 & 1) << 3 | (r & 3) << 1 | (c >> 1 & 1)); };
	for (int k = 0; k < 2; k++) {
		float s = (float)c.elements[k];
		int row = witness_row(), column = witness_column() + k;
		for (int i = 0; i < 8; i++) s += (float)all[lane(row, i)].a[i & 1] * (float)all[lane(i, column)].b[column & 1];
		d.elements[k] = (D)s;
	}
}
template <class D, class A, class B> void simdgroup_multiply(simdgroup_matrix<D, 8, 8> &d, const simdgroup_matrix<A, 8, 8> &a, const simdgroup_matrix<B, 8, 8> &b, HERE) {
	simdgroup_multiply_accumulate(d, a, b, make_filled_simdgroup_matrix<float, 8, 8>(0.0f), site);
}
template <class T> simdgroup_matrix<T, 8, 8> operator*(const simdgroup_matrix<T, 8, 8> &a, const simdgroup_matrix<T, 8, 8> &b) {
	simdgroup_matrix<T, 8, 8> d;
	simdgroup_multiply(d, a, b);
	return d;
}
}
