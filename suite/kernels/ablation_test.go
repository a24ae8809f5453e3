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
	"os/exec"
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
	run     string
	file    string
	limit   time.Duration
	command string
	files   string
}

func init() {
	flag.StringVar(&ablation.run, "ablation", "", "workloads that match `REGEX`")
	flag.StringVar(&ablation.file, "ablation.out", "", "append measurements to `FILE`")
	flag.DurationVar(&ablation.limit, "ablation.limit", time.Minute, "stop after `DURATION`")
	flag.StringVar(&ablation.command, "ablation.conform", "", "the `PATH` of conform")
	flag.StringVar(&ablation.files, "ablation.files", "", "sources for check -exec, a `PATTERN`")
}

// workload is something that users wait for.
type workload struct {
	name string
	open func(tb testing.TB) (func(without string) error, error)
}

func ablationWorkloads() []workload {
	var list []workload
	add := func(name string, open func(tb testing.TB) (func(without string) error, error)) {
		list = append(list, workload{name, open})
	}
	for i := range 4 {
		add(fmt.Sprintf("quick/%d", i), sweep(suite.Quick, false, 16, i*4+1))
		add(fmt.Sprintf("quick_exact/%d", i), sweep(suite.Quick, true, 32, i*8+3))
		add(fmt.Sprintf("full/%d", i), sweep(suite.Full, false, 300, i*70+7))
		add(fmt.Sprintf("full_exact/%d", i), sweep(suite.Full, true, 600, i*140+17))
	}
	for name, share := range map[string]int{"ggml": 200, "mlx": 200, "candle": 40} {
		for i := range 2 {
			add(fmt.Sprintf("pack_%s/%d", name, i), packSample(name, share, i*share/2+1))
		}
	}
	for i, files := range [][]string{{"affine", "cast", "fill", "gemv", "indexing", "random", "sort", "ternary"}, {"conv"}, {"reduce"}} {
		add(fmt.Sprintf("check_exec/%d", i), checkExec(files))
	}
	for _, l := range ablationLaunches {
		add("launch/"+strings.ReplaceAll(l, " ", ","), modelLaunch("", l))
	}
	for _, l := range ggmlLaunches {
		add("ggml_launch/"+strings.ReplaceAll(l, " ", ","), modelLaunch("ggml", l))
	}
	return list
}

// ablationLaunches are kernels at shapes of real models.
var ablationLaunches = []string{
	"gated_delta_net_f32 n_seqs=1 T=4096 Hk=32 Hv=32 Dk=128 Dv=128",
	"gated_delta_net_sequential n_tokens=512 Hk=16 Hv=32",
	"gated_delta_net_chunkwise n_tokens=512 Hk=16 Hv=32",
	"chunk_tri_solve_invert_f32 B=1 T=4096 H=32",
	"gated_delta_net_kkt_bf16 T=1024 Hg=16 H=32 K=128",
	"gated_delta_net_recompute_wu_bf16 T=512 Hg=16 H=32 K=128 V=128",
	"gated_delta_net_chunk_inter_state_bf16 T=512 Hg=16 H=32 V=128",
	"gated_delta_net_chunk_o_bf16 T=512 Hg=16 H=32 V=128",
	"conv1d_step T=512 conv_dim=8192",
	"attn_online_f32 T=1 S=65536 H=32 Hg=8 D=128 causal=1 start_pos=65535",
	"attn_online_f32 T=64 S=4096 H=32 Hg=8 D=128 causal=1 start_pos=4032",
	"attn_scores_batched H=32 Hg=8 D=128 seq_len=16384",
	"attn_scores_tiled H=32 Hg=8 D=128 seq_len=16384",
	"attn_softmax_batched H=32 seq_len=65536",
	"attn_values_batched H=32 Hg=8 D=128 seq_len=65536",
	"attn_values_tiled H=32 Hg=8 D=256 seq_len=32768",
	"rope_n_tokens n_tokens=4096 H=32 D=128 rotary_dim=64",
	"rms_norm_bf16_fused_n_tokens n_tokens=4096 dim=4096",
	"rms_norm_per_head_n_tokens n_tokens=4096 num_heads=32 head_dim=128",
	"residual_add_n_tokens n_tokens=4096 dim=4096",
	"dequant_matvec_4bit out_dim=14336 in_dim=4096",
	"dequant_matvec_4bit_fast out_dim=14336 in_dim=4096",
	"dequant_matvec_4bit_v3 out_dim=14336 in_dim=4096",
	"dequant_matvec_4bit_v3_n_tokens n_tokens=16 out_dim=14336 in_dim=4096",
	"dequant_matvec_4bit_v5 out_dim=14336 in_dim=4096",
	"dequant_matvec_8bit_v3 out_dim=14336 in_dim=4096",
	"dequant_matvec_2bit out_dim=14336 in_dim=4096",
	"bf16_matvec out_dim=14336 in_dim=4096",
	"bf16_matmul_n_tokens n_tokens=16 out_dim=14336 in_dim=4096",
	"embed_gather_4bit n_tokens=4096 vocab=1024 hidden_dim=4096",
	"moe_softmax_topk n_tokens=1024 n_experts=512 k=10",
	"swiglu_fused_batched K=512 dim=14336",
	"moe_combine_residual dim=1048576 K=8",
	"mla_sdpa_folded num_heads=32 kv_lora_rank=512 qk_rope_head_dim=64 cache_len=4096",
	"mla_sdpa_tile_accumulate num_heads=128 kv_lora_rank=512 qk_rope_head_dim=64 cache_len=1024 tile=1024",
	"mla_q_prime_4bit num_heads=128 nope=128 kv_lora_rank=512 kv_b_per_head=256 group_size=64",
	"tq_dequantize_hb_kv_seq num_kv_heads=2 head_dim=256 cache_capacity=32768 start_pos=0 n_tokens=32768 norms_per_pos=1",
}

// ggmlLaunches are some of ggml's.
var ggmlLaunches = []string{
	"kernel_mul_mm_f16_f32 rows=128 vectors=512 n=14336",
	"kernel_mul_mm_q4_0_f32 rows=128 vectors=512 n=14336",
	"kernel_mul_mv_f16_f32_4 rows=1024 vectors=1 n=14336",
	"kernel_mul_mv_q4_0_f32 rows=4096 vectors=1 n=14336",
	"kernel_flash_attn_ext_f16_dk128_dv128 tokens=16 heads=32 kv_heads=8 n=4096",
	"kernel_flash_attn_ext_vec_f16_dk128_dv128 tokens=1 heads=32 kv_heads=8 n=4096 groups=4",
	"kernel_gated_delta_net_f32_4 tokens=512 q_heads=16 heads=32 n=128",
	"kernel_rms_norm_f32_4 rows=2048 n=4096",
	"kernel_soft_max_f32_4 rows=2048 n=4096",
}

// sweep is each share-th case of a sweep, from one on.
func sweep(set suite.Set, exact bool, share, first int) func(tb testing.TB) (func(without string) error, error) {
	return func(tb testing.TB) (func(without string) error, error) {
		return judging(every(suite.Cases(All(), set), share, first), exact, func() (*suite.Shaders, error) { return openOurs() }), nil
	}
}

func every(cases []suite.Case, share, first int) (some []suite.Case) {
	for i := first % share; i < len(cases); i += share {
		some = append(some, cases[i])
	}
	return some
}

// judging judges cases as conform run does.
func judging(cases []suite.Case, exact bool, open func() (*suite.Shaders, error)) func(without string) error {
	return func(without string) error {
		shaders, err := open()
		if err != nil {
			return err
		}
		opts := suite.Options{Shaders: shaders, Seed: 1, Parallel: 1}
		for n := 1; n <= 2; n++ {
			taking := func(choices int) metalrun.Runner {
				return sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Number: n, Choices: choices}, Without: without})
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
		judged := 0
		err = suite.Run(context.Background(), sim.New(sim.Semantics{Check: true, Without: without}), opts, cases, func(suite.Result) { judged++ })
		if err == nil && judged < len(cases) {
			err = fmt.Errorf("%d of %d cases judged", judged, len(cases))
		}
		return err
	}
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

// packSample is each share-th case of a pack. Sources are analysed before.
func packSample(name string, share, first int) func(tb testing.TB) (func(without string) error, error) {
	return func(tb testing.TB) (func(without string) error, error) {
		shaders, err := packShaders(name)
		if err != nil {
			return nil, err
		}
		p, err := packs.Read(name)
		if err != nil {
			return nil, err
		}
		run := judging(every(suite.Cases(p.Families, suite.Quick), share, first), true, func() (*suite.Shaders, error) { return shaders, nil })
		return run, run("")
	}
}

// checkExec is conform check -exec of some files.
func checkExec(names []string) func(tb testing.TB) (func(without string) error, error) {
	return func(tb testing.TB) (func(without string) error, error) {
		if ablation.command == "" {
			return nil, errors.New("-ablation.conform names no command")
		}
		args := []string{"check", "-exec"}
		for _, n := range names {
			args = append(args, filepath.Join(ablation.files, n+".metal"))
		}
		return func(without string) error {
			cmd := exec.Command(ablation.command, args...)
			cmd.Env = append(os.Environ(), "ABLATE="+without)
			out, err := cmd.CombinedOutput()
			var e *exec.ExitError
			if errors.As(err, &e) && e.ExitCode() == 1 { // findings
				return nil
			}
			if err != nil {
				return fmt.Errorf("%w\n%s", err, out)
			}
			return nil
		}, nil
	}
}

// modelLaunch launches a kernel of the catalogue or of a pack at a shape. What is measured is compiling for the simulator and
// the launch.
func modelLaunch(pack, text string) func(tb testing.TB) (func(without string) error, error) {
	return func(tb testing.TB) (func(without string) error, error) {
		name, axes, _ := strings.Cut(text, " ")
		families, source := All(), openOurs
		if pack != "" {
			p, err := packs.Read(pack)
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
		k := *c.Kernel
		k.Oracle = func(*suite.Problem) suite.Answers { return nil }
		c.Kernel = &k
		r := &keepingProgram{recorder: recorder{Runner: sim.New(sim.Semantics{})}}
		result := verdicts(tb, r, suite.Options{Shaders: shaders, Parallel: 1}, c)[0]
		if len(r.dispatches) != 1 || r.program == nil {
			return nil, fmt.Errorf("%d launches instead of one: %s", len(r.dispatches), result.Text())
		}
		turns := 1
		run := func(without string) error {
			library, err := sim.New(sim.Semantics{Without: without}).Compile(r.program)
			if err != nil {
				return err
			}
			kernel, err := library.Kernel(name)
			if err != nil {
				return err
			}
			for range turns {
				if _, err = kernel.Run(r.dispatches[0]); err != nil {
					return err
				}
			}
			return nil
		}
		if err := run(""); err != nil {
			return nil, err
		}
		at := cpu()
		if err := run(""); err != nil {
			return nil, err
		}
		turns = min(20, 1+int(250*time.Millisecond/max(cpu()-at, time.Millisecond)))
		return run, nil
	}
}

// keepingProgram is a recorder that keeps the program, too.
type keepingProgram struct {
	recorder
	program *metalrun.Program
}

func (r *keepingProgram) Compile(p *metalrun.Program) (metalrun.Library, error) {
	r.program = p
	return &r.recorder, nil
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

// variants are what is left out, by name.
func variants() (names []string, without map[string]string) {
	without = map[string]string{"": "", "baseline2": "", "baseline3": "", "baseline4": ""}
	all := sim.PassNames()
	for _, n := range all {
		without[n] = n
	}
	vectors := []string{"vectors", "long_vectors", "ball_vectors"}
	without["ALL_BUT_VECTORS"] = strings.Join(slices.DeleteFunc(slices.Clone(all), func(n string) bool { return slices.Contains(vectors, n) }), ",")
	without["LOOPS"] = "row_loop,run_loop,gathered_loop,weight_loop,dot_loop,wide_loop,add_loop,tight_loop"
	without["CANDIDATES"] = without["LOOPS"] + ",ball_turns,alone,solo,solo_search,prefetch,stream"
	for n := range without {
		names = append(names, n)
	}
	slices.Sort(names)
	return names, without
}

// cpu is what this process and its children have taken.
func cpu() time.Duration {
	sum := time.Duration(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			panic(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

// BenchmarkAblation measures the CPU time of what users wait for without one pass of the simulator at a time.
func BenchmarkAblation(b *testing.B) {
	if ablation.run == "" {
		b.Skip("-ablation names no workloads")
	}
	begin := time.Now()
	only := regexp.MustCompile(ablation.run)
	out := io.Writer(os.Stdout)
	if ablation.file != "" {
		f, err := os.OpenFile(ablation.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		out = f
	}
	runs := map[string]func(string) error{}
	var list []string
	for _, w := range ablationWorkloads() {
		if !only.MatchString(w.name) {
			continue
		}
		run, err := w.open(b)
		if err == nil {
			at := cpu()
			err = run("")
			fmt.Fprintf(out, "# %s opened after %v, first run %v\n", w.name, time.Since(begin), cpu()-at)
		}
		if err != nil {
			fmt.Fprintf(out, "# %s: %v\n", w.name, strings.ReplaceAll(err.Error(), "\n", "; "))
			continue
		}
		runs[w.name] = run
		list = append(list, w.name)
	}
	names, without := variants()
	draw := rand.New(rand.NewPCG(1, 2))
	took := map[string]map[string][]float64{}
	for _, w := range list {
		took[w] = map[string][]float64{}
	}
	for rep := 0; len(list) > 0; rep++ {
		for _, w := range list {
			draw.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			for _, n := range names {
				if time.Since(begin) > ablation.limit {
					return
				}
				if rep > 0 && without[n] != "" {
					var all []float64
					for _, n := range names {
						if without[n] == "" {
							all = append(all, took[w][n]...)
						}
					}
					if r := median(took[w][n]) / median(all); r > 0.988 && r < 1.012 {
						continue
					}
				}
				runtime.GC()
				at := cpu()
				if err := runs[w](without[n]); err != nil {
					fmt.Fprintf(out, "# %s without %s: %v\n", w, n, strings.ReplaceAll(err.Error(), "\n", "; "))
					continue
				}
				t := (cpu() - at).Seconds()
				took[w][n] = append(took[w][n], t)
				fmt.Fprintf(out, "%s\t%s\t%d\t%.6f\n", w, n, rep, t)
			}
		}
	}
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	if len(x) == 0 {
		return math.NaN()
	}
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
