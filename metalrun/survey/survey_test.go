package survey

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/probe"
	"metalconform/metalrun/sim"
	"metalconform/shaders"
)

// expected is a report in which everything is as it is assumed. No device has made it.
func expected() *Report {
	r := &Report{Format: Format, Device: Device{Backend: "none", Name: "as assumed"}, Clock: metalrun.GPUClock,
		Probe: &probe.Report{Facts: metalrun.Facts{Families: []string{"Apple7", "Apple8", "Mac2", "Metal3"}, Width: 32,
			Threads: 1024, ThreadgroupMemory: 32 << 10}},
		Files: []File{{Name: "a.metal", Build: "safe"}},
		Pipelines: []Pipeline{{Kernel: "k", Pipeline: metalrun.Pipeline{Threads: 1024, Width: 32,
			ThreadgroupMemory: 20}, Declared: 17}},
		Methods: []metalrun.Method{{Class: "C", Name: "m", Encoding: "v16@0:8"}},
	}
	r.Pipelines = append(r.Pipelines,
		Pipeline{Kernel: "own", Own: 64, Pipeline: metalrun.Pipeline{Threads: 64, Width: 32}},
		Pipeline{Kernel: "lacking", Refused: metalrun.ErrUnsupported.Error() + ": lacking uses bfloat", Control: true})
	for _, name := range []string{"2.4", "3.0", "3.1"} {
		r.Probe.Languages = append(r.Probe.Languages, probe.Capability{Name: name, Has: true})
	}
	r.Probe.Modes = []probe.Capability{{Name: "safe", Has: true}}
	for _, f := range metalrun.Features() {
		r.Probe.Features = append(r.Probe.Features, probe.Capability{Name: string(f), Has: true})
	}
	for question, answer := range map[string]string{"rounding": "to nearest, ties to even",
		"float subnormals": "flushed",
		"half subnormals":  "kept", "bfloat subnormals": "flushed", "a * b + c": "fused", "c - a * b": "fused",
		"p = a * b; p + c": "product rounded", "half a * b + c": "fused", "simd_sum": "ascending",
		"simdgroup_matrix product": "ascending from c, fused", probe.PragmaQuestion: "obeyed"} {
		r.Probe.Measured = append(r.Probe.Measured, probe.Answer{Question: question, Answer: answer})
	}
	return r
}

// refuted are the names of the assumptions that a report refutes.
func refuted(r *Report) (names []string) {
	for _, j := range r.Judge() {
		if j.Verdict == Refuted {
			names = append(names, j.Name)
		}
	}
	return names
}

// TestJudges changes one thing of the report in which all is as assumed: that assumption falls, and no other.
func TestJudges(t *testing.T) {
	said := func(question, answer string) func(*Report) {
		return func(r *Report) {
			i := slices.IndexFunc(r.Probe.Measured, func(a probe.Answer) bool { return a.Question == question })
			r.Probe.Measured[i].Answer = answer
		}
	}
	tests := map[string]func(*Report){
		"rounding":                    said("rounding", "toward zero"),
		"float-subnormals":            said("float subnormals", "kept"),
		"half-subnormals":             said("half subnormals", "flushed"),
		"bfloat-subnormals":           said("bfloat subnormals", "operands kept, results flushed"),
		"fusion":                      said("a * b + c", "product rounded"),
		"fusion-of-differences":       said("c - a * b", "product rounded"),
		"no-fusion-across-statements": said("p = a * b; p + c", "fused"),
		"half-fusion":                 said("half a * b + c", "product rounded"),
		"simd-sum-order":              said("simd_sum", "another order"),
		"matrix-order":                said("simdgroup_matrix product", "another order"),
		"pragma-math-mode":            said(probe.PragmaQuestion, "ignored"),
		"simdgroup-width":             func(r *Report) { r.Pipelines[0].Width = 16 },
		"threads":                     func(r *Report) { r.Probe.Facts.Threads = 512 },
		"threads-of-pipelines":        func(r *Report) { r.Pipelines[0].Threads = 832 },
		"threadgroup-memory":          func(r *Report) { r.Probe.Facts.ThreadgroupMemory = 16 << 10 },
		"static-threadgroup-memory":   func(r *Report) { r.Pipelines[0].ThreadgroupMemory = 33 },
		"features":                    func(r *Report) { r.Probe.Facts.Families = []string{"Apple7"} },
		"gpu-clock":                   func(r *Report) { r.Clock = metalrun.HostClock },
		"language":                    func(r *Report) { r.Probe.Languages[2].Has = false },
		"math-modes":                  func(r *Report) { r.Probe.Modes[0].Has = false },
		"shaders-compile":             func(r *Report) { r.Files[0].Refused = "no" },
		"no-warnings":                 func(r *Report) { r.Files[0].Warnings = "warning: x" },
		"pipelines-build":             func(r *Report) { r.Pipelines[2].Refused = "no" },
		"controls-build":              func(r *Report) { r.Pipelines[2].Control = false },
		"method-types":                func(r *Report) { r.Methods[0].Differs = "in a sign" },
	}
	if list := refuted(expected()); list != nil {
		t.Errorf("as assumed: refutes %v", list)
	}
	for _, a := range Assumptions() {
		if _, ok := tests[a.Name]; !ok && !neverAsked(a) {
			t.Errorf("%s: no report refutes it", a.Name)
		}
	}
	for name, change := range tests {
		r := expected()
		change(r)
		if list := refuted(r); !slices.Equal(list, []string{name}) {
			t.Errorf("%s: refutes %v", name, list)
		}
	}
	for _, j := range (&Report{}).Judge() {
		if j.Verdict != NotAsked {
			t.Errorf("an empty report says of %s: %s", j.Name, j.Verdict)
		}
	}
	r := expected()
	said(probe.PragmaQuestion, "not supported")(r)
	if list := refuted(r); !slices.Equal(list, []string{"pragma-math-mode"}) {
		t.Errorf("a pragma that is refused: refutes %v", list)
	}
	said("half subnormals", "not supported")(r)
	if list := refuted(r); !slices.Equal(list, []string{"pragma-math-mode"}) {
		t.Errorf("a question that the device refuses: refutes %v", list)
	}
}

func neverAsked(a Assumption) bool {
	v, _ := a.judge(expected())
	return v == NotAsked
}

// TestAsk has the simulator answer, and a device that breaks on the way: what was asked before is kept.
func TestAsk(t *testing.T) {
	device := sim.New(sim.Apple())
	report, sources, err := New(device.Device(), "test", shaders.FS)
	if err != nil {
		t.Fatal(err)
	}
	var kept []byte
	keep := func() (err error) {
		kept, err = json.Marshal(report)
		return err
	}
	if err := report.Ask(device, sources[:1], keep); err != nil {
		t.Fatal(err)
	}
	read, err := Parse(kept)
	if err != nil || !read.Done || len(read.Files) != 2 || len(read.Pipelines) < 10 {
		t.Errorf("%d files, %d pipelines, done %v, %v", len(read.Files), len(read.Pipelines), read.Done, err)
	}
	if list := refuted(read); !slices.Equal(list, []string{"gpu-clock"}) {
		t.Errorf("the simulator refutes %v", list)
	}
	if changed, err := read.Changed(shaders.FS); err != nil || changed != nil {
		t.Errorf("changed: %v, %v", changed, err)
	}
	read.Sources["norm.metal"] = "other"
	if changed, err := read.Changed(shaders.FS); err != nil || !slices.Equal(changed, []string{"norm.metal"}) {
		t.Errorf("changed: %v, %v", changed, err)
	}
	broken := &breaking{Runner: device, after: 40}
	report, sources, err = New(device.Device(), "test", shaders.FS)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Ask(broken, sources, keep); !errors.Is(err, metalrun.ErrUnusable) {
		t.Errorf("a device that breaks: %v", err)
	}
	read, err = Parse(kept)
	if err != nil || read.Done || read.Stopped == "" || read.Probe == nil || len(read.Files) == 0 {
		t.Errorf("what is kept of a device that breaks: %+v, %v", read, err)
	}
}

// breaking is a device that is unusable after some compilations.
type breaking struct {
	metalrun.Runner
	after int
}

func (b *breaking) Compile(p *metalrun.Program) (metalrun.Library, error) {
	if b.after--; b.after < 0 {
		return nil, fmt.Errorf("%w: for a test", metalrun.ErrUnusable)
	}
	return b.Runner.Compile(p)
}

// TestParse has files that are no reports.
func TestParse(t *testing.T) {
	for _, text := range []string{"", "{}", "[]", `{"format":1}`, `{"format":2,"device":{"name":"x"}}`} {
		if r, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q: %+v", text, r)
		}
	}
}

// TestManual: docs/mac.md has every assumption, in these words.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../../docs/mac.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := strings.Join(strings.Fields(string(text)), " ")
	for _, a := range Assumptions() {
		if want := fmt.Sprintf("- `%s`: %s.", a.Name, a.Text); !strings.Contains(manual, want) {
			t.Errorf("docs/mac.md lacks %q", want)
		}
	}
}

// TestMacs holds all assumptions against the reports of testdata/macs. A report NAME.json that refutes one fails until
// NAME.dealt has a line for it: its name, a colon and what was done.
func TestMacs(t *testing.T) {
	files, err := filepath.Glob("testdata/macs/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		report, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		dealt, err := os.ReadFile(strings.TrimSuffix(file, ".json") + ".dealt")
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		open, idle := outstanding(report, string(dealt))
		for _, j := range open {
			t.Run(j.Name, func(t *testing.T) {
				t.Errorf("%s refutes that %s: %s\nwould change: %s", file, j.Text, j.Why, j.Changes)
			})
		}
		for _, name := range idle {
			t.Errorf("%s: %s is dealt with, and the report does not refute it", file, name)
		}
	}
}

// outstanding are the refuted assumptions that nobody has dealt with, and lines about others.
func outstanding(r *Report, dealt string) (open []Judgement, idle []string) {
	done := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(dealt)); lines.Scan(); {
		if name, how, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(how) != "" {
			done[name] = true
		}
	}
	for _, j := range r.Judge() {
		if j.Verdict == Refuted && !done[j.Name] {
			open = append(open, j)
		} else if j.Verdict == Refuted {
			delete(done, j.Name)
		}
	}
	return open, slices.Sorted(maps.Keys(done))
}

// TestOutstanding: a refuted assumption is outstanding until somebody says what was done.
func TestOutstanding(t *testing.T) {
	r := expected()
	r.Clock = metalrun.HostClock
	for _, test := range []struct {
		dealt      string
		open, idle int
	}{{"", 1, 0}, {"gpu-clock:\n", 1, 0}, {"gpu-clock: times are of the host\n", 0, 0},
		{"gpu-clock: done\nrounding: done\n", 0, 1}} {
		if open, idle := outstanding(r, test.dealt); len(open) != test.open || len(idle) != test.idle {
			t.Errorf("%q: %v, %v", test.dealt, open, idle)
		}
	}
}
