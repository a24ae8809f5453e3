package simt

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/sanitize"
)

// TestLateTrials ends the time of a launch between its observed run and the runs that show what
// Metal leaves open. They say nothing about a value that is read before it is written, or about a
// race: the launch is late.
func TestLateTrials(t *testing.T) {
	for name, body := range map[string]string{
		"uninitialised": "threadgroup float t[32]; float s = 0; for (uint i = 0; i < n; i++) { s += t[i]; } " +
			"out[id] = s;",
		"race": "for (uint i = 0; i < n; i++) { out[i] = id; }",
	} {
		kernel := lower(t,
			"kernel void k(device float *out [[buffer(0)]], constant uint &n [[buffer(1)]], uint id "+
				"[[thread_position_in_grid]]) { "+body+" }")
		p := Compile(kernel, machine.Options{Check: true, TotalSteps: 1 << 40})
		for _, left := range []int64{1 << 40, -1} {
			l := Launch{Threads: machine.Size{64, 1, 1}, PerGroup: machine.Size{64, 1, 1},
				Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 256)},
					{Index: 1, Bytes: []byte{20, 0, 0, 0}, ReadOnly: true}}}
			d := l.dispatch()
			c, w := observed(t, p, &d)
			d.Left = new(atomic.Int64)
			d.Left.Store(left)
			err := c.Try(w)
			var fault *machine.Fault
			if late := errors.As(err, &fault) && fault.Kind == machine.Unfinished; late != (left < 0) {
				t.Errorf("%s, %d steps left: got %v", name, left, err)
			}
			for _, f := range w.Findings.List {
				if left < 0 && (f.Grade == sanitize.GradeWrong || f.Check != sanitize.Race) {
					t.Errorf("%s: a trial that was cut short gives %+v", name, f)
				}
			}
			if left > 0 && len(w.Findings.List) == 0 {
				t.Errorf("%s: nothing is found in time", name)
			}
		}
	}
}

// observed is a launch that was observed, and not tried.
func observed(t *testing.T, p *Program, l *machine.Dispatch) (*sanitize.Checked, *sanitize.Sanitizer) {
	if err := p.Validate(l); err != nil {
		t.Fatal(err)
	}
	buffers, finish := machine.Bind(l.Buffers)
	t.Cleanup(finish)
	c := &sanitize.Checked{P: p.Program, Want: machine.Wanted[*sanitize.Checks](l), Launch: l, Buffers: buffers,
		PagePool: sanitize.NewPagePool(p.Program), TrialBudget: sanitize.TrialBudget}
	w, err := c.Observe()
	if err != nil {
		t.Fatal(err)
	}
	return c, w
}

// TestTriedSites has launches of which one trial takes all that they may. Some sites are tried all the same, one of
// very many, and one line counts the others.
func TestTriedSites(t *testing.T) {
	for _, c := range []struct{ sites, named int }{{3, 3}, {sanitize.MinSitesTried, sanitize.MinSitesTried},
		{sanitize.MinSitesTried + 4, sanitize.MinSitesTried}, {sanitize.ManySites + 6, 1}} {
		var body strings.Builder
		for i := range c.sites {
			fmt.Fprintf(&body, "float x%d; out[%d] = x%d;\n", i, i, i)
		}
		kernel := lower(t, "kernel void k(device float *out [[buffer(0)]]) { "+body.String()+" }")
		l := Launch{Threads: machine.Size{1, 1, 1}, PerGroup: machine.Size{1, 1, 1},
			Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 4*c.sites)}}}
		d := l.dispatch()
		o, w := observed(t, Compile(kernel, machine.Options{Check: true}), &d)
		o.TrialBudget = 0
		if err := o.Try(w); err != nil {
			t.Fatal(err)
		}
		named, left := 0, ""
		for _, f := range w.Findings.List {
			if f.Check == sanitize.Uninitialised {
				named++
			} else {
				left += f.Msg
			}
		}
		if named != c.named || (left != "") != (c.named < c.sites) ||
			left != "" && !strings.Contains(left, fmt.Sprintf("at %d more sites", c.sites-c.named)) {
			t.Errorf("%d sites: %d are named, want %d, and of the others it says %q", c.sites, named, c.named, left)
		}
	}
}

// TestStraightTrials has a race in code without a loop: threads run one by one through a little of it, and not through
// tens of thousands of instructions.
func TestStraightTrials(t *testing.T) {
	for stores, apart := range map[int]bool{10: true, 6000: false} {
		var body strings.Builder
		for i := range stores {
			fmt.Fprintf(&body, "out[%d] = out[%d] / 3;\n", i%60, (i+1)%60)
		}
		kernel := lower(t, "kernel void k(device float *out [[buffer(0)]]) { "+body.String()+" }")
		l := Launch{Threads: machine.Size{256, 1, 1}, PerGroup: machine.Size{256, 1, 1},
			Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 256)}}}
		list, err := Compile(kernel, machine.Options{Check: true}).Check(l)
		if err != nil || len(list) == 0 {
			t.Fatalf("%d stores: %v, %d findings", stores, err, len(list))
		}
		if got := slices.ContainsFunc(list[0].Trials,
			func(t sanitize.Trial) bool { return strings.HasPrefix(t.What, "threads one by one") }); got != apart {
			t.Errorf("%d stores: threads one by one: %v, want %v", stores, got, apart)
		}
	}
}

// TestTogetherGrows compiles what the threads of a simdgroup do together for threads that run alone: what that
// allocates grows as the kernel does.
func TestTogetherGrows(t *testing.T) {
	allocated := func(n int) uint64 {
		kernel := lower(t, "kernel void k(device float *out [[buffer(0)]], uint id [[thread_position_in_grid]]) { "+
			strings.Repeat("out[id] = metal::simd_sum(out[id]); ", n)+" }")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Compile(kernel, machine.Options{Single: true})
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := allocated(500), allocated(4000); many > 16*few {
		t.Errorf("%d bytes for 500, %d for 4000", few, many)
	}
}

// TestLateGrid ends a grid of billions of threadgroups without loops once it has had its steps, with checks and
// without, and refuses it where no more are allowed.
func TestLateGrid(t *testing.T) {
	kernel := lower(t, "kernel void k(device float *out [[buffer(0)]]) { out[0] = 1; }")
	for _, check := range []bool{false, true} {
		l := Launch{Groups: machine.Size{65535, 65535, 1}, PerGroup: machine.Size{1, 1, 1},
			Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 4)}}}
		for _, test := range []struct {
			most int
			kind machine.FaultKind
			want string
		}{{1 << 32, machine.Unfinished, "of 4294836225 after 16777216 steps"},
			{0, machine.TooLarge, "which -launch-threadgroups can raise"}} {
			p := Compile(kernel, machine.Options{Check: check, TotalSteps: 1 << 24, Threadgroups: test.most})
			run := p.Run
			if check {
				run = func(l Launch) error { _, err := p.Check(l); return err }
			}
			var fault *machine.Fault
			if err := run(l); !errors.As(err, &fault) || fault.Kind != test.kind ||
				!strings.Contains(fault.Msg, test.want) {
				t.Errorf("checked %v: %v, want %q", check, err, test.want)
			}
		}
	}
}

// TestTrialsOfQuotients counts what a launch takes whose trials give a quotient other values where it does not exist:
// one by a divisor that all threads share, and that is not 0, always exists, and is computed as ever.
func TestTrialsOfQuotients(t *testing.T) {
	takes := func(divisor string, of int) int64 {
		kernel := lower(t,
			"kernel void k(device uint *out [[buffer(0)]], constant uint *p [[buffer(1)]], uint id "+
				"[[thread_position_in_grid]]) { uint x; out[id] = x + id / ("+divisor+"); }")
		var executed atomic.Int64
		l := Launch{Threads: machine.Size{64, 1, 1}, PerGroup: machine.Size{64, 1, 1}, Executed: &executed,
			Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 256)},
				{Index: 1, Bytes: littleEndian([]uint32{uint32(of)}), ReadOnly: true}}}
		found, err := Compile(kernel, machine.Options{Check: true}).Check(l)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			t.Errorf("%s: nothing is found", divisor)
		}
		return executed.Load()
	}
	if shared, own := takes("p[0]", 3), takes("p[0] + (id & p[0]) * 0", 3); own-shared < machine.Lanewise {
		t.Errorf("%d instructions with a divisor that threads share, %d with one of each", shared, own)
	}
	if exists, none := takes("p[0]", 3), takes("p[0]", 0); none-exists < machine.Lanewise {
		t.Errorf("%d instructions where the quotient exists, %d where it does not", exists, none)
	}
}

// TestTotalStepsAreCounted: what all threads take is the same however many threadgroups are under way at once, so
// that a limit is met by the same launches on a machine that is busy, on one with two cores and on one with many.
func TestTotalStepsAreCounted(t *testing.T) {
	kernel := lower(t, "kernel void k(device float *out [[buffer(0)]], uint id [[thread_position_in_grid]], uint g "+
		"[[threadgroup_position_in_grid]]) { float x = 0; for (uint i = 0; i < 50 + g % 7; i++) { x = x * x + i; } "+
		"out[id] = x; }")
	const threads = 64 * 300
	run := func(workers int, left int64) (taken int64, err error) {
		l := Launch{Threads: machine.Size{threads, 1, 1}, PerGroup: machine.Size{64, 1, 1},
			Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 4*threads)}}}
		d := l.dispatch()
		d.Left = new(atomic.Int64)
		d.Left.Store(left)
		err = Compile(kernel, machine.Options{Workers: workers}).Program.Run(d)
		return left - d.Left.Load(), err
	}
	taken, err := run(1, 1<<40)
	if err != nil || taken < threads*50 {
		t.Fatalf("%d steps: %v", taken, err)
	}
	for _, workers := range []int{1, 2, 8} {
		if got, err := run(workers, taken); err != nil || got != taken {
			t.Errorf("%d workers take %d steps, and %v, want %d", workers, got, err, taken)
		}
		var fault *machine.Fault
		if _, err := run(workers, taken-1); !errors.As(err, &fault) || fault.Kind != machine.Unfinished {
			t.Errorf("%d workers with a step too few: %v", workers, err)
		}
	}
}
