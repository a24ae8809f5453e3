package types

// absentFunctions are names that people look for in the library in vain, with
// what to write instead: functions that C or another shading language has, and
// functions of Metal that this front end does not support.
var absentFunctions = map[string]string{
	"erf": notInMetal, "erfc": notInMetal, "lgamma": notInMetal, "tgamma": notInMetal,
	"cbrt":        "write copysign(pow(abs(x), 1.0f / 3.0f), x)",
	"hypot":       "write length(float2(x, y))",
	"log1p":       "write log(1.0f + x), or a series where x is small",
	"expm1":       "write exp(x) - 1.0f, or a series where x is small",
	"logb":        "write float(ilogb(x))",
	"remainder":   "write x - y * rint(x / y)",
	"nearbyint":   "write rint(x)",
	"lrint":       "write int(rint(x))",
	"lround":      "write int(round(x))",
	"radians":     "write x * (M_PI_F / 180.0f)",
	"degrees":     "write x * (180.0f / M_PI_F)",
	"lerp":        "write mix(x, y, a)",
	"frac":        "write fract(x)",
	"inversesqrt": "write rsqrt(x)",
	"mod":         "write fmod(x, y) or x % y",
	"mad":         "write fma(a, b, c)",
	"ddx":         notInKernels, "ddy": notInKernels, "dfdx": notInKernels, "dfdy": notInKernels,
	"fwidth": notInKernels, "discard_fragment": notInKernels,
	"inverse":          "Metal has no inverse of a matrix",
	"outerProduct":     "write the columns a * b.x, a * b.y, …",
	"barrier":          "write threadgroup_barrier(mem_flags::mem_threadgroup)",
	"__syncthreads":    "write threadgroup_barrier(mem_flags::mem_threadgroup)",
	"atomic_load":      withOrder,
	"atomic_store":     withOrder,
	"atomic_exchange":  withOrder,
	"atomic_fetch_add": withOrder,
	"atomic_fetch_sub": withOrder,
	"atomic_fetch_and": withOrder,
	"atomic_fetch_or":  withOrder,
	"atomic_fetch_xor": withOrder,
	"atomic_fetch_min": withOrder,
	"atomic_fetch_max": withOrder,
	"atomicAdd":        "write atomic_fetch_add_explicit(p, x, memory_order_relaxed)",
	"malloc":           "Metal has no heap",
	"free":             "Metal has no heap",
	"printf":           "Metal has no printf",
	"memcpy":           "assign the objects or copy in a loop",
	"memset":           "assign in a loop",
	"swap":             "Metal has no swap: use a third variable",

	"atomic_compare_exchange_strong_explicit": "Metal has only the weak form, in a loop",
	"get_num_threads":                         "take an argument with [[threads_per_threadgroup]]",
}

const (
	notInMetal   = "Metal has no such function"
	notInKernels = "kernels have no such function"
	withOrder    = "atomic functions end in _explicit and take a memory_order"
)

// absentFunction is advice for a name that the library lacks, in brackets, or "".
func absentFunction(name string) string {
	if advice := absentFunctions[name]; advice != "" {
		return " (" + advice + ")"
	}
	return ""
}
