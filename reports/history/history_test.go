package history

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/trend"
	"metalconform/suite"
	"metalconform/suite/metrics"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// month is a series of nightly runs on a GPU, each with inputs of its own, whose errors and
// times have noise.
type month struct {
	draw  *rand.Rand
	plant map[int]func(*planted) // from a night on
}

// planted is what the nights differ in beside their noise.
type planted struct {
	fails  string  // a kernel, in a third of its cases
	worse  string  // a kernel whose errors are larger
	by     float64 // so many times
	slower string  // a kernel that takes longer
	late   float64 // so many times
}

const perKernel = 12 // cases

var kernelNames = []string{"attn", "conv", "delta", "gate", "matvec", "moe", "norm", "rope", "softmax", "swiglu"}

// night is the run of a night.
func (m *month) night(i int, p planted) reports.Set {
	run := reports.Run{
		Header: reports.Header{
			Commit: fmt.Sprintf("c%02d", i), Conform: "test", Started: time.Date(2026, 11, 1, 3, 17, 0, 0, time.UTC).AddDate(0, 0, i),
			Device: reports.Device{Backend: "metal", Name: "Apple M9", Clock: metalrun.GPUClock}, Host: reports.Host{OS: "darwin", Arch: "arm64"},
			Options: reports.Options{Sweep: "quick", Seed: uint64(i)}, Shaders: map[string]reports.Shader{"a.metal": {SHA256: fmt.Sprint(i)}},
		},
		Ending: &reports.Ending{},
	}
	times := reports.Times{Seconds: map[string][]float64{}, Settings: map[string]string{"device": "Apple M9"}}
	for k, kernel := range kernelNames {
		tonight := 1 + 0.004*m.draw.NormFloat64() // of the machine, for all samples of a kernel
		if m.draw.IntN(25) == 0 {
			tonight *= 1.12 // something else ran
		}
		for c := range perKernel {
			r := suite.Result{Case: fmt.Sprintf("%s/n=%d", kernel, c), Kernel: kernel, Family: "f", Status: suite.Pass, Elements: 1000, Digest: fmt.Sprint(m.draw.Uint64())}
			rms := 0.003 * float64(k+1) * (1 + 0.1*m.draw.NormFloat64()*m.draw.NormFloat64())
			if kernel == p.worse {
				rms *= p.by
			}
			sums := [2]float64{m.draw.NormFloat64(), m.draw.NormFloat64()}
			e := metrics.Errors{Elements: 1000, Squares: 1000 * rms * rms, Sum: 30 * rms * sums[0], Outward: 30 * rms * sums[1]}
			r.Outputs = []metrics.Output{{Elements: 1000, Errors: &e}}
			r.ErrorRatio = 4 * rms
			if kernel == p.fails && c%3 == 0 {
				r.Status, r.ErrorRatio = suite.Fail, 1.5
			}
			ns := 1e5 * float64(c+1) * tonight * math.Exp(math.Abs(0.1*m.draw.NormFloat64()))
			if kernel == p.slower {
				ns *= p.late
			}
			r.NS = int64(ns)
			if c == 0 {
				for range 5 {
					seconds := 1e-4 * tonight * (1 + 0.01*m.draw.NormFloat64())
					if kernel == p.slower {
						seconds *= p.late
					}
					times.Seconds[r.Case] = append(times.Seconds[r.Case], seconds)
				}
			}
			run.Results = append(run.Results, r)
		}
	}
	if i == 8 { // the device went away
		for c := range run.Results[:5] {
			run.Results[c].Status = suite.Error
		}
	}
	run.Planned = len(run.Results)
	return reports.Set{Run: run, Times: times}
}

// nights are thirty runs.
func (m *month) nights() []reports.Set {
	var p planted
	var list []reports.Set
	for i := range 30 {
		if plant := m.plant[i]; plant != nil {
			plant(&p)
		}
		list = append(list, m.night(i, p))
	}
	return list
}

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "history.db"), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func (s *Store) trend(t *testing.T) []trend.Trend {
	t.Helper()
	nights, err := s.Nights()
	if err == nil {
		err = s.Fill(nights)
	}
	if err != nil {
		t.Fatal(err)
	}
	return trend.Find(nights, reports.DefaultPolicy())
}

// A month of nights shows each of three steps between the commits where it is, and no
// other; the same month without them shows none.
func TestMonth(t *testing.T) {
	seeds := 3
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		draw := rand.New(rand.NewPCG(uint64(seed), 11))
		names := draw.Perm(len(kernelNames))
		at := func() int { return 8 + draw.IntN(13) }
		fails, worse, slower := kernelNames[names[0]], kernelNames[names[1]], kernelNames[names[2]]
		verdict, accuracy, time := at(), at(), at()
		plant := map[int]func(*planted){}
		also := func(i int, f func(*planted)) {
			before := plant[i]
			plant[i] = func(p *planted) {
				if before != nil {
					before(p)
				}
				f(p)
			}
		}
		also(verdict, func(p *planted) { p.fails = fails })
		also(accuracy, func(p *planted) { p.worse, p.by = worse, 1.25 })
		also(time, func(p *planted) { p.slower, p.late = slower, 1.15 })
		type place struct {
			Aspect reports.Aspect
			Name   string
			At     int
		}
		for _, calm := range []bool{false, true} {
			m := &month{draw: draw, plant: plant}
			want := map[place]bool{
				{reports.Verdicts, fails, verdict}: true, {reports.Accuracy, worse, accuracy}: true,
				{reports.Speed, slower, time}: true, {reports.Speed, slower + "/n=0", time}: true, // by its launches, and by conform bench
			}
			if calm {
				m.plant, want = nil, map[place]bool{}
			}
			s := open(t)
			if _, err := s.Add(m.nights(), false, nowhen); err != nil {
				t.Fatal(err)
			}
			all := s.trend(t)
			if len(all) != 1 || len(all[0].Nights) != 30 {
				t.Fatalf("seed %d: %d series", seed, len(all))
			}
			got := map[place]bool{}
			for _, step := range all[0].Steps {
				p := place{step.Aspect, step.Name, step.First}
				for w := range want {
					if off := w.At - p.At; w.Aspect == p.Aspect && w.Name == p.Name && -1 <= off && off <= 1 {
						p = w
					}
				}
				got[p] = true
				if !step.Worse || step.Undone || step.From != fmt.Sprintf("c%02d", step.Last) || step.To != fmt.Sprintf("c%02d", step.First) || step.Last != step.First-1 {
					t.Errorf("seed %d: a step %+v", seed, step)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("seed %d, calm %t: steps (-want +got):\n%s", seed, calm, diff)
			}
		}
	}
}

var nowhen = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

// What is added twice is there once, and what cannot be added whole is not added at all.
func TestAdd(t *testing.T) {
	m := &month{draw: rand.New(rand.NewPCG(1, 1))}
	one, two := m.night(0, planted{}), m.night(1, planted{})
	s := open(t)
	add := func(replace bool, sets ...reports.Set) string {
		added, err := s.Add(sets, replace, nowhen)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(added)
	}
	there := func() (n int) {
		nights, err := s.Nights()
		if err != nil {
			t.Fatal(err)
		}
		return len(nights)
	}
	if got := add(false, one); got != "[true]" {
		t.Error(got)
	}
	if got := add(false, one, two, two); got != "[false true false]" {
		t.Error(got)
	}
	before := s.trend(t)
	changed := one
	changed.Results = append([]suite.Result(nil), one.Results...)
	changed.Results[0].Status = suite.Fail
	third := m.night(2, planted{})
	if got := add(false, third, changed); !strings.Contains(got, "measured something else") || there() != 2 {
		t.Errorf("%s; %d runs", got, there())
	}
	if diff := cmp.Diff(before, s.trend(t), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("what was not added has changed (-before +after):\n%s", diff)
	}
	if got := add(true, changed); got != "[true]" || there() != 2 {
		t.Errorf("%s; %d runs", got, there())
	}
}

// Programs that make a history at once make one, with what each of them adds.
func TestAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.db")
	m := &month{draw: rand.New(rand.NewPCG(1, 1))}
	var all sync.WaitGroup
	for i := range 6 {
		set := m.night(i, planted{})
		all.Go(func() {
			s, err := Open(file, true)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, err := s.Add([]reports.Set{set}, false, nowhen); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s, err := Open(file, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if nights, err := s.Nights(); err != nil || len(nights) != 6 {
		t.Errorf("%d runs, %v", len(nights), err)
	}
}

// Where the shaders lie is none of what a run is known by; how they were judged is.
func TestKey(t *testing.T) {
	key := func(flags string) string {
		return KeyOf(reports.Header{Options: reports.Options{Sweep: "quick", Checks: true, Flags: flags}}).Options
	}
	for flags, want := range map[string]string{
		"": "quick sweep, reference semantics", "-shaders '/tmp/a b' -backend metal": "quick sweep, reference semantics",
		"-shaders x -portable -config y/c.toml": "quick sweep, reference semantics, -portable",
	} {
		if got := key(flags); got != want {
			t.Errorf("%s: %q, want %q", flags, got, want)
		}
	}
}

// What is read is what was added.
func TestNights(t *testing.T) {
	m := &month{draw: rand.New(rand.NewPCG(1, 1))}
	set := m.night(3, planted{fails: "norm"})
	set.Results[1].Outputs[0].Errors = nil
	set.Results[1].Outputs[0].Metrics = metrics.Values{{Key: metrics.ErrorRatio, Value: 0.5}} // of an earlier version
	s := open(t)
	if _, err := s.Add([]reports.Set{set}, false, nowhen); err != nil {
		t.Fatal(err)
	}
	nights, err := s.Nights()
	if err == nil {
		err = s.Fill(nights)
	}
	if err != nil {
		t.Fatal(err)
	}
	n := nights[0]
	if n.Key != KeyOf(set.Header) || n.Seed != 3 || n.Exact || !n.Gated || n.Machine != "" || n.Cases != 120 || n.Failing != 4 || !n.Added.Equal(nowhen) {
		t.Errorf("%+v", n)
	}
	for i, c := range n.Results {
		r := set.Results[i]
		want := trend.Case{Name: r.Case, Kernel: r.Kernel, Family: r.Family, Status: r.Status, NS: r.NS, Samples: len(set.Times.Seconds[r.Case]), Seconds: c.Seconds}
		if e := r.Outputs[0].Errors; e != nil {
			want.Errors = &metrics.Errors{Elements: e.Elements, Sum: e.Sum, Outward: e.Outward, Squares: e.Squares}
		}
		if diff := cmp.Diff(want, c); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.Case, diff)
		}
		if (c.Seconds > 0) != (want.Samples > 0) {
			t.Errorf("%s: %v s of %d samples", r.Case, c.Seconds, want.Samples)
		}
	}
}

// A file that is no history, that a later program wrote or that is damaged is refused with
// a way out, and left as it is.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	made := func(name string, statements ...string) string {
		file := filepath.Join(dir, name)
		s, err := Open(file, true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Add((&month{draw: rand.New(rand.NewPCG(1, 1))}).nights()[:2], false, nowhen); err != nil {
			t.Fatal(err)
		}
		for _, text := range statements {
			if _, err := s.db.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
		return file
	}
	damaged := func(name string, edit func([]byte) []byte) string {
		text, err := os.ReadFile(made("whole-" + name))
		if err != nil {
			t.Fatal(err)
		}
		return write(name, edit(text))
	}
	foreign := filepath.Join(dir, "foreign.db")
	db, err := sql.Open("sqlite", foreign)
	if err == nil {
		_, err = db.Exec("CREATE TABLE t (x)")
		db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ file, want string }{
		{made("sound.db"), ""},
		{write("empty.db", nil), ""},
		{write("text.db", []byte("commit,verdict\n")), "not an SQLite database; name another file"},
		{foreign, "another program's database; name another file"},
		{made("later.db", "PRAGMA user_version = 7"), "version 7 of a history, and this program knows up to 1: use the conform that wrote it"},
		{damaged("cut.db", func(b []byte) []byte { return b[:len(b)/2] }), "damaged: "},
		{damaged("overwritten.db", func(b []byte) []byte {
			for i := len(b) / 3; i < len(b)/3+5000; i++ {
				b[i] ^= 0x5a
			}
			return b
		}), "restore a copy, or move it away"},
	} {
		before, _ := os.ReadFile(test.file)
		s, err := Open(test.file, true)
		if s != nil {
			s.Close()
		}
		after, _ := os.ReadFile(test.file)
		switch {
		case (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want):
			t.Errorf("%s: %v, want %q", filepath.Base(test.file), err, test.want)
		case err != nil && strings.Contains(err.Error(), "\n"):
			t.Errorf("more than a line: %v", err)
		case err != nil && string(before) != string(after):
			t.Errorf("%s: refused and changed", filepath.Base(test.file))
		}
	}
	if _, err := Open(filepath.Join(dir, "none.db"), false); err == nil || !strings.Contains(err.Error(), "conform history add makes one") {
		t.Errorf("no file: %v", err)
	}
}

// A file in which somebody else has put what would be run, or be read into memory, is refused.
func TestForeign(t *testing.T) {
	for want, change := range map[string]string{
		`trigger called "t"`: "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
		`view called "v"`:    "CREATE VIEW v AS SELECT 1",
		`table called "x"`:   "CREATE TABLE x (a, CHECK (length(hex(zeroblob(1000 * a))) > 0)); INSERT INTO x VALUES (1)",
		`table called "y"`:   "CREATE TABLE y (a, b GENERATED ALWAYS AS (hex(zeroblob(a))))",
		`index called "i"`:   "CREATE INDEX i ON runs (length(hex(zeroblob(cases))))",
		`table called "f"`:   "CREATE VIRTUAL TABLE f USING fts5(a)",
		"a value has":        "INSERT INTO results VALUES (zeroblob(2000000), 1, 'pass', 0, '', 1, NULL, NULL, NULL, 1, NULL, 0)",
	} {
		file := filepath.Join(t.TempDir(), "nights.db")
		s, err := Open(file, true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.db.Exec("PRAGMA foreign_keys = 0; " + change); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(file, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", change, err, want)
			if err == nil {
				s.Close()
			}
		}
	}
}
