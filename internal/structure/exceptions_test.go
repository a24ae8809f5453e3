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
	{rule: "columns", place: "cmd/conform", reason: "being split"},
	{rule: "cycle", place: "cmd/conform", reason: "being split"},
	{rule: "files", place: "cmd/conform", reason: "being split"},
	{rule: "lines", place: "cmd/conform", reason: "being split"},
	{rule: "fields", place: "conform.Kernel", reason: "what a specification may say: one fact a field"},
	{rule: "columns", place: "internal/structure", reason: "being split"},
	{rule: "columns", place: "metalrun/internal/ir", reason: "being split"},
	{rule: "comments", place: "metalrun/internal/ir", reason: "being split"},
	{rule: "cycle", place: "metalrun/internal/ir", reason: "being split"},
	{rule: "fields", place: "metalrun/internal/ir", reason: "being split"},
	{rule: "lines", place: "metalrun/internal/ir", reason: "being split"},
	{rule: "columns", place: "metalrun/internal/simt", reason: "being split"},
	{rule: "cycle", place: "metalrun/internal/simt", reason: "being split"},
	{rule: "fields", place: "metalrun/internal/simt", reason: "being split"},
	{rule: "files", place: "metalrun/internal/simt", reason: "being split"},
	{rule: "lines", place: "metalrun/internal/simt", reason: "being split"},
	{rule: "columns", place: "metalrun/internal/simt/lanes", reason: "being split"},
	{rule: "fields", place: "metalrun/internal/simt/lanes.Table", reason: "a table of functions: a field a loop"},
	{rule: "columns", place: "metalrun/internal/simt/lanes/avx2", reason: "being split"},
	{rule: "columns", place: "metalrun/internal/simt/lanes/neon", reason: "being split"},
	{rule: "columns", place: "metalrun/internal/syntax", reason: "being split"},
	{rule: "comments", place: "metalrun/internal/syntax", reason: "being split"},
	{rule: "lines", place: "metalrun/internal/syntax", reason: "being split"},
	{rule: "columns", place: "metalrun/internal/types", reason: "being split"},
	{rule: "cycle", place: "metalrun/internal/types", reason: "one checker, as in go/types: lambdas are expressions"},
	{rule: "files", place: "metalrun/internal/types", reason: "being split"},
	{rule: "lines", place: "metalrun/internal/types", reason: "being split"},
	{rule: "fields", place: "oracles/internal/loops.StepToken", reason: "generated assembly reads its fields"},
	{rule: "fields", place: "oracles/internal/loops.Table", reason: "a table of functions: a field a loop"},
	{rule: "columns", place: "reports/history", reason: "being split"},
	{rule: "columns", place: "reports/trend", reason: "being split"},
	{rule: "columns", place: "suite", reason: "being split"},
	{rule: "comments", place: "suite", reason: "being split"},
	{rule: "cycle", place: "suite", reason: "being split"},
	{rule: "fields", place: "suite", reason: "being split"},
	{rule: "files", place: "suite", reason: "being split"},
	{rule: "lines", place: "suite/kernels.attentionOnline", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.gatedDeltaNet", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.gatedDeltaNetChunkOutput", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.gatedDeltaNetChunkState", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.gatedDeltaNetRecomputeWU", reason: "declares one kernel: a literal"},
	{rule: "lines", place: "suite/kernels.mlaInputs", reason: "a table: a row a family of inputs"},
	{rule: "lines", place: "suite/metrics.All", reason: "a table: a row a metric"},
	{rule: "columns", place: "suite/search", reason: "being split"},
	{rule: "columns", place: "suite/sketch", reason: "being split"},
	{rule: "lines", place: "suite/sketch.Sketch.findAxes", reason: "being split"},
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
