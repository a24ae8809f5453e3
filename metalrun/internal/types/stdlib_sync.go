package types

import "metalconform/metalrun/internal/hir"

// Functions of <metal_atomic>. Only relaxed order is supported; stronger orders came with 4.1.
var atomicBuiltins = []builtin{
	{sig: "T atomic_load_explicit(const device atomic<T> *object, memory_order order)", over: atomicAny,
		check: relaxedOnly, doc: "the value"},
	{sig: "T atomic_load_explicit(const threadgroup atomic<T> *object, memory_order order)", over: atomicShared,
		check: relaxedOnly, doc: "the value"},
	{sig: "void atomic_store_explicit(device atomic<T> *object, T desired, memory_order order)", over: atomicAny,
		check: relaxedOnly, doc: "sets the value"},
	{sig: "void atomic_store_explicit(threadgroup atomic<T> *object, T desired, memory_order order)",
		over: atomicShared, check: relaxedOnly, doc: "sets the value"},
	{sig: "T atomic_exchange_explicit(device atomic<T> *object, T desired, memory_order order)", over: atomicAny,
		check: relaxedOnly, doc: "sets the value and gives the old one"},
	{sig: "T atomic_exchange_explicit(threadgroup atomic<T> *object, T desired, memory_order order)",
		over: atomicShared, check: relaxedOnly, doc: "sets the value and gives the old one"},
	{sig: "bool atomic_compare_exchange_weak_explicit(device atomic<T> *object, thread T *expected, T desired, " +
		"memory_order success, memory_order failure)", over: atomicAny, check: relaxedOnly,
		doc: "sets the value if it is *expected, otherwise *expected; may fail without reason"},
	{sig: "bool atomic_compare_exchange_weak_explicit(threadgroup atomic<T> *object, thread T *expected, T desired, " +
		"memory_order success, memory_order failure)", over: atomicShared, check: relaxedOnly,
		doc: "sets the value if it is *expected, otherwise *expected; may fail without reason"},

	{sig: "T atomic_fetch_add_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicSum,
		check: relaxedOnly, doc: "adds, wrapping; gives the old value"},
	{sig: "T atomic_fetch_add_explicit(threadgroup atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "adds, wrapping; gives the old value"},
	{sig: "T atomic_fetch_add_explicit(threadgroup atomic<T> *object, T operand, memory_order order)",
		over: atomicFloat, since: 410, check: relaxedOnly, doc: "adds; gives the old value"},
	{sig: "T atomic_fetch_sub_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicSum,
		check: relaxedOnly, doc: "subtracts, wrapping; gives the old value"},
	{sig: "T atomic_fetch_sub_explicit(threadgroup atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "subtracts, wrapping; gives the old value"},
	{sig: "T atomic_fetch_sub_explicit(threadgroup atomic<T> *object, T operand, memory_order order)",
		over: atomicFloat, since: 410, check: relaxedOnly, doc: "subtracts; gives the old value"},
	{sig: "T atomic_fetch_and_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "and; gives the old value"},
	{sig: "T atomic_fetch_and_explicit(threadgroup atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "and; gives the old value"},
	{sig: "T atomic_fetch_or_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "or; gives the old value"},
	{sig: "T atomic_fetch_or_explicit(threadgroup atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "or; gives the old value"},
	{sig: "T atomic_fetch_xor_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "exclusive or; gives the old value"},
	{sig: "T atomic_fetch_xor_explicit(threadgroup atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "exclusive or; gives the old value"},
	{sig: "T atomic_fetch_min_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "minimum; gives the old value"},
	{sig: "T atomic_fetch_min_explicit(threadgroup atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "minimum; gives the old value"},
	{sig: "T atomic_fetch_max_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "maximum; gives the old value"},
	{sig: "T atomic_fetch_max_explicit(threadgroup atomic<T> *object, T operand, memory_order order)", over: atomicWord,
		check: relaxedOnly, doc: "maximum; gives the old value"},
	{sig: "void atomic_min_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicWide,
		since: 240, check: relaxedOnly, doc: "minimum, without the old value"},
	{sig: "void atomic_max_explicit(device atomic<T> *object, T operand, memory_order order)", over: atomicWide,
		since: 240, check: relaxedOnly, doc: "maximum, without the old value"},
}

var (
	atomicWord   = class{wordKinds, scalarShape}
	atomicFloat  = class{kindsOf(hir.Float), scalarShape}
	atomicSum    = class{wordKinds | kindsOf(hir.Float), scalarShape}
	atomicAny    = class{wordKinds | kindsOf(hir.Bool, hir.Float), scalarShape}
	atomicShared = class{wordKinds | kindsOf(hir.Bool), scalarShape}
	atomicWide   = class{kindsOf(hir.ULong), scalarShape}
)

// Barriers and fences of <metal_compute> and <metal_atomic>.
var barrierBuiltins = []builtin{
	{sig: "void threadgroup_barrier(mem_flags flags, thread_scope scope = 2)",
		doc: "waits for all threads of the threadgroup and orders their memory accesses of the kinds named"},
	{sig: "void simdgroup_barrier(mem_flags flags, thread_scope scope = 1)",
		doc: "waits for all threads of the simdgroup and orders their memory accesses of the kinds named"},
	{sig: "void atomic_thread_fence(mem_flags flags, memory_order order, thread_scope scope = 3)", since: 320,
		check: relaxedOrSeqCst, doc: "orders memory accesses without waiting"},
}

// The enumerations of the library.
var (
	memFlags    = &hir.Enum{Name: "mem_flags", Scoped: true, Underlying: hir.UInt}
	memoryOrder = &hir.Enum{Name: "memory_order", Underlying: hir.Int}
	threadScope = &hir.Enum{Name: "thread_scope", Underlying: hir.Int}
)

// Bits of mem_flags.
const (
	MemNone        = 0
	MemDevice      = 1
	MemThreadgroup = 2
	MemTexture     = 4
	MemImageblock  = 8
	MemObjectData  = 16
)

// Values of memory_order.
const (
	OrderRelaxed = 0
	OrderAcquire = 2
	OrderRelease = 3
	OrderAcqRel  = 4
	OrderSeqCst  = 5
)

// Values of thread_scope.
const (
	ScopeThread      = 0
	ScopeSimdgroup   = 1
	ScopeThreadgroup = 2
	ScopeDevice      = 3
)

// stdEnum is the enumeration of the library of that name without "metal::", or nil.
func stdEnum(name string) hir.Type {
	for _, e := range []*hir.Enum{memFlags, memoryOrder, threadScope} {
		if e.Name == name {
			return e
		}
	}
	return nil
}

func relaxedOnly(call *hir.BuiltinCall) string {
	for _, a := range call.Args {
		if k, ok := a.(*hir.Const); ok && k.Type() == memoryOrder && k.Bits != OrderRelaxed {
			return call.Name + " supports memory_order_relaxed only"
		}
	}
	return ""
}

func relaxedOrSeqCst(call *hir.BuiltinCall) string {
	if o := call.Args[1].(*hir.Const).Bits; o != OrderRelaxed && o != OrderSeqCst {
		return call.Name + " supports memory_order_relaxed and memory_order_seq_cst only"
	}
	return ""
}
