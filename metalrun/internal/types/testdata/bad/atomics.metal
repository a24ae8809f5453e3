// Atomics and synchronisation (2.9).
#include <metal_stdlib>
using namespace metal;

void t1(device int *p) { atomic_fetch_add_explicit(p, 1, memory_order_relaxed); } // ERROR 26 no-builtin "no matching function for call to 'atomic_fetch_add_explicit'"
void t2(device atomic_int *p) { atomic_fetch_add_explicit(p, 1); } // ERROR 33 no-builtin "no matching function for call to 'atomic_fetch_add_explicit'"
void t3(device atomic_int *p) { atomic_fetch_add_explicit(p, 1, memory_order_seq_cst); } // ERROR 33 builtin-argument "relaxed"
void t4(device atomic_int *p) { atomic_fetch_add_explicit(p, 1, memory_order_acquire); } // ERROR 33 builtin-argument "relaxed"
void t5(threadgroup atomic_float *p) { atomic_fetch_add_explicit(p, 1.0f, memory_order_relaxed); } // ERROR 40 no-builtin "no matching function for call to 'atomic_fetch_add_explicit'"
void t6(device atomic_float *p) { atomic_fetch_max_explicit(p, 1.0f, memory_order_relaxed); } // ERROR 35 no-builtin "no matching function for call to 'atomic_fetch_max_explicit'"
void t7(device atomic_float *p) { atomic_fetch_and_explicit(p, 1.0f, memory_order_relaxed); } // ERROR 35 no-builtin "no matching function for call to 'atomic_fetch_and_explicit'"
void t8(device atomic_ulong *p) { atomic_fetch_add_explicit(p, 1ul, memory_order_relaxed); } // ERROR 35 no-builtin "no matching function for call to 'atomic_fetch_add_explicit'"
void t9(device atomic_bool *p) { atomic_fetch_or_explicit(p, true, memory_order_relaxed); } // ERROR 34 no-builtin "no matching function for call to 'atomic_fetch_or_explicit'"
void t10(const device atomic_int *p) { atomic_store_explicit(p, 1, memory_order_relaxed); } // ERROR 40 no-builtin "no matching function for call to 'atomic_store_explicit'"
void t11(constant atomic_int *p) { atomic_load_explicit(p, memory_order_relaxed); } // ERROR 36 no-builtin "no matching function for call to 'atomic_load_explicit'"
int t12(device atomic_int *p) { return *p; } // ERROR 40 atomic-access "atomic"
void t13(device atomic_int *p) { *p = 1; } // ERROR 37 atomic-access "atomic"
void t14(device atomic_int *p) { *p += 1; } // ERROR 37 atomic-access "atomic"
void t15(device atomic_int &r) { r++; } // ERROR 35 atomic-access "atomic"
void t16(device atomic_int *p) { atomic_compare_exchange_weak_explicit(p, 0, 1, memory_order_relaxed, memory_order_relaxed); } // ERROR 34 no-builtin "no matching function for call to 'atomic_compare_exchange_weak_explicit'"
void t17(device atomic_int *p) { uint e = 0; atomic_compare_exchange_weak_explicit(p, &e, 1, memory_order_relaxed, memory_order_relaxed); } // ERROR 46 no-builtin "no matching function for call to 'atomic_compare_exchange_weak_explicit'"
void t18(device atomic<short> *p) { } // ERROR 17 template-arguments "short"
void t20(device atomic_int *p) { atomic_fetch_add(p, 1); } // ERROR 34 undeclared "atomic_fetch_add"
void t21(device atomic_int *p) { atomic_int x = *p; } // ERROR 49 atomic-access "atomic"
void t22(device atomic_int *p, memory_order o) { atomic_load_explicit(p, o); } // ERROR 74 not-constant "constant"
struct Counted { atomic_int n; int x; };
void t23(device Counted *p) { Counted c = *p; } // ERROR 31 atomic-type "atomic"
