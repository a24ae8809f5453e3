package kernels

import (
	"metalconform/metalrun"
	"metalconform/suite"
)

// maximumFromInfinity limits kernels whose running maximum begins at -INFINITY, so that scores
// of -INFINITY, which mask a key, weigh nothing.
var maximumFromInfinity = &suite.MathLimit{Loosest: metalrun.MathRelaxed,
	Why: "its running maximum begins at -INFINITY, which the compiler may take for impossible; a finite mask such as -FLT_MAX would do"}
