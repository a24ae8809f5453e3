package kernels

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/packs"
)

var ablation struct {
	workloads string
	passes    string
	file      string
	limit     time.Duration
}

func init() {
	flag.StringVar(&ablation.workloads, "ablation", "", "workloads of BenchmarkAblation, a `REGEX`")
	flag.StringVar(&ablation.passes, "ablation.passes", "", "passes that it leaves out, a `REGEX`")
	flag.StringVar(&ablation.file, "ablation.out", "", "append its measurements to `FILE`")
	flag.DurationVar(&ablation.limit, "ablation.limit", 15*time.Second, "time for a workload, a `DURATION`")
}

// BenchmarkAblation measures how much more CPU time each workload takes without one pass of the simulator at a time.
//
// The speed of a shared machine changes from one millisecond to the next. So the unchanged simulator runs before and
// after each run without a pass, and what counts is the median of the ratios, of pairs of runs that agree. A pass whose
// gain is clear, or clearly none, takes part in fewer rounds. Each line gives the workload, the pass, the seconds with
// and without it, the gain in percent, and how many ratios there are.
//
// Workloads of other projects' kernels need checkouts of them in the directory CONFORM_PACKS.
func BenchmarkAblation(b *testing.B) {
	if ablation.workloads == "" {
		b.Skip("-ablation names no workloads")
	}
	out := io.Writer(os.Stdout)
	if ablation.file != "" {
		f, err := os.OpenFile(ablation.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		out = f
	}
	only, passes := regexp.MustCompile(ablation.workloads), regexp.MustCompile(ablation.passes)
	var names []string
	for _, p := range sim.PassList() {
		if passes.MatchString(p.Name) {
			names = append(names, p.Name)
		}
	}
	names = append(names, nothing)
	for _, w := range workloads() {
		if !only.MatchString(w.name) {
			continue
		}
		prepare, err := w.open(b)
		if err == nil {
			err = ablate(out, w.name, prepare, names)
		}
		if err != nil {
			fmt.Fprintf(out, "# %s: %s\n", w.name, strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
}

// nothing is the name under which a workload runs with all passes: its gain is the error of the measurement.
const nothing = "nothing"

// timed is a run of a workload that gives its CPU time in seconds.
type timed func() (float64, error)

// ablate measures a workload, which prepare makes ready to run without some passes.
func ablate(out io.Writer, name string, prepare func(without string) (timed, error), passes []string) error {
	begun := time.Now()
	all, err := prepare("")
	if err != nil {
		return err
	}
	runs := map[string]timed{}
	for _, p := range passes {
		if p == nothing {
			runs[p], err = prepare("")
		} else {
			runs[p], err = prepare(p)
		}
		if err != nil {
			return err
		}
		if _, err = runs[p](); err != nil { // it fills caches
			return err
		}
	}
	best, err := all()
	ratios, left := map[string][]float64{}, slices.Clone(passes)
	draw := rand.New(rand.NewPCG(1, 2))
	const rounds = 25
	for range rounds {
		if err != nil || len(left) == 0 || time.Since(begun) > ablation.limit {
			break
		}
		draw.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		runtime.GC()
		err = ablationRound(all, runs, left, ratios, &best)
		left = slices.DeleteFunc(left, func(p string) bool { return decided(ratios[p]) })
	}
	for _, p := range passes {
		gain := median(ratios[p]) - 1
		fmt.Fprintf(out, "%s\t%s\t%.6f\t%.6f\t%.1f\t%d\n", name, p, best, best*(1+gain), 100*gain, len(ratios[p]))
	}
	return err
}

// ablationRound runs each of some passes' runs between two of all, and adds the ratios of those that agree.
func ablationRound(
	all timed, runs map[string]timed, passes []string, ratios map[string][]float64, best *float64,
) error {
	before, err := all()
	if err != nil {
		return err
	}
	for _, p := range passes {
		t, err := runs[p]()
		if err != nil {
			return err
		}
		after, err := all()
		if err != nil {
			return err
		}
		if math.Abs(before/after-1) < 0.07 {
			ratios[p] = append(ratios[p], 2*t/(before+after))
		}
		*best, before = min(*best, after), after
	}
	return nil
}

// decided reports whether more ratios would tell nothing new: a gain is large, or none.
func decided(ratios []float64) bool {
	n, m := len(ratios), median(ratios)
	return n >= 4 && (m < 1.01 || m > 1.4) || n >= 8 && m < 1.02 || n >= 15
}

// workload is something that users wait for.
type workload struct {
	name string
	open opening
}

// opening gives what makes a workload ready to run without some passes.
type opening func(tb testing.TB) (prepare func(without string) (timed, error), err error)

// workloads are launches at shapes of real models, shortened along an axis that only repeats; samples of the launches
// of sweeps, observed and with exact execution; and such samples judged, as conform run does it.
func workloads() (list []workload) {
	add := func(name string, open opening) {
		list = append(list, workload{name, open})
	}
	for _, l := range ablationLaunches {
		add("launch/"+strings.ReplaceAll(l, " ", ","), modelLaunch("", l, sim.Semantics{}))
	}
	for _, l := range ggmlLaunches {
		add("ggml/"+strings.ReplaceAll(l, " ", ","), modelLaunch("ggml", l, sim.Semantics{}))
	}
	adversary := sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Number: 1, Choices: -1}}
	for _, l := range adversaryLaunches {
		add("adversary/"+strings.ReplaceAll(l, " ", ","), modelLaunch("", l, adversary))
	}
	for _, l := range exactLaunches {
		add("exact/"+strings.ReplaceAll(l, " ", ","), modelLaunch("", l, sim.Exactly(metalrun.Arithmetic{})))
	}
	for name, share := range map[string]int{"": 320, "ggml": 1600, "mlx": 1600, "candle": 320} {
		for _, exact := range []bool{false, true} {
			kind := map[bool]string{false: "observed", true: "exact"}[exact]
			add(strings.TrimSuffix("sample_"+kind+"_"+name, "_"), sampledLaunches(name, share, exact))
			add(strings.TrimSuffix("judged_"+kind+"_"+name, "_"), judgedSample(name, share, exact))
		}
	}
	slices.SortFunc(list, func(a, b workload) int { return strings.Compare(a.name, b.name) })
	return list
}

// ablationLaunches are kernels at shapes of real models.
var ablationLaunches = []string{
	"gated_delta_net_f32 n_seqs=1 T=256 Hk=32 Hv=32 Dk=128 Dv=128",
	"gated_delta_net_sequential n_tokens=6 Hk=16 Hv=32",
	"gated_delta_net_chunkwise n_tokens=64 Hk=16 Hv=32",
	"chunk_tri_solve_invert_f32 B=1 T=64 H=16",
	"gated_delta_net_kkt_bf16 T=64 Hg=16 H=32 K=128",
	"gated_delta_net_recompute_wu_bf16 T=64 Hg=16 H=32 K=128 V=128",
	"gated_delta_net_chunk_inter_state_bf16 T=64 Hg=4 H=4 V=128",
	"gated_delta_net_chunk_o_bf16 T=64 Hg=4 H=4 V=128",
	"conv1d_step T=8 conv_dim=8192",
	"attn_online_f32 T=1 S=4096 H=8 Hg=2 D=128 causal=1 start_pos=4095",
	"attn_online_f32 T=8 S=1024 H=4 Hg=1 D=128 causal=1 start_pos=1016",
	"attn_scores_batched H=8 Hg=2 D=128 seq_len=512",
	"attn_scores_tiled H=8 Hg=2 D=128 seq_len=512",
	"attn_softmax_batched H=4 seq_len=65536",
	"attn_values_batched H=8 Hg=2 D=128 seq_len=2048",
	"attn_values_tiled H=8 Hg=2 D=256 seq_len=1024",
	"rope_n_tokens n_tokens=64 H=32 D=128 rotary_dim=64",
	"rms_norm_bf16_fused_n_tokens n_tokens=256 dim=4096",
	"rms_norm_per_head_n_tokens n_tokens=64 num_heads=32 head_dim=128",
	"residual_add_n_tokens n_tokens=1024 dim=4096",
	"dequant_matvec_4bit out_dim=2048 in_dim=4096",
	"dequant_matvec_4bit_fast out_dim=2048 in_dim=4096",
	"dequant_matvec_4bit_v3 out_dim=2048 in_dim=4096",
	"dequant_matvec_4bit_v3_n_tokens n_tokens=4 out_dim=512 in_dim=4096",
	"dequant_matvec_4bit_v5 out_dim=512 in_dim=4096",
	"dequant_matvec_8bit_v3 out_dim=2048 in_dim=4096",
	"dequant_matvec_2bit out_dim=1024 in_dim=4096",
	"bf16_matvec out_dim=1024 in_dim=4096",
	"bf16_matmul_n_tokens n_tokens=4 out_dim=512 in_dim=4096",
	"embed_gather_4bit n_tokens=128 vocab=1024 hidden_dim=4096",
	"moe_softmax_topk n_tokens=32 n_experts=512 k=10",
	"swiglu_fused_batched K=512 dim=8448",
	"moe_combine_residual dim=131072 K=8",
	"mla_sdpa_folded num_heads=4 kv_lora_rank=512 qk_rope_head_dim=64 cache_len=1024",
	"mla_sdpa_tile_accumulate num_heads=8 kv_lora_rank=512 qk_rope_head_dim=64 cache_len=256 tile=256",
	"mla_q_prime_4bit num_heads=8 nope=128 kv_lora_rank=512 kv_b_per_head=256 group_size=64",
	"tq_dequantize_hb_kv_seq num_kv_heads=2 head_dim=256 cache_capacity=4096 start_pos=0 n_tokens=4096 norms_per_pos=1",
}

// adversaryLaunches are launches under an adversary.
var adversaryLaunches = []string{
	"moe_softmax_topk n_tokens=4 n_experts=512 k=10",
	"rms_norm_bf16_fused_n_tokens n_tokens=64 dim=4096",
}

// exactLaunches are launches with exact execution.
var exactLaunches = []string{
	"gated_delta_net_f32 n_seqs=1 T=16 Hk=2 Hv=2 Dk=128 Dv=128",
	"gated_delta_net_sequential n_tokens=4 Hk=2 Hv=4",
	"attn_online_f32 T=1 S=256 H=4 Hg=1 D=128 causal=1 start_pos=255",
	"dequant_matvec_4bit_v3 out_dim=256 in_dim=2048",
	"rms_norm_bf16_fused_n_tokens n_tokens=16 dim=4096",
	"moe_softmax_topk n_tokens=4 n_experts=512 k=10",
	"mla_sdpa_folded num_heads=2 kv_lora_rank=512 qk_rope_head_dim=64 cache_len=64",
}

// ggmlLaunches are some of ggml's.
var ggmlLaunches = []string{
	"kernel_mul_mm_f16_f32 rows=64 vectors=32 n=4096",
	"kernel_mul_mm_q4_0_f32 rows=64 vectors=32 n=4096",
	"kernel_mul_mv_f16_f32_4 rows=128 vectors=1 n=14336",
	"kernel_mul_mv_q4_0_f32 rows=128 vectors=1 n=14336",
	"kernel_flash_attn_ext_f16_dk128_dv128 tokens=8 heads=4 kv_heads=1 n=512",
	"kernel_flash_attn_ext_vec_f16_dk128_dv128 tokens=1 heads=8 kv_heads=2 n=1024 groups=4",
	"kernel_gated_delta_net_f32_4 tokens=8 q_heads=4 heads=8 n=128",
	"kernel_rms_norm_f32_4 rows=256 n=4096",
	"kernel_soft_max_f32_4 rows=256 n=4096",
}

// sampledCases are each share-th case of the quick sweep of a pack, or of this package, and the sources.
func sampledCases(pack string, share int) ([]suite.Case, *suite.Shaders, error) {
	families, source := All(), openOurs
	if pack != "" {
		p, err := packs.Read(pack, nil)
		if err != nil {
			return nil, nil, err
		}
		families, source = p.Families, func() (*suite.Shaders, error) { return packShaders(pack) }
	}
	shaders, err := source()
	if err != nil {
		return nil, nil, err
	}
	return every(suite.Cases(families, suite.Quick), share, 5), shaders, nil
}

// sampledLaunches are the launches of a sample of the quick sweep, but for those that take long: each by itself, the
// best of several.
func sampledLaunches(pack string, share int, exact bool) opening {
	return func(tb testing.TB) (func(without string) (timed, error), error) {
		cases, shaders, err := sampledCases(pack, share)
		if err != nil {
			return nil, err
		}
		semantics := sim.Semantics{Check: true}
		if exact {
			semantics = sim.Exactly(metalrun.Arithmetic{})
		}
		var recorded []*keepingProgram
		for _, c := range cases {
			if c.Pipeline != nil {
				continue
			}
			r, err := record(tb, c, shaders)
			if err != nil {
				continue // refused shapes
			}
			if run, err := r.prepare(semantics, 1); err == nil {
				if t, err := run(); err == nil && t < 0.05 {
					recorded = append(recorded, r)
				}
			}
		}
		return func(without string) (timed, error) {
			of := semantics
			of.Without = without
			var runs []timed
			for _, r := range recorded {
				run, err := r.prepare(of, 1)
				if err != nil {
					return nil, err
				}
				runs = append(runs, run)
			}
			return func() (sum float64, err error) {
				for _, run := range runs {
					least := math.Inf(1)
					for range 3 {
						t, err := run()
						if err != nil {
							return 0, err
						}
						least = min(least, t)
					}
					sum += least
				}
				return sum, nil
			}, nil
		}, nil
	}
}

// judgedSample judges a sample of the quick sweep.
func judgedSample(pack string, share int, exact bool) opening {
	return func(tb testing.TB) (func(without string) (timed, error), error) {
		cases, shaders, err := sampledCases(pack, share)
		return func(without string) (timed, error) {
			return func() (float64, error) {
				begun := cpu()
				err := judged(cases, shaders, exact, without)
				return cpu() - begun, err
			}, nil
		}, err
	}
}

// judged judges cases as conform run does.
func judged(cases []suite.Case, shaders *suite.Shaders, exact bool, without string) error {
	opts := suite.Options{Shaders: shaders, Seed: 1, Parallel: 1}
	for n := 1; n <= 2; n++ {
		taking := func(choices int) metalrun.Runner {
			adversary := &sim.Adversary{Seed: 1, Number: n, Choices: choices}
			return sim.New(sim.Semantics{Adversary: adversary, Without: without})
		}
		opts.Adversaries = append(opts.Adversaries, suite.Adversary{Number: n, Runner: taking(-1), Taking: taking})
	}
	if exact {
		opts.Exact = suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
			m := sim.Exactly(a)
			m.Without = without
			return sim.New(m)
		})
	}
	reference := sim.New(sim.Semantics{Check: true, Without: without})
	return suite.Run(context.Background(), reference, opts, cases, func(suite.Result) {})
}

// every is each share-th case, from one on.
func every(cases []suite.Case, share, first int) (some []suite.Case) {
	for i := first % share; i < len(cases); i += share {
		some = append(some, cases[i])
	}
	return some
}

// packShaders are the sources of a pack in a checkout that CONFORM_PACKS has.
func packShaders(name string) (*suite.Shaders, error) {
	root := os.Getenv("CONFORM_PACKS")
	if root == "" {
		return nil, errors.New("CONFORM_PACKS names no directory of checkouts")
	}
	dir, below, macros := filepath.Join(root, name), "", map[string]string{}
	switch name {
	case "ggml":
		dir, macros["GGML_METAL_HAS_BF16"] = filepath.Join(dir, "src"), "1"
		below = "ggml-metal"
	case "mlx":
		below = "mlx/backend/metal/kernels"
	case "candle":
		dir = filepath.Join(dir, "candle-metal-kernels/src/metal_src")
	}
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		metal := strings.HasSuffix(path, ".metal")
		if !metal && !strings.HasSuffix(path, ".h") || metal && !strings.HasPrefix(path, below) {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	return suite.NewShaders(files, func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
		src.Files, src.Dirs = files, []string{"."}
		if len(macros) > 0 {
			all := map[string]string{}
			for k, v := range opts.Macros {
				all[k] = v
			}
			for k, v := range macros {
				all[k] = v
			}
			opts.Macros = all
		}
		return metalrun.Analyse(src, opts)
	})
}

// modelLaunch launches a kernel of this package or of a pack at a shape.
func modelLaunch(pack, text string, of sim.Semantics) opening {
	return func(tb testing.TB) (func(without string) (timed, error), error) {
		name, axes, _ := strings.Cut(text, " ")
		families, source := All(), openOurs
		if pack != "" {
			p, err := packs.Read(pack, nil)
			if err != nil {
				return nil, err
			}
			families, source = p.Families, func() (*suite.Shaders, error) { return packShaders(pack) }
		}
		c, err := caseOf(families, name, axes)
		if err != nil {
			return nil, err
		}
		shaders, err := source()
		if err != nil {
			return nil, err
		}
		r, err := record(tb, c, shaders)
		if err != nil {
			return nil, err
		}
		once, err := r.prepare(of, 1)
		if err != nil {
			return nil, err
		}
		took, err := once()
		return func(without string) (timed, error) {
			of.Without = without
			return r.prepare(of, max(1, int(0.0015/took)))
		}, err
	}
}

// record records the launch of a case.
func record(tb testing.TB, c suite.Case, shaders *suite.Shaders) (*keepingProgram, error) {
	k := *c.Kernel
	k.Oracle = func(*suite.Problem) suite.Answers { return nil }
	c.Kernel = &k
	r := &keepingProgram{recorder: recorder{Runner: sim.New(sim.Semantics{})}, kernel: k.Name}
	result := verdicts(tb, r, suite.Options{Shaders: shaders, Parallel: 1}, c)[0]
	if len(r.dispatches) != 1 || r.program == nil {
		return nil, fmt.Errorf("%d launches instead of one: %s", len(r.dispatches), result.Text())
	}
	return r, nil
}

// keepingProgram is a recorder that keeps the program, too.
type keepingProgram struct {
	recorder
	program *metalrun.Program
	kernel  string
}

func (r *keepingProgram) Compile(p *metalrun.Program) (metalrun.Library, error) {
	r.program = p
	return &r.recorder, nil
}

// prepare compiles the kernel, and gives some launches of it.
func (r *keepingProgram) prepare(semantics sim.Semantics, launches int) (timed, error) {
	library, err := sim.New(semantics).Compile(r.program)
	if err != nil {
		return nil, err
	}
	kernel, err := library.Kernel(r.kernel)
	if err != nil {
		return nil, err
	}
	return func() (float64, error) {
		begun := cpu()
		for range launches {
			if _, err := kernel.Run(r.dispatches[0]); err != nil {
				return 0, err
			}
		}
		return cpu() - begun, nil
	}, nil
}

// caseOf is the first case of a kernel with other values of some axes.
func caseOf(families []suite.Family, name, axes string) (suite.Case, error) {
	for _, c := range suite.Cases(families, suite.Quick) {
		if c.Pipeline != nil || c.Kernel.Name != name {
			continue
		}
		shape := suite.Shape{}
		for _, part := range strings.Fields(axes) {
			axis, value, _ := strings.Cut(part, "=")
			if _, ok := c.Shape[suite.Axis(axis)]; !ok {
				return c, fmt.Errorf("%s has no axis %s: %v", name, axis, c.Shape)
			}
			n, err := strconv.Atoi(value)
			if err != nil {
				return c, err
			}
			shape[suite.Axis(axis)] = n
		}
		c.Shape = c.Shape.With(shape)
		if k := c.Kernel; k.Check != nil {
			if err := k.Check(c.Shape); err != nil {
				return c, err
			}
		}
		return c, nil
	}
	return suite.Case{}, fmt.Errorf("no kernel %s", name)
}

// cpu is the CPU time of this process, in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	if len(x) == 0 {
		return math.NaN()
	}
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
