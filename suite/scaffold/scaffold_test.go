package scaffold

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite/spec"
)

// TestSpecifications writes first specifications of the kernels of the examples: each can be read, and has lines
// that its author would have written.
func TestSpecifications(t *testing.T) {
	for i, test := range []struct {
		file, kernel string
		want         []string
	}{
		{"softmax", "softmax_rows",
			[]string{`input("scores", f32, "rows", "n"),`, `output("weights", f32, "rows", "n"),`,
				`scalar("n", u32, "n"),`, `threadgroups = ["rows"],`, "threads_per_threadgroup = 32,",
				`"n": [1, 33, 100, 1000]`}},
		{"kernels", "my_norm", []string{`input("w", f32, "n"),`, `scalar("eps", f32, 1e-5),  # guess: the value`,
			`struct = "Norm"`, "threads_per_threadgroup = 128,", "def my_norm_oracle(x, w, eps):"}},
		{"kernels", "my_delta", []string{`input("beta", f32, "tokens"),`, `output("out", f32, "tokens", "channels"),`,
			`threads_per_threadgroup = "channels",`}},
		{"kernels", "my_q8", []string{`input("w", u8, "rows", "n"),`, `input("scale", f32, "rows", "n // 32"),`,
			`threads = ["rows"],`}},
		{"hosts", "view_scale", []string{`index = 3`, `scalar("gain", f32, 0.75),  # guess: the value`,
			`bytes = 32, struct = "View", index = 7,`}},
		{"../../suite/scaffold/testdata/apart", "gelu_rows",
			[]string{`input("w", f16, "rows", "cols", strides = ["ld", 1]),`, `output("y", f32, "rows"),`, `"ld": 71}`,
				`check = lambda ld, cols: None if ld >= cols else "no place for the rows",`,
				`settings = {"scale": [0.5]},`}},
		{"../../suite/scaffold/testdata/listed", "less_sum",
			[]string{`input("x", f32, "rows", "params_1"),`, `output("y", f32, "rows", "params_1"),`,
				`scalar("params_0", f32, 0.75),  # guess: the value`, `scalar("params_1", f32, "params_1"),`,
				`bytes = 8,`, `threads_per_threadgroup = 32,`}},
		{"../../suite/scaffold/testdata/typed", "scale_rows",
			[]string{`input("src", f32, "rows", "n"),`, `output("dst", f32, "rows", "n"),`}},
		{"../../suite/scaffold/testdata/typed", "guarded",
			[]string{`input("a", f32, "n"),`, `scalar("abort", u32, 0),  # guess: the value`,
				`scalar("mode", u8, 3),  # guess: the value`, `base = {"n": 64},`}},
		{"../../suite/scaffold/testdata/grids", "keep",
			[]string{`output("cache", f32, "heads", "capacity", "head_dim"),`, `threads = ["head_dim", "heads"],`,
				`"capacity": [6, 15]`,
				`check = lambda at, capacity: None if at < capacity else "no place for the rows",`}},
		{"../../suite/scaffold/testdata/grids", "choose",
			[]string{`input("strides", u64, "num_dims"`, `output("y", f32, "numel", 4),`,
				`threads = ["ceil_div(numel, 2)"],`, `constants = {"DENSE": "dense"},`, `"dense": [0]`}},
		{"../../suite/scaffold/testdata/grids", "rank", []string{`output("places", u32, "batch_size", "row_len"),`,
			`threadgroups = ["batch_size"],`, `"row_len": 300`}},
		{"../../suite/scaffold/testdata/grids", "top",
			[]string{`input("z", f16, "height", "cols"),`, `threadgroups = ["ceil_div(height, 8)"],`}},
		{"../../suite/scaffold/testdata/grids", "outer_products",
			[]string{`output("w", f32, "rows", "nv", "nu"),`, `threads = ["nu", "nv", "rows"],`}},
		{"../../suite/scaffold/testdata/grids", "fetch",
			[]string{`input("codes", u32, "entries", "width * bits // 32", strides = ["ld", 1]),`,
				`input("scales", f16, "entries", "width // group_size"),`,
				`input("ids", u32, "rows", fill = below("entries")),`}},
		{"../../suite/scaffold/testdata/grids", "pick_strided",
			[]string{`input("src", f32, "rows", "cols", strides = ["by_row", "by_col"]),`,
				`check = lambda by_row, cols, by_col: None if by_row >= cols * by_col`}},
		{"../../suite/scaffold/testdata/grids", "blurred",
			[]string{`input("x", f32, "ny", "nx"),`, `output("y", f32, "ny", "nx"),`}},
		{"../../suite/scaffold/testdata/grids", "sorted", []string{`output("y", f32, "rows", "n"),`,
			`threadgroups = [1, "rows"],`, `threads_per_threadgroup = "padded",`}},
		{"hosts", "collect", []string{`input("flags", bool, "n"),`, `inout("count", u32, 1, fill = every(0)),`}},
		{"../../suite/scaffold/testdata/rows", "causal",
			[]string{`inout("state", f32, "channels", "width - 1"),`, `"width": [2, 4]`}},
		{"../../suite/scaffold/testdata/rows", "scaled", []string{`input("w", u8, "rows", "cols // 2"),`,
			`input("scales", f16, "rows", "cols // 32"),`, `"cols": [32, 96, 1024]`}},
		{"../../suite/scaffold/testdata/rows", "filtered", []string{`input("w", f32, "cout", "cin", 3),`,
			`input("x", f32, "cin", "t"),`, `output("y", f32, "cout", "t"),`}},
		{"../../suite/scaffold/testdata/rows", "stepped", []string{`inout("p", f32, "n"),`,
			`scalar("rate", f32, 0.75),  # guess: the value`, `settings = {"rate": [0.5]}`}},
		{"../../suite/scaffold/testdata/rows", "largest",
			[]string{`base = {"cols": 300, "rows": 3}`, `"cols": [1, 33, 100, 1000]`}},
		{"../../suite/scaffold/testdata/tails", "doubled",
			[]string{`input("x", f32, "n"),`, `output("y", f32, "n"),`, `threads = ["n"],`}},
		{"../../suite/scaffold/testdata/tails", "counted", []string{`input("x", u32, "n + 2"),`,
			`output("y", u32, "n + 2"),  # guess: a launch touches 66 elements; 2 of Counted, then its data`}},
		{"../../suite/scaffold/testdata/tails", "scaled",
			[]string{`input("x", u8, "n * 4 + 8"),`, `output("y", u8, "n * 4 + 8"),`, `base = {"n": 64}`}},
		{"../../suite/scaffold/testdata/parts", "awq_gemv",
			[]string{`input("qweight", u32, "K", "N // 8"),`, `input("qzeros", u32, "K // group_size", "N // 8"),`,
				`input("scales", f16, "K // group_size", "N"),`, `"K": [32, 96, 1024], "N": [8, 32]`}},
		{"../../suite/scaffold/testdata/parts", "gptq_matvec",
			[]string{`input("qweight", u32, "in_features // 8", "out_features"),`,
				`input("qzeros", u32, "groups", "out_features // 8"),`,
				`input("scales", f32, "groups", "out_features"),`,
				`input("g_idx", i32, "in_features", fill = below("groups")),`, `"in_features": [8, 24, 1024]`}},
		{"../../suite/scaffold/testdata/parts", "segment_sum",
			[]string{`input("values", f32, "total", "dim"),`,
				`input("offsets", u32, "num_segments + 1", fill = offsets("total")),`,
				`output("sums", f32, "num_segments", "dim"),`}},
		{"../../suite/scaffold/testdata/parts", "csr_spmv",
			[]string{`input("row_ptr", i32, "n_rows + 1", fill = offsets("total")),`,
				`input("col_idx", i32, "total", fill = below("n_cols")),`, `input("vals", f32, "total"),`,
				`input("x", f32, "n_cols"),`}},
		{"../../suite/scaffold/testdata/parts", "accept_draft",
			[]string{`input("target_probs", f32, "batch", "draft_len", "vocab"),`,
				`input("draft_tokens", i32, "batch", "draft_len", fill = below("vocab")),`,
				`input("uniforms", f32, "batch", "draft_len"),`}},
		{"../../suite/scaffold/testdata/parts", "grouped_matmul",
			[]string{`input("tokens", f32, "entries", "hidden"),`,
				`input("expert_offsets", u32, "num_experts + 1", fill = offsets("total")),`,
				`input("gather", u32, "total", fill = below("entries")),`, `output("out", f32, "total", "inter"),`,
				`threads = ["inter", "num_experts"],`}},
		{"../../suite/scaffold/testdata/parts", "reshape_and_cache",
			[]string{`inout("key_cache", f16, "entries", "num_heads", "head_size"),`}},
		{"../../suite/scaffold/testdata/instances", "squared_f32", []string{`input("x", f32, "rows", "cols"),`,
			`scalar("cols", i32, "cols"),`, `bytes = 8, struct = "Rows",`, `threads = ["cols", "rows"],`}},
		{"../../suite/scaffold/testdata/instances", "weighted_f32",
			[]string{`scalar("n", i64, "n"),`, `bytes = 24, struct = "Norm",`}},
		{"../../suite/scaffold/testdata/instances", "shrunk", []string{`input("in_", f32, "n"),`,
			`scalar("lambda_", f32, 0.75),`, `struct = "Step"`, "def shrunk_oracle(in_, from_, lambda_):"}},
		{"../../suite/scaffold/testdata/instances", "biased", []string{`input("x", f32, "rows", "cols"),`,
			`input("bias", f32, "cols"),`, `constants = {"has_bias": "has_bias"}`}},
		{"../../suite/scaffold/testdata/instances", "states_16",
			[]string{`input("a", f32, "dim", 16),`, `output("y", f32, "rows", "tokens", "dim"),`,
				`output("last", f32, "rows", "dim", 16),`, `threads = ["dim", "rows"],`}},
		{"../../suite/scaffold/testdata/instances", "grouped_scores", []string{`input("q", f32, "heads", "head_dim"),`,
			`input("k", f32, "kv_heads", "seq", "head_dim"),`, `"heads": [4, 16], "kv_heads": [1, 4]`}},
		{"../../suite/scaffold/testdata/instances", "trace",
			[]string{`input("a", f32, "n", 3),`, `output("y", f32, "n"),`}},
		{"../../suite/scaffold/testdata/instances", "transposed",
			[]string{`output("to", u8, "size_0", "size_1", 4),`, `threads_per_threadgroup = [32, 8, 1],`,
				`threadgroups = ["ceil_div(size_0, 32)", "ceil_div(size_1, 32)"],`}},
		{"../../suite/scaffold/testdata/instances", "relaxed",
			[]string{`input("u", f32, "nz", "ny", "nx"),`, `input("b", f32, "nz", "ny", "nx"),`,
				`output("v", f32, "nz", "ny", "nx"),`, `threads = ["nx", "ny", "nz"],`}},
		{"../../suite/scaffold/testdata/instances", "updated",
			[]string{`inout("w", f32, "elements"),`, `scalar("step", u32, "step"),`, `threads = ["elements"],`}},
		{"../../suite/scaffold/testdata/instances", "planes", []string{`output("y", f32, 9, "rows", "cols"),`}},
		{"../../suite/scaffold/testdata/instances", "appended", []string{`threads = ["dim", "rows"],`, `"nb01": 3584`}},
		{"hosts", "look_up", []string{`input("packed", u8, "n // 4"),`, `input("scale", f16, "n // 32"),`}},
	} {
		t.Run(test.kernel, func(t *testing.T) {
			if testing.Short() && i%6 != 0 {
				t.Skip("each is many launches")
			}
			t.Parallel()
			text := specified(t, test.file, test.kernel, UsualWork)
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %s in\n%s", want, text)
				}
			}
			if _, err := new(spec.Limits).Read(fstest.MapFS{"f.star": {Data: []byte(text)}}, "f.star"); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}

// A launch that would take much of what all may is passed over, and the others show what they do.
func TestPassedLaunch(t *testing.T) {
	got := specified(t, "../../suite/scaffold/testdata/long", "long_sum", 1<<30)
	for _, want := range []string{
		"# Not all that shows lengths was launched, and some are open: a launch of 512 threadgroups would take more " +
			"than 1/8 of the 1073741824 steps that all may, which -launch-budget can raise",
		`output("y", f32, "rows"),`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func specified(t *testing.T, file, kernel string, work int64) string {
	t.Helper()
	return specifiedIn(t, "../../examples/starlark/", file, kernel, work)
}

// specifiedIn is the same of a file in a directory.
func specifiedIn(t *testing.T, dir, file, kernel string, work int64) string {
	t.Helper()
	source, err := os.ReadFile(dir + file + ".metal")
	if err != nil {
		t.Fatal(err)
	}
	program, err := metalrun.Analyse(metalrun.SourceText(file, string(source)),
		metalrun.CompileOptions{LanguageVersion: metalrun.DefaultVersion})
	if err != nil {
		t.Fatal(err)
	}
	infos, err := program.Kernels()
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range infos {
		if info.Name != kernel {
			continue
		}
		s, err := New(t.Context(), info, program, sim.New(sim.Semantics{Steps: 1 << 22}),
			sim.New(sim.Semantics{Steps: 1 << 22, Check: true}), work)
		if err != nil {
			t.Fatal(err)
		}
		return s.Text(file + ".metal")
	}
	t.Fatalf("no kernel %s", kernel)
	return ""
}

// A kernel whose launches take too much is described as far as they came, and says so.
func TestSpentWork(t *testing.T) {
	const want = "# Not all that shows lengths was launched, and some are open: the launches took the 1000000 steps " +
		"that they may, which -launch-budget can raise"
	if got := specified(t, "softmax", "softmax_rows", 1_000_000); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
