package kernels

import (
	"slices"
	"testing"

	"metalconform/suite"
)

// hazardClass is a class of hazards, mistakes that kernel projects have shipped. The
// suite has to catch each.
type hazardClass struct {
	name    string
	hazards []string
}

func hazardClasses() []hazardClass {
	return []hazardClass{
		{"codebooks", []string{
			"codebook level typed wrong",
			"codebook sign lost",
			"codebook entries exchanged",
			"codebook scale wrong for a head dimension",
		}},
		{"what must not be read", []string{
			"maximum over padding",
			"maximum over masked keys",
			"sum over padding",
			"inactive expert times zero",
			"bits beside the index",
			"stale rows of a ragged chunk",
			"partial last tile read past its end",
		}},
		{"small weights", []string{
			"small weights dropped",
		}},
		{"arguments ignored or derived", []string{
			"argument derived from another",
			"offset argument ignored",
			"offset argument derived from another",
			"stride argument derived from another",
			"scale argument ignored",
			"eps argument ignored",
			"group size ignored",
			"batch ignored",
			"length taken for the stride",
			"frequency denominator of the head",
			"causal limit without the start of the queries",
			"arguments in another order",
		}},
		{"indices, positions and sizes", []string{
			"index in 16 bits",
			"index by floating-point arithmetic",
			"index arithmetic that wraps",
			"position masked or clipped",
			"position in a narrow type",
			"table of 64 frequencies",
			"size fixed to one model's",
			"size taken for a power of two",
			"tile count fixed for one head dimension",
			"top-k cut off below the model",
		}},
		{"ends of sizes", []string{
			"tail behind the last vector",
			"maximum without the tail",
			"maximum of some simdgroups",
			"odd number of tokens",
			"tail chunk taken for a whole one",
			"scale of another group at the end of a row",
			"one token taken for decoding",
			"empty launch leaves the state unset",
			"grid of another dimension",
		}},
		{"rounding", []string{
			"bf16 rounding in the wrong place",
			"bf16 rounding by truncation",
			"ties rounded away from zero",
			"rounding twice",
			"parameter rounded once more",
			"inputs narrowed",
			"accumulator in f16",
			"recurrent state in bf16",
			"bf16 scales read as f16",
			"table of another type",
		}},
		{"thresholds", []string{
			"softplus becomes the identity too early",
			"softplus of large values",
			"tail of softplus",
			"sigmoid of large negative values",
			"argument of a sigmoid clamped",
			"activation cut off",
			"decay with a minimum",
			"decay taken for 1",
			"sum taken for normalised",
			"logarithm of a decay of 0",
			"running maximum from 0",
			"running maximum from a number",
			"saturation at the largest half",
			"softmax denominator of 0",
		}},
		{"modes of arithmetic", []string{
			"quotient assumed exact", "rounding by a large number", "rounding by splitting", "compensation cancelled",
			"two sums assumed equal", "range kept by the order of a product", "infinite mask",
			"exponential that overflows",
			"guard against NaN folded away", "guard against infinity folded away",
		}},
		{"functions", []string{
			"fast function where a precise one is promised",
			"approximation where a precise function is promised",
			"fast sine at large angles",
			"function assumed exact",
		}},
		{"layout", []string{
			"heads mapped in blocks for in turns, or the reverse",
			"rotary pairs at the wrong distance",
			"interleaved rotary pairs for halves",
			"layout of another model",
			"nibbles with a sign",
			"expert of another slot",
			"order of slots",
			"index of another table",
			"offset by another dimension",
			"stride rounded up",
			"stride of a simdgroup for the threadgroup",
			"norm block not advanced",
			"norm block of another position",
		}},
		{"special values", []string{
			"NaN dropped",
			"sign of zero",
			"subnormals flushed",
			"mask by a product",
		}},
		{"formulas", []string{
			"decay applied after the state is read",
			"gate in the wrong place",
			"factor applied to one of two",
			"factor of YaRN inside the power",
			"log2(e) applied twice",
			"log2(e) too short",
			"eps outside the root",
			"denominator with an eps",
			"denominator with a minimum",
			"weights renormalised before the selection",
			"comparison of truncated keys",
			"running state relative to another maximum",
			"decay as a quotient of exponentials",
			"series cut off",
			"state read after it is written",
			"carried state ignored",
			"residual missing",
			"sum set and not added to",
			"batched and single results differ",
		}},
		{"synchronisation", []string{
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
			"broadcast from a lane that varies",
			"threadgroup that is no multiple of a simdgroup",
			"tree over a size that is not a power of two",
		}},
		{"memory and values", []string{
			"fixed-size array overrun",
			"uninitialised memory reaches an output",
			"grid rounded up without a bounds check",
			"outputs never written",
			"rows that must stay are overwritten",
			"input written",
			"misaligned vector access",
			"integer division by zero",
			"float beyond the integers",
		}},
	}
}

// forms are the ways in which alternatives are written.
func forms() []string {
	return []string{
		"factor moved",
		"other thread mapping",
		"other index arithmetic",
		"other reduction tree",
		"exact bit trick",
		"other order of a sum",
		"sigmoid in another form",
		"vectorised",
		"exponentials by exp2",
		"product with the reciprocal",
		"online softmax",
		"fma or not",
		"scale factored out",
		"loads that are discarded",
		"recomputed, not staged",
		"unrolled",
		"accumulated onto a carried value",
		"early exit",
		"precise root",
		"compensated sum",
		"decays in logarithms",
		"softplus in another form",
		"staged, not recomputed",
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
		suite.CheckFunctions:   "it warns, unless the run is strict",
		suite.CheckUndecided:   "it warns, unless the run is strict, and it needs a run with exact execution",
		suite.CheckRunaway:     "it ends mutants alone",
		suite.CheckCosine:      "it judges mutants alone, by the rules of that name",
		suite.CheckFormula:     "it needs a run with exact execution, and TestFormulaFaults lists what it alone sees",
		suite.CheckRounding:    "it judges devices, and a simulator rounds as it should",
	}
}

// TestHazards checks that every hazard has a fault, that every fault is an example
// of a hazard and every alternative of a form, and that every check of the suite has a fault that only it catches.
func TestHazards(t *testing.T) {
	var hazards []string
	for _, c := range hazardClasses() {
		hazards = append(hazards, c.hazards...)
	}
	shown := map[string]bool{}
	alone := map[suite.Check]bool{}
	for _, a := range seededArchives(t) {
		if !slices.Contains(hazards, a.hazard) {
			t.Errorf("%s is an example of %q, which is no hazard of the list", a.name, a.hazard)
		}
		shown[a.hazard] = true
		alone[a.check] = alone[a.check] || a.only
	}
	for _, h := range hazards {
		if !shown[h] {
			t.Errorf("no fault is an example of %q", h)
		}
	}
	for _, a := range alternatives(t) {
		if !slices.Contains(forms(), a.form) {
			t.Errorf("%s is written with %q, which is no form of the list", a.name, a.form)
		}
	}
	for _, info := range suite.AllChecks() {
		c := info.Check
		switch why, excused := withoutFault()[c]; {
		case excused && alone[c]:
			t.Errorf("the check %q has a fault of its own, although %s", c, why)
		case !excused && !alone[c]:
			t.Errorf("no fault is caught by the check %q alone", c)
		}
	}
}
