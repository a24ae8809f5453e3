package metal

import (
	"encoding/binary"
	"fmt"
	"math"

	"metalconform/metalrun"
)

// Metal's own spelling of our options: the numbers are those of Metal's
// headers, held here so that they are tested on every machine.

// mtlVersion is v as MTLLanguageVersion: the major version in the upper half
// of a word, the minor one in the lower half. 0 stands for DefaultVersion.
func mtlVersion(v metalrun.Version) (uint, error) {
	if v == 0 {
		v = metalrun.DefaultVersion
	}
	if v < 100 || v > 9999 {
		return 0, fmt.Errorf("language version %d: want the form of __METAL_VERSION__, such as %d", v,
			metalrun.DefaultVersion)
	}
	return uint(v/100)<<16 | uint(v/10%10), nil
}

// MTLMathMode and MTLMathFloatingPointFunctions.
const (
	mtlMathSafe    = 0
	mtlMathRelaxed = 1
	mtlMathFast    = 2

	mtlFunctionsFast    = 0
	mtlFunctionsPrecise = 1
)

// mtlMath is the arithmetic of o as MTLMathMode and MTLMathFloatingPointFunctions.
func mtlMath(o metalrun.CompileOptions) (mode, functions int, err error) {
	functions = mtlFunctionsPrecise
	if o.FastFunctions {
		functions = mtlFunctionsFast
	}
	switch o.MathMode {
	case metalrun.MathSafe:
		return mtlMathSafe, functions, nil
	case metalrun.MathRelaxed:
		return mtlMathRelaxed, functions, nil
	case metalrun.MathFast:
		return mtlMathFast, functions, nil
	}
	return 0, 0, fmt.Errorf("unknown math mode %d", o.MathMode)
}

// mtlFastMath is the same choice for systems that only know fastMathEnabled,
// which stands for fast arithmetic with fast functions or safe with precise.
func mtlFastMath(mode, functions int) (bool, error) {
	switch {
	case mode == mtlMathFast && functions == mtlFunctionsFast:
		return true, nil
	case mode == mtlMathSafe && functions == mtlFunctionsPrecise:
		return false, nil
	}
	return false, fmt.Errorf("%w: this combination of math mode and functions needs macOS 15", metalrun.ErrUnsupported)
}

// maxConstantIndex is the last function_constant index of the language.
const maxConstantIndex = 65535

// mtlConstant is the value of a function constant as MTLDataType and bytes.
// The Go type decides; a Go int is MSL's int, and has to fit.
func mtlConstant(index int, value any) (dataType uint, data []byte, err error) {
	if index < 0 || index > maxConstantIndex {
		return 0, nil, fmt.Errorf("function constant %d: indices end at %d", index, maxConstantIndex)
	}
	le := binary.LittleEndian
	switch v := value.(type) {
	case float32:
		return 3, le.AppendUint32(nil, math.Float32bits(v)), nil
	case int:
		if int(int32(v)) != v {
			return 0, nil, fmt.Errorf("function constant %d: %d does not fit an int", index, v)
		}
		return 29, le.AppendUint32(nil, uint32(v)), nil
	case int32:
		return 29, le.AppendUint32(nil, uint32(v)), nil
	case uint32:
		return 33, le.AppendUint32(nil, v), nil
	case int16:
		return 37, le.AppendUint16(nil, uint16(v)), nil
	case uint16:
		return 41, le.AppendUint16(nil, v), nil
	case int8:
		return 45, []byte{byte(v)}, nil
	case uint8:
		return 49, []byte{v}, nil
	case bool:
		if v {
			return 53, []byte{1}, nil
		}
		return 53, []byte{0}, nil
	case int64:
		return 81, le.AppendUint64(nil, uint64(v)), nil
	case uint64:
		return 85, le.AppendUint64(nil, v), nil
	}
	return 0, nil, fmt.Errorf("function constant %d: a value of Go type %T has no type in MSL", index, value)
}

// mtlThreadgroupLength is n rounded up to what SetThreadgroupMemoryLength
// takes: a multiple of 16 bytes.
func mtlThreadgroupLength(n int) int { return (n + 15) &^ 15 }
