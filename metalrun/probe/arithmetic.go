package probe

import (
	"fmt"
	"math"
)

// bits are operands as they are.
func bits(words ...uint32) func() []uint32 { return func() []uint32 { return words } }

func floats(values ...float32) func() []uint32 {
	words := make([]uint32, len(values))
	for i, v := range values {
		words[i] = math.Float32bits(v)
	}
	return bits(words...)
}

// subnormal multiplies the first operand, which is subnormal, to a normal number, and the
// second, the least normal one, to a subnormal.
func subnormal(t, word string) string {
	return fmt.Sprintf("if (i == 0) {\n%s a = as_type<%[1]s>(%s(x[0])), b = as_type<%[1]s>(%[2]s(x[1]));\n"+
		"y[0] = as_type<%[2]s>(a * %[1]s(4.0f)); y[1] = as_type<%[2]s>(b * %[1]s(0.25f)); }", t, word)
}

// flushing tells what becomes of subnormals, given the bits of both products.
func flushing(normal, subnormal uint32) func(_, y []uint32) string {
	return func(_, y []uint32) string {
		operands, known := verdict(y[0], normal)
		results, knownToo := verdict(y[1], subnormal)
		switch {
		case !known || !knownToo:
			return fmt.Sprintf("neither kept nor flushed: %#x and %#x", y[0], y[1])
		case operands == results:
			return operands
		}
		return "operands " + operands + ", results " + results
	}
}

func verdict(got, kept uint32) (string, bool) {
	switch got {
	case kept:
		return "kept", true
	case 0:
		return "flushed", true
	}
	return "", false
}

// fused tells whether the product was rounded before the sum, which then is zero.
func fused(rest float32) func(_, y []uint32) string {
	return func(_, y []uint32) string {
		switch got := math.Float32frombits(y[0]); got {
		case rest:
			return "fused"
		case 0:
			return "product rounded"
		default:
			return fmt.Sprintf("neither fused nor rounded: %v", got)
		}
	}
}
