package oracles

import "math/big"

// ExactSigmoidGate is the exact twin of [SigmoidGate].
func ExactSigmoidGate(x, gate []float64) Exact {
	return func(i int) *big.Float { return num(x[i]).times(num(gate[i]).sigmoid()).Float }
}

// ExactSwiGLU is the exact twin of [SwiGLU].
func ExactSwiGLU(gate, up []float64) Exact {
	return func(i int) *big.Float { return num(gate[i]).silu().times(num(up[i])).Float }
}
