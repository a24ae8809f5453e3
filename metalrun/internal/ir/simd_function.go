package ir

import "strings"

// SimdFunction is a function of Simd instructions, which exists with the prefixes
// "simd_" (32 lanes) and "quad_" (4 lanes). Only active threads take part.
type SimdFunction struct {
	Name    string
	Result  Type
	Args    []Type
	Freedom Freedom
}

// ofFrom stands for the register type of From. Integers have their signedness
// there, and with it their width for wrapping.
const ofFrom Type = 255

var (
	reduced   = []Type{ofFrom}
	fromLane  = []Type{ofFrom, I32}              // value; lane, mask or delta
	withFill  = []Type{ofFrom, ofFrom, I32, I32} // value, fill, delta, modulo
	predicate = []Type{Bool}
)

// SimdFunctions are the functions of Simd instructions. Lanes from which shuffle_up and
// shuffle_down have no source keep their own value.
var SimdFunctions = []SimdFunction{
	{"sum", ofFrom, reduced, SumOrder}, {"product", ofFrom, reduced, SumOrder},
	{"min", ofFrom, reduced, Determined}, {"max", ofFrom, reduced, Determined},
	{"and", ofFrom, reduced, Determined}, {"or", ofFrom, reduced, Determined}, {"xor", ofFrom, reduced, Determined},
	{"prefix_inclusive_sum", ofFrom, reduced, SumOrder}, {"prefix_exclusive_sum", ofFrom, reduced, SumOrder},
	{"prefix_inclusive_product", ofFrom, reduced, SumOrder}, {"prefix_exclusive_product", ofFrom, reduced, SumOrder},
	{"broadcast", ofFrom, fromLane, InactiveLane}, {"broadcast_first", ofFrom, reduced, Determined},
	{"shuffle", ofFrom, fromLane, InactiveLane}, {"shuffle_xor", ofFrom, fromLane, InactiveLane},
	{"shuffle_up", ofFrom, fromLane, InactiveLane}, {"shuffle_down", ofFrom, fromLane, InactiveLane},
	{"shuffle_rotate_up", ofFrom, fromLane, InactiveLane}, {"shuffle_rotate_down", ofFrom, fromLane, InactiveLane},
	{"shuffle_and_fill_up", ofFrom, withFill, InactiveLane}, {"shuffle_and_fill_down", ofFrom, withFill, InactiveLane},
	{"ballot", I64, predicate, Determined}, {"active_threads_mask", I64, nil, Determined}, // bit per lane
	{"all", Bool, predicate, Determined}, {"any", Bool, predicate, Determined}, {"is_first", Bool, nil, Determined},
}

// SimdFunctionOf finds a function by its name with prefix, nil if there is none.
func SimdFunctionOf(name string) *SimdFunction {
	fn, ok := strings.CutPrefix(name, "simd_")
	if !ok {
		fn, ok = strings.CutPrefix(name, "quad_")
	}
	for i := range SimdFunctions {
		if f := &SimdFunctions[i]; ok && f.Name == fn {
			return f
		}
	}
	return nil
}

// Simd is the function of a Simd instruction.
func (in *Instr) Simd() *SimdFunction { return SimdFunctionOf(in.Fn) }

// Freedom is what Metal leaves to the device about the results of an instruction.
func (in *Instr) Freedom() Freedom {
	if in.Op == Simd {
		return in.Simd().Freedom
	}
	return in.Op.Info().Freedom
}

// in is a type of a function for instructions of element type s.
func (t Type) in(s Scalar) Type {
	if t == ofFrom {
		return s.Type()
	}
	return t
}
