package structure

import (
	"path"
	"strings"
)

// exception lets a place break a rule.
type exception struct {
	rule   string
	place  string // as in violation; a package stands for its files and names
	most   int    // the size that is allowed here; 0 allows any
	reason string
}

// exceptions are sorted by place.
var exceptions = []exception{
	{rule: "fields", place: "conform.Kernel", reason: "what a specification may say: one fact a field"},
	{rule: "columns", place: "docs/checks.md", reason: "the manual shows output as it is printed"},
	{rule: "columns", place: "docs/exact.md", reason: "the manual shows output as it is printed"},
	{rule: "columns", place: "docs/gate.md", reason: "the manual shows output as it is printed"},
	{rule: "columns", place: "docs/limits.md", reason: "the manual shows output as it is printed"},
	{rule: "columns", place: "docs/math.md", reason: "the manual shows output as it is printed"},
	{rule: "columns", place: "docs/verdicts.md", reason: "the manual shows output as it is printed"},
	{rule: "lines", place: "metalrun/internal/ir/lower.storage.expr", reason: "a switch: a case a node"},
	{rule: "cycle", place: "metalrun/internal/simt/codegen", most: 50, reason: "methods of one compiler"},
	{rule: "fields", place: "metalrun/internal/simt/lanes.Table", reason: "a table of functions: a field a loop"},
	{rule: "cycle", place: "metalrun/internal/simt/machine", most: 47, reason: "methods of one machine"},
	{rule: "fields", place: "metalrun/internal/simt/machine.Options", reason: "a choice a field"},
	{rule: "fields", place: "metalrun/sim.Semantics", reason: "a choice a field"},
	{rule: "lines", place: "metalrun/internal/simt/machine.ScalarProgram.Execute", reason: "a case an operation"},
	{rule: "columns", place: "metalrun/internal/syntax/tensor.metal", reason: "Metal's library: a declaration a line"},
	{rule: "lines", place: "metalrun/internal/syntax.parser.specifiers", reason: "a switch: a case a specifier"},
	{rule: "lines", place: "metalrun/internal/syntax.printer.operand", reason: "a switch: a case a node"},
	{rule: "lines", place: "metalrun/internal/syntax.printer.stmt", reason: "a switch: a case a node"},
	{rule: "columns", place: "metalrun/internal/types/clang.metal", reason: "Metal's library: a declaration a line"},
	{rule: "columns", place: "metalrun/internal/types/event.metal", reason: "Metal's library: a declaration a line"},
	{rule: "columns", place: "metalrun/internal/types/prelude.metal", reason: "Metal's library: a declaration a line"},
	{rule: "columns", place: "metalrun/internal/types/texture.metal", reason: "Metal's library: a declaration a line"},
	{rule: "lines", place: "metalrun/internal/types.checker.namedCall", reason: "a switch: a case a kind of call"},
	{rule: "cycle", place: "metalrun/internal/types", reason: "one checker, as in go/types: lambdas are expressions"},
	{rule: "files", place: "metalrun/internal/types", most: 80, reason: "one checker, as in go/types"},
	{rule: "fields", place: "oracles/internal/loops.StepToken", reason: "generated assembly reads its fields"},
	{rule: "fields", place: "oracles/internal/loops.Table", reason: "a table of functions: a field a loop"},
	{rule: "fields", place: "suite.Failure", reason: "the format of results: a field a key"},
	{rule: "fields", place: "suite.Result", reason: "the format of results: a field a key"},
	{rule: "lines", place: "suite/kernels.attentionOnline", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.gatedDeltaNet", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.gatedDeltaNetChunkOutput", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.gatedDeltaNetChunkState", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.gatedDeltaNetRecomputeWU", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.mlaInputs", reason: "a table: a row a family of inputs"},
	{rule: "lines", place: "suite/metrics.All", reason: "a table: a row a metric"},
}

func (e exception) covers(v violation) bool {
	inside := e.rule == "columns" && path.Dir(v.place) == e.place || strings.HasPrefix(v.place, e.place+".")
	return e.rule == v.rule && (v.place == e.place || inside) && (e.most == 0 || v.size <= e.most)
}

// excused splits violations from those that an exception covers, and finds exceptions that cover nothing.
func excused(found []violation, but []exception) (left []violation, stale []exception) {
	used := map[exception]bool{}
	for _, v := range found {
		covered := false
		for _, e := range but {
			if e.covers(v) {
				covered, used[e] = true, true
			}
		}
		if !covered {
			left = append(left, v)
		}
	}
	for _, e := range but {
		if !used[e] {
			stale = append(stale, e)
		}
	}
	return left, stale
}
