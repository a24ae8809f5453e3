package probe

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// Report is what there is to know about a device.
type Report struct {
	Facts     metalrun.Facts `json:"facts"`
	Languages []Capability   `json:"languages"` // versions
	Modes     []Capability   `json:"modes"`     // of arithmetic and functions
	Features  []Capability   `json:"features"`
	Measured  []Answer       `json:"measured"`
}

// Capability is something that a device has, or lacks.
type Capability struct {
	Name string `json:"name"`
	Has  bool   `json:"has"`
	Why  string `json:"why,omitempty"` // why not
}

// Answer is what a device was seen to do.
type Answer struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// Device probes a device. The error wraps ErrUnusable if it no longer answers.
func Device(r metalrun.Runner) (*Report, error) {
	p := &prober{Runner: r}
	report := &Report{Facts: r.Device().Facts}
	for _, version := range languages {
		report.Languages = append(report.Languages, p.capability(fmt.Sprintf("%d.%d", version/100, version/10%10),
			p.compiles(metalrun.CompileOptions{LanguageVersion: version})))
	}
	for _, m := range modes {
		report.Modes = append(report.Modes,
			p.capability(m.name, p.compiles(metalrun.CompileOptions{MathMode: m.mode, FastFunctions: m.fast})))
	}
	for _, f := range metalrun.Features() {
		report.Features = append(report.Features, p.capability(string(f), f.Try(r)))
	}
	for _, q := range questions {
		report.Measured = append(report.Measured, Answer{q.text, p.answer(q)})
	}
	if p.unusable != nil {
		return nil, p.unusable
	}
	return report, nil
}

// prober asks one device.
type prober struct {
	metalrun.Runner
	unusable error // why there is no more use in asking
}

// languages are the versions that can be asked for, since bfloat's and before.
var languages = []metalrun.Version{240, 300, 310, 320, 400}

var modes = []struct {
	name string
	mode metalrun.MathMode
	fast bool
}{
	{"safe, precise functions", metalrun.MathSafe, false},
	{"safe, fast functions", metalrun.MathSafe, true},
	{"relaxed, precise functions", metalrun.MathRelaxed, false},
	{"relaxed, fast functions", metalrun.MathRelaxed, true},
	{"fast, precise functions", metalrun.MathFast, false},
	{"fast, fast functions", metalrun.MathFast, true},
}

// compiles tries a program under some options, up to a pipeline: what a compiler takes
// the device may still refuse.
func (p *prober) compiles(opts metalrun.CompileOptions) error {
	_, release, err := p.kernel("kernel void empty(device uint *x [[buffer(0)]]) { x[0] = 1; }\n", "empty", opts)
	if err == nil {
		release()
	}
	return err
}

// kernel is an entry point of a source.
func (p *prober) kernel(text, name string, opts metalrun.CompileOptions) (k metalrun.Kernel, release func(),
	err error) {
	program, err := metalrun.Analyse(metalrun.SourceText("probe.metal",
		"#include <metal_stdlib>\nusing namespace metal;\n"+text), opts)
	if err != nil {
		return nil, nil, err
	}
	l, err := p.Compile(program)
	if err != nil {
		return nil, nil, err
	}
	if k, err = l.Kernel(name); err != nil {
		l.Release()
		return nil, nil, err
	}
	return k, l.Release, nil
}

func (p *prober) capability(name string, err error) Capability {
	p.saw(err)
	if err != nil {
		return Capability{Name: name, Why: brief(err.Error())}
	}
	return Capability{Name: name, Has: true}
}

const mostReason = 300 // bytes of a reason

// brief is the line of a compiler's log that has the error, or the first one: logs go on with all values that would
// have been valid.
func brief(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	line := lines[0]
	if i := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "error: ") }); i >= 0 {
		line = lines[i]
	}
	if len(line) > mostReason {
		return strings.ToValidUTF8(line[:mostReason], "") + "…"
	}
	return line
}

// saw keeps an error that ends the probe.
func (p *prober) saw(err error) {
	if p.unusable == nil && errors.Is(err, metalrun.ErrUnusable) {
		p.unusable = err
	}
}
