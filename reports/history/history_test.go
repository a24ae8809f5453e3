package history

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
			Commit: fmt.Sprintf("c%02d", i), Conform: "test",
			Started: time.Date(2026, 11, 1, 3, 17, 0, 0, time.UTC).AddDate(0, 0, i),
			Device:  reports.Device{Backend: "metal", Name: "Apple M9", Clock: metalrun.GPUClock},
			Host:    reports.Host{OS: "darwin", Arch: "arm64"},
			Options: reports.Options{Sweep: "quick", Seed: uint64(i)},
			Shaders: map[string]reports.Shader{"a.metal": {SHA256: fmt.Sprint(i)}},
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
			r := suite.Result{
				Case: fmt.Sprintf("%s/n=%d/x", kernel, c), Kernel: kernel, Family: "f", Status: suite.Pass,
				Elements: 1000, Digest: fmt.Sprint(m.draw.Uint64()),
			}
			rms := 0.003 * float64(k+1) * (1 + 0.1*m.draw.NormFloat64()*m.draw.NormFloat64())
			if kernel == p.worse {
				rms *= p.by
			}
			sums := [2]float64{m.draw.NormFloat64(), m.draw.NormFloat64()}
			e := metrics.Errors{
				Elements: 1000, Squares: 1000 * rms * rms, Sum: 30 * rms * sums[0], Outward: 30 * rms * sums[1],
			}
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
	s, err := Open(filepath.Join(t.TempDir(), "nights"), true)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runs are results on their way into a history.
func runs(t testing.TB, sets ...reports.Set) (list []Run) {
	t.Helper()
	for _, set := range sets {
		r, err := NewRun(set)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// all returns the nights of a history with their results.
func (s *Store) all(t testing.TB) []trend.Night {
	t.Helper()
	nights, err := s.Nights()
	if err == nil {
		err = s.Fill(nights)
	}
	if err != nil {
		t.Fatal(err)
	}
	return nights
}

// files are the contents of the files of a history by name.
func (s *Store) files(t *testing.T) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(s.dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = string(text)
	}
	return found
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
				{reports.Speed, slower, time}:            true, // by its launches
				{reports.Speed, slower + "/n=0/x", time}: true, // by conform bench
			}
			if calm {
				m.plant, want = nil, map[place]bool{}
			}
			s := open(t)
			if _, err := s.Add(runs(t, m.nights()...), false); err != nil {
				t.Fatal(err)
			}
			all := trend.Find(s.all(t), reports.DefaultPolicy())
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
				from, to := fmt.Sprintf("c%02d", step.Last), fmt.Sprintf("c%02d", step.First)
				if !step.Worse || step.Undone || step.From != from || step.To != to || step.Last != step.First-1 {
					t.Errorf("seed %d: a step %+v", seed, step)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("seed %d, calm %t: steps (-want +got):\n%s", seed, calm, diff)
			}
		}
	}
}

// What is added twice is there once. If one run cannot be added, no run is.
func TestAdd(t *testing.T) {
	m := &month{draw: rand.New(rand.NewPCG(1, 1))}
	one, two := m.night(0, planted{}), m.night(1, planted{})
	s := open(t)
	add := func(replace bool, sets ...reports.Set) string {
		added, err := s.Add(runs(t, sets...), replace)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(added)
	}
	if got := add(false, one); got != "[true]" {
		t.Error(got)
	}
	if got := add(false, one, two, two); got != "[false true false]" {
		t.Error(got)
	}
	before := s.files(t)
	changed := one
	changed.Results = append([]suite.Result(nil), one.Results...)
	changed.Results[0].Status = suite.Fail
	if got := add(false, m.night(2, planted{}), changed); !strings.Contains(got, "measured something else") {
		t.Error(got)
	}
	if diff := cmp.Diff(before, s.files(t)); diff != "" {
		t.Errorf("what was not added has changed files (-before +after):\n%s", diff)
	}
	if got := add(true, changed); got != "[true]" {
		t.Error(got)
	}
	if nights := s.all(t); len(nights) != 2 || nights[0].Failing != 1 || nights[1].Failing != 0 {
		t.Errorf("after a replacement: %+v", nights)
	}
}

// The same runs make the same files, in whatever order and by however many programs they are added. Different runs
// make different files, so that histories are merged by copying them.
func TestFiles(t *testing.T) {
	m := &month{draw: rand.New(rand.NewPCG(1, 1))}
	var sets []reports.Set
	for i := range 6 {
		sets = append(sets, m.night(i, planted{}))
	}
	sets[5].Header = sets[0].Header
	sets[5].Options.Adversaries = 2 // the same commit, device and second
	one, other := open(t), open(t)
	if _, err := one.Add(runs(t, sets...), false); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, set := range sets {
		r := runs(t, set)
		all.Go(func() {
			s, err := Open(other.dir, true)
			if err == nil {
				_, err = s.Add(r, false)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	files := one.files(t)
	if diff := cmp.Diff(files, other.files(t)); diff != "" || len(files) != 6 {
		t.Errorf("%d files (-in one call +at once):\n%s", len(files), diff)
	}
	first := slices.Sorted(maps.Keys(files))[0]
	if want := "20261101T031700Z-c00-metal.Apple.M9-quick.sweep-"; !strings.HasPrefix(first, want) {
		t.Errorf("the first file is %s, want %s…", first, want)
	}
}

// The place of the shaders is not part of a key; how they were judged is.
func TestKey(t *testing.T) {
	key := func(flags string) string {
		return KeyOf(reports.Header{Options: reports.Options{Sweep: "quick", Checks: true, Flags: flags}}).Options
	}
	for flags, want := range map[string]string{
		"":                                      "quick sweep, reference semantics",
		"-shaders '/tmp/a b' -backend metal":    "quick sweep, reference semantics",
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
	set.Results[2].Status = suite.Waived
	set.Results[3].Status = suite.Skip
	want := runs(t, set)[0].Night
	want.ID = identify(want.Key)
	if want.Key != KeyOf(set.Header) || want.Seed != 3 || want.Exact || !want.Gated || want.Machine != "" ||
		want.Cases != 120 || want.Failing != 4 || len(want.Kernels) != len(kernelNames) {
		t.Errorf("%+v", want)
	}
	s := open(t)
	if _, err := s.Add(runs(t, set), false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]trend.Night{want}, s.all(t)); diff != "" {
		t.Errorf("night (-added +read):\n%s", diff)
	}
}

// A file says what a run measured, and anybody can read it.
func TestFormat(t *testing.T) {
	set := (&month{draw: rand.New(rand.NewPCG(1, 1))}).night(0, planted{})
	set.Results = set.Results[:3]
	for i := range set.Results {
		set.Results[i].NS = 1000
		set.Results[i].Outputs[0].Errors = &metrics.Errors{Elements: 100, Squares: 1, Sum: 1}
	}
	set.Results[2].Case, set.Results[2].Status = "attn/n=1/y", suite.Fail
	set.Times.Seconds = map[string][]float64{set.Results[0].Case: {1, 2, 4}}
	text, err := encode(runs(t, set)[0])
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(lines), "\n")
	want := `{"kernel":"attn","family":"f","inputs":[["x"],["x","y"]],"shapes":["attn/n=0/","attn/n=1/"],"lists":[0,1]}
{"results":"attn","not_passed":{"fail":[2]},"error":[0.1,0.1],"bias":[0.1,0.1],"ns":[1000,1000],` +
		`"typical_error":0.1,"typical_ns":1000,"timed":[{"case":0,"seconds":2,"samples":3}]}
`
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Errorf("lines after the header (-want +got):\n%s", diff)
	}
}

// A file that is damaged, or that a later program wrote, is refused in one line with a way out.
func TestDamaged(t *testing.T) {
	set := (&month{draw: rand.New(rand.NewPCG(1, 1))}).night(0, planted{fails: "norm"})
	run := runs(t, set)[0]
	sound, err := encode(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		text []byte
		want string
	}{
		{"sound", sound, ""},
		{"empty", nil, "damaged: EOF"},
		{"text", []byte("commit,verdict\n"), "damaged: gzip: invalid header"},
		{"cut", sound[:len(sound)/2], "damaged: unexpected EOF"},
		{"other bytes", append(slices.Clone(sound[:len(sound)-6]), 1, 2, 3, 4, 5, 6),
			"damaged: gzip: invalid checksum"},
		{"a bomb", zipped(t, strings.Repeat("\n", mostText+1)), "damaged: unexpected end of JSON input"},
		{"a long line", zipped(t, strings.Repeat(" ", mostLine+1)), "damaged: a line has more than 8388608 bytes"},
		{"another schema", edited(t, sound, "conform.history", "conform.results"), `the schema is "conform.results"`},
		{"a later program", edited(t, sound, `"version":1`, `"version":7`),
			"version 7 of a history, and this program knows up to 1"},
		{"another run", edited(t, sound, `"commit":"c00"`, `"commit":"c01"`),
			"damaged: the run is that of 20261101T031700Z-c01-"},
		{"an unknown member", edited(t, sound, `"family"`, `"fame"`), "damaged: json: unknown field"},
		{"a member twice", edited(t, sound, `"family":"f"`, `"family":"f","family":"f"`), `the member "family" twice`},
		{"other order", edited(t, sound, `"conv`, `"aonv`), "damaged: the kernel \"aonv\" is not in order"},
		{"a missing list", edited(t, sound, `"lists":[0`, `"lists":[7`), "damaged: there is no list 7 of inputs"},
		{"fewer lists", edited(t, sound, `"lists":[0,`, `"lists":[`), "damaged: 12 shapes have 11 lists of inputs"},
		{"fewer numbers", edited(t, sound, `"error":[`, `"error":[],"was":[`), "unknown field"},
		{"more numbers", edited(t, sound, `"error":[`, `"error":[1,`), "damaged: 13 numbers for 12 shapes"},
		{"a number below 0", edited(t, sound, `"error":[`, `"error":[-`), "is below 0"},
		{"a missing case", edited(t, sound, `"fail":[0`, `"fail":[99`),
			"damaged: case 99 of 12 has two verdicts, or is none"},
		{"a case twice", edited(t, sound, `"fail":[0`, `"fail":[5`),
			"damaged: case 5 of 12 has two verdicts, or is none"},
		{"another verdict", edited(t, sound, `"fail":[`, `"pass":[`),
			`"pass" is no verdict of a case that did not pass`},
		{"a time of a missing case", edited(t, sound, `"timed":[{"case":0`, `"timed":[{"case":12`),
			"case 12 of 12 took"},
		{"no results", edited(t, sound, "\n{\"results\":\"swiglu\"", "\n"), "damaged: "},
		{"results of another kernel", edited(t, sound, `{"results":"attn"`, `{"results":"conv"`),
			`results of "conv" after the cases of "attn"`},
	} {
		s := open(t)
		if err := os.Mkdir(s.dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, fileName(run.Key)), test.text, 0o666); err != nil {
			t.Fatal(err)
		}
		nights, err := s.Nights()
		if err == nil {
			err = s.Fill(nights)
		}
		switch {
		case (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want):
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		case err != nil && (strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), s.dir)):
			t.Errorf("%s: more than a line, or no name: %v", test.name, err)
		}
	}
}

// zipped compresses a text.
func zipped(t testing.TB, text string) []byte {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	if _, err := io.WriteString(zip, text); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unzipped is the text of a file.
func unzipped(t testing.TB, sound []byte) string {
	zip, err := gzip.NewReader(bytes.NewReader(sound))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// edited replaces the first place where a text has old.
func edited(t testing.TB, sound []byte, old, with string) []byte {
	text := unzipped(t, sound)
	if !strings.Contains(text, old) {
		t.Fatalf("no %s in\n%.2000s", old, text)
	}
	return zipped(t, strings.Replace(text, old, with, 1))
}

// What is no directory is refused with a way out, and files of others in a directory are left alone.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"text": "commit,verdict\n", "nights.db": "SQLite format 3\x00 and more"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"text":      "no history of conform: it is not a directory; name another one",
		"nights.db": "a database, which is what earlier versions wrote: examples/history imports it",
		"none":      "there is no such history; conform history add makes one",
	} {
		if _, err := Open(filepath.Join(dir, name), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	s, err := Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if nights, err := s.Nights(); len(nights) != 0 || err != nil {
		t.Errorf("%v, %v", nights, err)
	}
}
