package isolated

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	Main(openTroubled)
	os.Exit(m.Run())
}

// troubled is the simulator with trouble for kernels of some names. once is a file that
// the first launch leaves behind; while wedge is there, no device works.
type troubled struct{ metalrun.Runner }

func once() string  { return filepath.Join(os.Getenv("TROUBLE"), "once") }
func wedge() string { return filepath.Join(os.Getenv("TROUBLE"), "wedge") }

// hung is what a process leaves behind that hangs.
func hung(process int) string {
	return filepath.Join(os.Getenv("TROUBLE"), fmt.Sprint("hung", process))
}

// hang says that it does, and never ends.
func hang() {
	os.WriteFile(hung(os.Getpid()), nil, 0o600)
	time.Sleep(time.Hour)
}

// untilHung stands for a limit of any length: it is over once the worker says that it
// hangs.
func untilHung(worker int, _ time.Duration) <-chan time.Time {
	over, file := make(chan time.Time, 1), hung(worker)
	go func() {
		for !exists(file) && exists(filepath.Dir(file)) {
			time.Sleep(time.Millisecond)
		}
		over <- time.Time{}
	}()
	return over
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func openTroubled() (metalrun.Runner, error) {
	switch os.Getenv("TROUBLE_OPEN") {
	case "absent":
		return nil, fmt.Errorf("%w: for a test", metalrun.ErrNoDevice)
	case "hang":
		hang()
	case "fault":
		return nil, fmt.Errorf("%w: self-test: %w", metalrun.ErrUnusable, &metalrun.Fault{Kernel: "self_test"})
	}
	if exists(wedge()) {
		return nil, fmt.Errorf("%w: self-test: wedged", metalrun.ErrUnusable)
	}
	return troubled{sim.New(sim.Semantics{})}, nil
}

func (r troubled) Compile(p *metalrun.Program) (metalrun.Library, error) {
	switch p.Source().Name {
	case "slow.metal":
		hang()
	case "slow_once.metal":
		if !exists(once()) {
			os.WriteFile(once(), nil, 0o600)
			hang()
		}
	case "crash.metal":
		os.Exit(1)
	}
	l, err := r.Runner.Compile(p)
	return troubledLibrary{l}, err
}

type troubledLibrary struct{ metalrun.Library }

func (l troubledLibrary) Kernel(name string) (metalrun.Kernel, error) {
	if name == "wide" {
		return nil, fmt.Errorf("%w: wide", metalrun.ErrUnsupported)
	}
	k, err := l.Library.Kernel(name)
	return troubledKernel{k, name}, err
}

type troubledKernel struct {
	metalrun.Kernel
	name string
}

func (k troubledKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	again := exists(once())
	if k.name != "good" {
		os.WriteFile(once(), nil, 0o600)
	}
	what, _, first := strings.Cut(k.name, "_once")
	if first && again {
		what = "good"
	}
	switch what {
	case "hang":
		hang()
	case "abort":
		fmt.Fprintln(os.Stderr, "failed assertion `for a test'\nstacks")
		os.Exit(134)
	case "assert":
		fmt.Fprint(os.Stderr, "2026-01-02 03:04:05.678 k[42:12] Metal API Validation Enabled\n"+
			"2026-01-02 03:04:05.678 k[42:12] Metal GPU Validation Enabled\n"+
			"validateArguments:1114: failed assertion `Compute Function Validation\n"+
			"Compute Function(k): missing Buffer binding at index 0 for x[0].\n'\nSIGABRT: abort\nPC=0x0\n")
		os.Exit(134)
	case "chatter":
		fmt.Println("a framework prints")
	case "report":
		fmt.Fprint(os.Stderr, "Invalid device store at offset 4000, executing kernel function: \"k\"\n"+
			"buffer: , length:8, resident:Read Write\n")
	case "unusable":
		return metalrun.Outcome{}, fmt.Errorf("%w: nothing is built", metalrun.ErrUnusable)
	case "wedge":
		os.WriteFile(wedge(), nil, 0o600)
		os.Exit(1)
	case "fault":
		return metalrun.Outcome{}, &metalrun.Fault{Kernel: k.name, Message: "page fault"}
	case "lost":
		return metalrun.Outcome{}, fmt.Errorf("%w: victim", metalrun.ErrLost)
	case "refused":
		return metalrun.Outcome{}, errors.New("out of memory")
	}
	return k.Kernel.Run(d)
}

var names = []string{"good", "hang", "hang_once", "abort", "abort_once", "wedge", "fault", "fault_once", "lost",
	"lost_once", "refused", "wide", "assert", "chatter", "report", "report_once", "unusable", "unusable_once"}

// launch runs one kernel, and a good one after it.
func launch(t *testing.T, r metalrun.Runner, name string) (data []byte, got, next error) {
	t.Helper()
	var text strings.Builder
	for _, n := range names {
		fmt.Fprintf(&text, "kernel void %s(device uchar *x [[buffer(0)]], constant uchar &c [[buffer(1)]]) { x[1] = "+
			"N + K + c; }\n", n)
	}
	p, err := metalrun.Analyse(metalrun.SourceText("k.metal",
		"constant uchar K [[function_constant(0)]];\n"+text.String()),
		metalrun.CompileOptions{Macros: map[string]string{"N": "3"}, FunctionConstants: map[int]any{0: uint8(4)}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := r.Compile(p)
	if err != nil {
		return nil, err, err
	}
	defer l.Release()
	run := func(name string, data []byte) error {
		k, err := l.Kernel(name)
		if err != nil {
			return err
		}
		one := metalrun.Size{X: 1, Y: 1, Z: 1}
		_, err = k.Run(metalrun.Dispatch{Threads: one, ThreadsPerThreadgroup: one, Bindings: []metalrun.Binding{
			{Index: 0, Data: data, Offset: 1, Length: 2}, {Index: 1, Data: []byte{5}, Length: 1, Inline: true},
		}})
		return err
	}
	data = make([]byte, 4)
	got = run(name, data)
	return data, got, run("good", make([]byte, 4))
}

// TestTrouble has each kind of bad end cost one verdict.
func TestTrouble(t *testing.T) {
	for _, test := range []struct {
		name   string
		want   string // error of the launch, "" if it succeeds
		fault  bool
		broken bool // the run is over
	}{
		{"good", "", false, false},
		{"hang", "it did not end in", true, false},
		{"hang_once", "", false, false},
		{"abort", "the process of the launch: exit status 134: failed assertion `for a test'", true, false},
		{"abort_once", "", false, false},
		{"assert", "the process of the launch: exit status 134: validateArguments:1114: failed assertion `Compute " +
			"Function Validation; Compute Function(k): missing Buffer binding at index 0 for x[0].'", true, false},
		{"chatter", "", false, false},
		{"report", "shader validation: Invalid device store at offset 4000, executing kernel function: \"k\"; " +
			"buffer: , length:8, resident:Read Write", true, false},
		{"report_once", "resident:Read Write (in one of two launches)", true, false},
		{"unusable", "device unusable: nothing is built", false, false},
		{"unusable_once", "", false, false},
		{"wedge", "device unusable: the device fails its test before kernel wedge is repeated", false, true},
		{"fault", "page fault", true, false},
		{"fault_once", "page fault (in one of two launches)", true, false},
		{"lost", "launch lost: victim", false, false},
		{"lost_once", "", false, false},
		{"refused", "out of memory", false, false},
		{"wide", "not supported by this device: wide", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TROUBLE", t.TempDir())
			t.Setenv("MTL_SHADER_VALIDATION", "1")
			r, err := New(Limits{Open: time.Minute, Request: time.Minute, after: untilHung})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			data, got, next := launch(t, r, test.name)
			if (got == nil) != (test.want == "") || got != nil && !strings.Contains(got.Error(), test.want) {
				t.Errorf("%v, want %q", got, test.want)
			}
			var fault *metalrun.Fault
			if errors.As(got, &fault) != test.fault {
				t.Errorf("%v: a fault of the kernel should be %v", got, test.fault)
			}
			if errors.Is(got, metalrun.ErrUnsupported) != (test.name == "wide") ||
				errors.Is(got, metalrun.ErrLost) != (test.name == "lost") {
				t.Errorf("%v is of another kind", got)
			}
			want := []byte{0, 0, 0, 0}
			if test.want == "" {
				want[2] = 3 + 4 + 5
			}
			if !bytes.Equal(data, want) {
				t.Errorf("the buffer holds %v, want %v", data, want)
			}
			if errors.Is(next, metalrun.ErrUnusable) != test.broken || next != nil && !test.broken {
				t.Errorf("the next launch: %v", next)
			}
		})
	}
}

// Bind keeps a sequence in memory of its own, as a device does.
func (k troubledKernel) Bind(sequence ...metalrun.Dispatch) (metalrun.Bound, error) {
	if k.name == "refused" {
		return nil, errors.New("out of memory")
	}
	b := &troubledBound{kernel: k, own: newSequence(sequence), to: newSequence(sequence)}
	for i, data := range b.own.Memory {
		b.own.Memory[i] = bytes.Clone(data)
	}
	b.whole = b.own.whole()
	return b, nil
}

type troubledBound struct {
	kernel  troubledKernel
	own, to *sequence
	whole   []metalrun.Dispatch
}

func (b *troubledBound) Run(n int) (o metalrun.Outcome, err error) {
	for range n {
		for _, d := range b.whole {
			if o, err = b.kernel.Run(d); err != nil {
				return o, err
			}
		}
	}
	return metalrun.Outcome{Duration: time.Duration(n)}, nil
}

func (b *troubledBound) Read() error {
	b.to.take(b.own.Memory)
	return nil
}

func (b *troubledBound) Release() {}

func (troubled) Condition() (metalrun.Condition, error) {
	return metalrun.Condition{Thermal: metalrun.ThermalSerious, LowPower: true}, nil
}

// TestBound repeats sequences that share a buffer, through processes that end.
func TestBound(t *testing.T) {
	t.Setenv("TROUBLE", t.TempDir())
	r, err := New(DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if c, err := r.(metalrun.Monitor).Condition(); c !=
		(metalrun.Condition{Thermal: metalrun.ThermalSerious, LowPower: true}) || err != nil {
		t.Errorf("condition %+v, %v", c, err)
	}
	var text strings.Builder
	for _, name := range []string{"good", "abort_once", "abort", "refused"} {
		fmt.Fprintf(&text,
			"kernel void %s(device uchar *x [[buffer(0)]], device uchar *y [[buffer(1)]], constant uchar &c "+
				"[[buffer(2)]]) { y[0] += c * x[0]; }\n", name)
	}
	p, err := metalrun.Analyse(metalrun.SourceText("k.metal", text.String()), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := r.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	x, y, z := []byte{1}, []byte{10}, []byte{0}
	bind := func(name string) (metalrun.Bound, error) {
		k, err := l.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		add := func(from, to []byte, c byte) metalrun.Dispatch {
			one := metalrun.Size{X: 1, Y: 1, Z: 1}
			return metalrun.Dispatch{Threads: one, ThreadsPerThreadgroup: one, Bindings: []metalrun.Binding{
				{Index: 0, Data: from, Length: 1}, {Index: 1, Data: to, Length: 1},
				{Index: 2, Data: []byte{c}, Length: 1, Inline: true},
			}}
		}
		return k.(metalrun.Binder).Bind(add(x, y, 3), add(y, z, 1))
	}
	good, err := bind("good")
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < 3; n++ {
		if o, err := good.Run(n); err != nil || o.Duration != time.Duration(n) {
			t.Fatalf("%d launches: %+v, %v", n, o, err)
		}
	}
	if err := good.Read(); err != nil || x[0] != 1 || y[0] != 19 || z[0] != 13+16+19 {
		t.Errorf("%v, buffers %v %v %v", err, x, y, z)
	}
	if _, err := good.Run(0); err == nil {
		t.Error("no launch is one")
	}
	if _, err := bind("refused"); err == nil || err.Error() != "out of memory" {
		t.Errorf("a device without memory: %v", err)
	}
	y[0], z[0] = 10, 0
	once, err := bind("abort_once")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := once.Run(2); err != nil {
		t.Errorf("a launch that is repeated: %v", err)
	}
	if err := once.Read(); err != nil || y[0] != 16 || z[0] != 13+16 {
		t.Errorf("%v, buffers %v %v", err, y, z)
	}
	if err := good.Read(); !errors.Is(err, metalrun.ErrLost) {
		t.Errorf("buffers of a process that has ended: %v", err)
	}
	if _, err := good.Run(1); err != nil {
		t.Errorf("bound again: %v", err)
	}
	never, err := bind("abort")
	if err != nil {
		t.Fatal(err)
	}
	var fault *metalrun.Fault
	if _, err := never.Run(1); !errors.As(err, &fault) {
		t.Errorf("a launch that aborts: %v", err)
	}
	for _, b := range []metalrun.Bound{good, once, never} {
		b.Release()
		b.Release()
	}
}

// TestSentinels has every sentinel of metalrun survive the way between processes.
func TestSentinels(t *testing.T) {
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(v.Names[0].Name, "Err") {
				return true
			}
			declared++
			text, err := strconv.Unquote(v.Values[0].(*ast.CallExpr).Args[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(sentinels, func(s error) bool { return s.Error() == text }) {
				t.Errorf("%s is lost on the way", v.Names[0].Name)
			}
			return true
		})
	}
	if declared != len(sentinels) {
		t.Errorf("%d sentinels, metalrun declares %d", len(sentinels), declared)
	}
	for _, s := range sentinels {
		if err := newFailure(fmt.Errorf("more: %w", s)).err(); !errors.Is(err, s) || err.Error() != "more: "+s.Error() {
			t.Errorf("%v has become %v", s, err)
		}
	}
}

func TestOpen(t *testing.T) {
	t.Setenv("TROUBLE", t.TempDir())
	t.Setenv("TROUBLE_OPEN", "absent")
	if _, err := New(DefaultLimits); !errors.Is(err, metalrun.ErrNoDevice) ||
		err.Error() != "no Metal device: for a test" {
		t.Errorf("no device: %v", err)
	}
	t.Setenv("TROUBLE_OPEN", "fault")
	if _, err := New(DefaultLimits); !errors.Is(err, metalrun.ErrUnusable) ||
		!strings.HasPrefix(err.Error(), "device unusable: self-test: ") {
		t.Errorf("a device that fails its test: %v", err)
	}
	t.Setenv("TROUBLE_OPEN", "hang")
	if _, err := New(Limits{Open: time.Minute, after: untilHung}); !errors.Is(err, metalrun.ErrUnusable) {
		t.Errorf("a device that hangs: %v", err)
	}
}

// TestCompilation has the compiler hang, and crash.
func TestCompilation(t *testing.T) {
	for _, test := range []struct {
		name     string
		want     string // error, "" if it succeeds
		unusable bool   // the run is over
	}{
		{"slow", "device unusable: the compiler hangs: the compilation of slow.metal: it did not end in 1m0s, in two " +
			"processes", true},
		{"slow_once", "", false},
		{"crash", "the compilation of crash.metal: the process of the launch: exit status 1", false},
	} {
		t.Setenv("TROUBLE", t.TempDir())
		r, err := New(Limits{Open: time.Minute, Request: time.Minute, after: untilHung})
		if err != nil {
			t.Fatal(err)
		}
		p, err := metalrun.Analyse(metalrun.SourceText(test.name+".metal", "kernel void k() {}"),
			metalrun.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Compile(p)
		var fault *metalrun.Fault
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) ||
			errors.As(err, &fault) || errors.Is(err, metalrun.ErrUnusable) != test.unusable {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if _, got, next := launch(t, r, "good"); errors.Is(got, metalrun.ErrUnusable) != test.unusable ||
			errors.Is(next, metalrun.ErrUnusable) != test.unusable {
			t.Errorf("after %s: %v, %v", test.name, got, next)
		}
		r.Close()
	}
}

// TestHangs has a kernel hang in every case: the first costs a limit and a part of one, the
// next ones parts, and then it is not launched any more. Another kernel is, and so is one
// of that name in another program.
func TestHangs(t *testing.T) {
	t.Setenv("TROUBLE", t.TempDir())
	var limits []time.Duration
	r, err := New(Limits{Open: time.Hour, Request: 80 * time.Second,
		after: func(worker int, limit time.Duration) <-chan time.Time {
			if limit != time.Hour {
				limits = append(limits, limit)
			}
			return untilHung(worker, limit)
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	library := func(text string) metalrun.Library {
		p, err := metalrun.Analyse(metalrun.SourceText("k.metal", text), metalrun.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	const text = "kernel void hang(device uchar *x [[buffer(0)]]) {}\n" +
		"kernel void good(device uchar *x [[buffer(0)]]) { x[0] = 7; }\n"
	run := func(l metalrun.Library, name string) (spent []time.Duration, err error) {
		k, err := l.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		limits = nil
		one := metalrun.Size{X: 1, Y: 1, Z: 1}
		_, err = k.Run(metalrun.Dispatch{Threads: one, ThreadsPerThreadgroup: one,
			Bindings: []metalrun.Binding{{Data: make([]byte, 1), Length: 1}}})
		return limits, err
	}
	all, part := 80*time.Second, 10*time.Second
	l := library(text)
	for i, want := range [][]time.Duration{{all, part}, {part, part}, {part, part}, nil} {
		spent, err := run(l, "hang")
		if diff := cmp.Diff(want, spent); diff != "" {
			t.Errorf("launch %d: limits (-want +got):\n%s", i+1, diff)
		}
		var fault *metalrun.Fault
		if errors.As(err, &fault) != (i < mostHangs) ||
			want == nil && err.Error() != "kernel hang was not launched: 3 launches of it have hung" {
			t.Errorf("launch %d: %v", i+1, err)
		}
		if i == 0 && !strings.Contains(err.Error(), "it did not end in 1m20s") {
			t.Error(err)
		}
	}
	if spent, err := run(l, "good"); err != nil || len(spent) != 1 || spent[0] != all {
		t.Errorf("another kernel: %v, %v", spent, err)
	}
	if spent, _ := run(library(text+"\n"), "hang"); len(spent) != 2 || spent[0] != all {
		t.Errorf("another program: %v", spent)
	}
}

// TestOrphan has the program end while its worker is in a launch that does not: the
// worker ends, too. It is no part of the program's group, which a terminal interrupts.
func TestOrphan(t *testing.T) {
	t.Setenv("TROUBLE", t.TempDir())
	w, err := start()
	if err != nil {
		t.Fatal(err)
	}
	own, err := syscall.Getpgid(w.cmd.Process.Pid)
	if err != nil || own == syscall.Getpgrp() {
		t.Errorf("the worker is in group %d of the program, %v", own, err)
	}
	p := program{Source: metalrun.SourceText("slow.metal", "kernel void k() {}")}
	if err := w.requests.Encode(&request{Library: 1, Program: &p}); err != nil {
		t.Fatal(err)
	}
	w.in.Close()
	if err := w.cmd.Wait(); err == nil || err.Error() != "exit status 3" {
		t.Errorf("the worker ended with %v", err)
	}
}

func TestGoroutines(t *testing.T) {
	t.Setenv("TROUBLE", t.TempDir())
	r, err := New(DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if data, got, _ := launch(t, r, "good"); got != nil || data[2] != 12 {
				t.Errorf("%v, %v", got, data)
			}
		})
	}
	wg.Wait()
}
