package types

import (
	"math"
	"strings"
	"sync"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// stdConstant is a named constant of the library: a macro or an enumerator.
type stdConstant struct {
	typ  hir.Type
	bits uint64 // as in Const
}

// lookupStdConstant finds a constant of the library by its name without
// "metal::", with the enumeration's name where that is needed
// ("mem_flags::mem_device") or allowed ("memory_order::memory_order_relaxed").
// The bits are those of a [hir.Const].
func lookupStdConstant(name string) (hir.Type, uint64, bool) {
	k, ok := stdConstants()[name]
	return k.typ, k.bits, ok
}

// The mathematical constants, spelled M_…_F, M_…_H and M_…_BF.
var mathConstants = map[string]float64{
	"E": math.E, "LOG2E": math.Log2E, "LOG10E": math.Log10E, "LN2": math.Ln2, "LN10": math.Ln10,
	"PI": math.Pi, "PI_2": math.Pi / 2, "PI_4": math.Pi / 4, "1_PI": 1 / math.Pi, "2_PI": 2 / math.Pi,
	"2_SQRTPI": 2 / 1.7724538509055160273, "SQRT2": math.Sqrt2, "SQRT1_2": math.Sqrt2 / 2,
}

// mathDecimal is the number that a mathematical constant is the rounding of; zero for any other name.
func mathDecimal(name string) syntax.Decimal {
	name, ok := strings.CutPrefix(name, "M_")
	if i := strings.LastIndexByte(name, '_'); ok && i > 0 {
		return syntax.Decimal{Value: mathConstants[name[:i]]}
	}
	return syntax.Decimal{}
}

// The characteristics of the floating formats, as <float.h> names them.
var floatLimits = []struct {
	kind                              hir.Kind
	prefix, constant                  string // FLT_MAX, M_PI_F
	maximum, huge                     string
	max, min, epsilon                 float64
	digits, mantissa                  int64
	maxExp, minExp, max10Exp, min10Ex int64
}{
	{hir.Float, "FLT_", "_F", "MAXFLOAT", "HUGE_VALF", math.MaxFloat32, 0x1p-126, 0x1p-23, 6, 24, 128, -125, 38, -37},
	{hir.Half, "HALF_", "_H", "MAXHALF", "HUGE_VALH", 65504, 0x1p-14, 0x1p-10, 2, 11, 16, -13, 4, -4},
	{hir.BFloat, "BFLT_", "_BF", "MAXBFLOAT", "HUGE_VALBF", 0xFFp120, 0x1p-126, 0x1p-7, 2, 8, 128, -125, 38, -37},
}

// The limits of the integers. The macros of narrow types are ints, by promotion.
var integerLimits = map[string]stdConstant{
	"CHAR_BIT": intConstant(8), "CHAR_MAX": intConstant(math.MaxInt8), "CHAR_MIN": intConstant(math.MinInt8),
	"SCHAR_MAX": intConstant(math.MaxInt8), "SCHAR_MIN": intConstant(math.MinInt8),
	"UCHAR_MAX": intConstant(math.MaxUint8),
	"SHRT_MAX":  intConstant(math.MaxInt16), "SHRT_MIN": intConstant(math.MinInt16),
	"USHRT_MAX": intConstant(math.MaxUint16),
	"INT_MAX":   intConstant(math.MaxInt32), "INT_MIN": intConstant(math.MinInt32),
	"UINT_MAX": {hir.UInt, math.MaxUint32},
	"LONG_MAX": {hir.Long, math.MaxInt64}, "LONG_MIN": {hir.Long, 1 << 63}, "ULONG_MAX": {hir.ULong, math.MaxUint64},
	"FP_ILOGB0": intConstant(math.MinInt32), "FP_ILOGBNAN": intConstant(math.MaxInt32),
}

func intConstant(v int64) stdConstant { return stdConstant{hir.Int, uint64(v)} }

var enumerators = []struct {
	enum  *hir.Enum
	name  string
	value uint64
}{
	{memFlags, "mem_none", MemNone}, {memFlags, "mem_device", MemDevice}, {memFlags, "mem_threadgroup", MemThreadgroup},
	{memFlags, "mem_texture", MemTexture}, {memFlags, "mem_threadgroup_imageblock", MemImageblock},
	{memFlags, "mem_object_data", MemObjectData},
	{memoryOrder, "memory_order_relaxed", OrderRelaxed}, {memoryOrder, "memory_order_acquire", OrderAcquire},
	{memoryOrder, "memory_order_release", OrderRelease},
	{memoryOrder, "memory_order_acq_rel", OrderAcqRel}, {memoryOrder, "memory_order_seq_cst", OrderSeqCst},
	{threadScope, "thread_scope_thread", ScopeThread}, {threadScope, "thread_scope_simdgroup", ScopeSimdgroup},
	{threadScope, "thread_scope_threadgroup", ScopeThreadgroup}, {threadScope, "thread_scope_device", ScopeDevice},
}

// stdConstants is all of the above by name, computed once.
var stdConstants = sync.OnceValue(func() map[string]stdConstant {
	all := map[string]stdConstant{}
	for name, k := range integerLimits {
		all[name] = k
	}
	for _, f := range floatLimits {
		set := func(name string, v float64) { all[name] = stdConstant{f.kind, hir.RoundBits(f.kind, v)} }
		for name, v := range mathConstants {
			set("M_"+name+f.constant, v)
		}
		set(f.maximum, f.max)
		set(f.huge, math.Inf(1))
		set(f.prefix+"MAX", f.max)
		set(f.prefix+"MIN", f.min)
		set(f.prefix+"EPSILON", f.epsilon)
		for name, v := range map[string]int64{"DIG": f.digits, "MANT_DIG": f.mantissa, "MAX_EXP": f.maxExp,
			"MIN_EXP":    f.minExp,
			"MAX_10_EXP": f.max10Exp, "MIN_10_EXP": f.min10Ex, "RADIX": 2} {
			all[f.prefix+name] = intConstant(v)
		}
	}
	all["INFINITY"] = stdConstant{hir.Float, 0x7f800000}
	all["NAN"] = stdConstant{hir.Float, 0x7fc00000}
	for _, e := range enumerators {
		if !e.enum.Scoped {
			all[e.name] = stdConstant{e.enum, e.value}
		}
		all[e.enum.Name+"::"+e.name] = stdConstant{e.enum, e.value}
	}
	return all
})
