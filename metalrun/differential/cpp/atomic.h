// Atomics. Fibres take turns where they wait for each other only.
#pragma once
#include "simdgroup.h"

namespace metal {
template <class T> struct atomic { T value; };
typedef atomic<bool> atomic_bool;
typedef atomic<ulong> atomic_ulong;
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<float> atomic_float;
#define ATOMIC(name, expression) \
	template <class T, class U> T atomic_##name##_explicit(volatile atomic<T> *p, U u, memory_order) { T a = p->value, b = (T)u; p->value = expression; return a; }
ATOMIC(exchange, b)
ATOMIC(fetch_add, a + b)
ATOMIC(fetch_sub, a - b)
ATOMIC(fetch_and, a & b)
ATOMIC(fetch_or, a | b)
ATOMIC(fetch_xor, a ^ b)
ATOMIC(fetch_max, a > b ? a : b)
ATOMIC(fetch_min, a < b ? a : b)
#undef ATOMIC
template <class T, class U> bool atomic_compare_exchange_weak_explicit(volatile atomic<T> *p, T *want, U x, memory_order, memory_order) {
	if (__builtin_memcmp((const void *)&p->value, want, sizeof(T)) == 0) { p->value = (T)x; return true; }
	*want = p->value;
	return false;
}
template <class T> T atomic_load_explicit(const volatile atomic<T> *p, memory_order) { return p->value; }
template <class T, class U> void atomic_store_explicit(volatile atomic<T> *p, U x, memory_order) { p->value = (T)x; }
}
