package kernels

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"metalconform/suite"
)

// hazards are classes of mistakes that kernel projects have shipped. The suite has to
// catch each.
func hazards() []string {
	return []string{
		// Wrong mathematics.
		"decay applied after the state is read",
		"heads mapped in blocks for in turns, or the reverse",
		"bf16 rounding in the wrong place",
		"bf16 rounding by truncation",
		"tile count fixed for one head dimension",
		"logarithm of a decay of 0",
		"stale rows of a ragged chunk",
		"fast sine at large angles",
		"rotary pairs at the wrong distance",
		"interleaved rotary pairs for halves",
		"frequency denominator of the head",
		"factor of YaRN inside the power",
		"log2(e) applied twice",
		"log2(e) too short",
		"running maximum from 0",
		"partial last tile read past its end",
		"causal limit without the start of the queries",
		"length taken for the stride",
		"bf16 scales read as f16",
		"accumulator in f16",
		"weights renormalised before the selection",
		"top-k cut off below the model",
		"codebook scale wrong for a head dimension",
		"norm block not advanced",
		"softplus of large values",
		"tail of softplus",
		"sigmoid of large negative values",
		"recurrent state in bf16",
		"softmax denominator of 0",
		"index arithmetic that wraps",
		"batched and single results differ",

		// Wrong synchronisation.
		"early return before a cooperative load",
		"early return before a barrier that loses nothing",
		"scratch written again before all have read it",
		"running state in device memory read by all and written by one",
		"device memory under a threadgroup fence",
		"fence that does not name the memory",
		"missing barrier between staging and use",
		"barrier in divergent control flow",
		"order among the lanes of a simdgroup",
		"threadgroups of one launch depend on each other",
		"two threads add to one location",
		"component stores to one vector by several threads",
		"simd operation by a subset of lanes",
		"threadgroup that is no multiple of a simdgroup",
		"tree over a size that is not a power of two",

		// Wrong memory and values.
		"fixed-size array overrun",
		"uninitialised memory reaches an output",
		"grid rounded up without a bounds check",
		"outputs never written",
		"rows that must stay are overwritten",
		"input written",
		"misaligned vector access",
		"integer division by zero",
		"float beyond the integers",
		"arguments in another order",
		"table of another type",
	}
}

// withoutFault lists the checks that no fault of a kernel can trip alone on a
// simulator, and why.
func withoutFault() map[suite.Check]string {
	return map[suite.Check]string{
		suite.CheckDeterminism: "a simulator gives the same bits for the same launch, whatever the kernel does",
		suite.CheckGuard:       "a simulator ends the launch at the access outside of a buffer, before it is made",
		suite.CheckRefusal:     "it judges the host's validation, which is no part of a shader",
		suite.CheckExpected:    "it judges a declaration, which is no part of a shader",
	}
}

// TestHazards checks that every hazard has a fault, that every fault is an example
// of a hazard, and that every check of the suite has a fault that only it catches.
func TestHazards(t *testing.T) {
	shown := map[string]bool{}
	alone := map[suite.Check]bool{}
	for _, a := range seededArchives(t) {
		if !slices.Contains(hazards(), a.hazard) {
			t.Errorf("%s is an example of %q, which is no hazard of the list", a.name, a.hazard)
		}
		shown[a.hazard] = true
		alone[a.check] = alone[a.check] || a.only
	}
	for _, h := range hazards() {
		if !shown[h] {
			t.Errorf("no fault is an example of %q", h)
		}
	}
	for _, c := range allChecks(t) {
		switch why, excused := withoutFault()[c]; {
		case excused && alone[c]:
			t.Errorf("the check %q has a fault of its own, although %s", c, why)
		case !excused && !alone[c]:
			t.Errorf("no fault is caught by the check %q alone", c)
		}
	}
}

// allChecks are the constants of type suite.Check, from their declaration.
func allChecks(t *testing.T) []suite.Check {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../check.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var checks []suite.Check
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !isIdent(spec.Type, "Check") || len(spec.Values) != 1 {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		checks = append(checks, suite.Check(value))
		return true
	})
	if len(checks) == 0 {
		t.Fatal("check.go declares no checks")
	}
	return checks
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}
