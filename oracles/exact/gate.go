package exact

import (
	"math/big"

	"metalconform/oracles"
)

// SigmoidGate is the high-precision reference of [oracles.SigmoidGate].
func SigmoidGate(x, gate []float64) oracles.Reference {
	return func(i int) *big.Float { return num(x[i]).times(num(gate[i]).sigmoid()).Float }
}

// SwiGLU is the high-precision reference of [oracles.SwiGLU].
func SwiGLU(gate, up []float64) oracles.Reference {
	return func(i int) *big.Float { return num(gate[i]).silu().times(num(up[i])).Float }
}
