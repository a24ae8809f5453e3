package survey

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// Verdict is what a report says of an assumption.
type Verdict string

const (
	Confirmed Verdict = "confirmed"
	Refuted   Verdict = "REFUTED"
	NotAsked  Verdict = "not asked"
)

// Assumption is something that Conform takes for granted of Macs.
type Assumption struct {
	Name    string
	Text    string
	Changes string // the tests, tables and bounds that would change if it is refuted
	judge   func(*Report) (Verdict, string)
}

// Judgement is an assumption with what a report says of it.
type Judgement struct {
	Assumption
	Verdict Verdict
	Why     string
}

// Judge holds a report against all assumptions.
func (r *Report) Judge() (list []Judgement) {
	for _, a := range Assumptions() {
		v, why := a.judge(r)
		list = append(list, Judgement{a, v, why})
	}
	return list
}

// Assumptions are all that there are. docs/mac.md lists them.
func Assumptions() []Assumption {
	return slices.Concat(ofArithmetic, ofTheDevice, ofTheCompiler, ofTheSystem)
}

var ofArithmetic = []Assumption{
	{"rounding", "float, half and bfloat round to nearest, ties to even",
		"metalrun/rounding.go, and every bound of an oracle", answer("rounding", "to nearest, ties to even")},
	{"float-subnormals", "float subnormals are flushed", appleSemantics, answer("float subnormals", "flushed")},
	{"half-subnormals", "half subnormals are kept", appleSemantics, answer("half subnormals", "kept")},
	{"bfloat-subnormals", "bfloat subnormals are flushed", appleSemantics, answer("bfloat subnormals", "flushed")},
	{"fusion", "a * b + c is fused in one expression", appleSemantics, answer("a * b + c", "fused")},
	{"fusion-of-differences", "c - a * b is fused", appleSemantics, answer("c - a * b", "fused")},
	{"no-fusion-across-statements", "a product in a statement of its own is rounded", appleSemantics,
		answer("p = a * b; p + c", "product rounded")},
	{"half-fusion", "half a * b + c is fused", appleSemantics, answer("half a * b + c", "fused")},
	{"simd-sum-order", "simd_sum adds in ascending order", appleSemantics, answer("simd_sum", "ascending")},
	{"matrix-order", "a product of matrices adds ascending from c, fused", appleSemantics,
		answer("simdgroup_matrix product", "ascending from c, fused")},
}

const appleSemantics = "metalrun/sim/semantics.go (Apple), and what -semantics apple forecasts; no verdict"

var ofTheDevice = []Assumption{
	{"simdgroup-width", "a simdgroup has 32 threads in every kernel", "metalrun/metal/limits.go (simdWidth): " +
		"kernels with " +
		"simdgroup functions are skipped on other devices", judgeWidth},
	{"threads", "a threadgroup of the smallest kernel may have 1024 threads", "metalrun/metal/limits.go (mostThreads)",
		fact(func(f metalrun.Facts) int { return f.Threads }, 1024)},
	{"threads-of-pipelines", "every kernel runs in threadgroups of 1024 threads, or of its own limit",
		"shapes above a pipeline's limit are skipped there: suite/kernels wants smaller ones beside them",
		judgeThreads},
	{"threadgroup-memory", "a threadgroup has 32 KiB of memory", "metalrun/dispatch.go; suite/kernels: hosts " +
		"refuse more",
		fact(func(f metalrun.Facts) int { return f.ThreadgroupMemory }, 32<<10)},
	{"static-threadgroup-memory", "a kernel declares as much threadgroup memory as the front end counts",
		"metalrun/kernel_info.go (staticThreadgroupMemory), TestKernelInfo", judgeStaticMemory},
	{"features", "Apple7 and later have all features but atomic_ulong, which begins with Apple8",
		"metalrun/metal/fake/device.go (families); kernels that use the feature are skipped", judgeFeatures},
	{"gpu-clock", "a launch is timed by the clock of the GPU", "metalrun/metal/time.go; conform bench and calibrate",
		judgeClock},
}

var ofTheCompiler = []Assumption{
	{"language", "language versions 2.4 to 3.1 compile", "metalrun/compile_options.go (DefaultVersion)",
		judgeLanguages},
	{"math-modes", "all math modes go with precise and with fast functions", "metalrun/metal/options.go: " +
		"builds that the " +
		"system lacks are skipped", judgeModes},
	{"shaders-compile", "the compiler takes every shader file", "the shader that it refuses, and " +
		"metalrun/internal/types/codes.go: the front end has to refuse it as well", judgeFiles},
	{"no-warnings", "the compiler has nothing to say of them", "the shader that it warns of", judgeWarnings},
	{"pipelines-build", "every kernel becomes a pipeline, unless the device lacks a feature", "the kernel's " +
		"family in " +
		"suite/kernels", judgePipelines},
	{"controls-build", "beside each refusal the smallest kernel is built", "metalrun/metal/library.go (control)",
		judgeControls},
	{"pragma-math-mode", "#pragma METAL fp math_mode(safe) is obeyed in fast builds",
		"metalrun/metal/pragma.go; shaders/delta_net.metal (log_1p)", judgePragma},
}

var ofTheSystem = []Assumption{
	{"method-types", "the system's methods have the types of Apple's headers", "metalrun/metal/messages.go, " +
		"metalrun/metal/fake/objc/selectors.tsv", judgeMethods},
	{"constant-offsets", "constant buffers are aligned to 4 bytes from Apple2 on, and to 32 elsewhere",
		"metalrun/metal/limits.go (constantOffset)", never},
	{"room-of-pointers", "validation wants room for one element after the offset of every buffer",
		"metalrun/metal/kernel.go (newBuffer), metalrun/metal/fake/device.go", never},
	{"validation-reports", "shader validation reports to stderr, as \"Invalid device store at offset N, " +
		"executing kernel " +
		"function: \"", "metalrun/isolated/transcript.go (report); the canary of the CI leg shader validation", never},
	{"callback-errors", "errors of command buffers name those of the layer below", "metalrun/metal/failure.go " +
		"(callbackErrors)", never},
	{"exclusive-descriptor", "file descriptor 3 reaches a child process", "metalrun/isolated/serve.go", never},
}

// never is the judge of what no report can show.
func never(*Report) (Verdict, string) { return NotAsked, "" }

// answer wants an answer to a question of package probe.
func answer(question, want string) func(*Report) (Verdict, string) {
	return func(r *Report) (Verdict, string) {
		if r.Probe == nil {
			return NotAsked, ""
		}
		for _, a := range r.Probe.Measured {
			switch {
			case a.Question != question:
			case a.Answer == want:
				return Confirmed, a.Answer
			case a.Answer == "not supported" || strings.HasPrefix(a.Answer, "no answer"):
				return NotAsked, a.Answer
			default:
				return Refuted, a.Answer
			}
		}
		return NotAsked, ""
	}
}

// fact wants a number that the device reports.
func fact(of func(metalrun.Facts) int, want int) func(*Report) (Verdict, string) {
	return func(r *Report) (Verdict, string) {
		if r.Probe == nil || of(r.Probe.Facts) == 0 {
			return NotAsked, ""
		}
		got := of(r.Probe.Facts)
		return verdict(got == want), fmt.Sprint(got)
	}
}

func verdict(holds bool) Verdict {
	if holds {
		return Confirmed
	}
	return Refuted
}

// exceptions is the verdict on something that has to hold of all of a number of things.
func exceptions(all int, list []string) (Verdict, string) {
	switch {
	case all == 0:
		return NotAsked, ""
	case len(list) == 0:
		return Confirmed, fmt.Sprintf("of all %d", all)
	}
	const most = 6
	slices.Sort(list)
	list = slices.Compact(list)
	text := strings.Join(list[:min(len(list), most)], "; ")
	if n := len(list) - most; n > 0 {
		text += fmt.Sprintf("; and %d more", n)
	}
	return Refuted, text
}
