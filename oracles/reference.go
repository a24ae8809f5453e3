package oracles

import "math/big"

// Reference is a high-precision reference of one output: the exact value of its
// element i, to many more digits than float64 has. It referees an oracle; package
// exact has one for each.
//
// It panics with [big.ErrNaN] where the value is NaN.
type Reference func(i int) *big.Float
