package against

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// Outcome is what a comparison of one kernel gives.
type Outcome string

// Outcomes.
const (
	Same        Outcome = "same"         // the same bits
	Rewritten   Outcome = "rewritten"    // the same bits after the rewrites of Apple's default build
	Open        Outcome = "undetermined" // Metal leaves the source's results open, such as by a race
	Rounded     Outcome = "rounded"      // floats differ by no more than rounding allows
	Stale       Outcome = "stale"        // the library computes something else
	Changed     Outcome = "changed"      // the arguments differ
	Missing     Outcome = "missing"      // the source has no such kernel
	Unbuilt     Outcome = "not built"    // the library has no such kernel
	Unsupported Outcome = "unsupported"  // the library's kernel cannot be executed
	Unlaunched  Outcome = "not launched" // no launch with generated arguments ran to its end
)

// Outcomes are all of them.
func Outcomes() []Outcome {
	return []Outcome{Same, Rewritten, Rounded, Open, Stale, Changed, Missing, Unbuilt, Unsupported, Unlaunched}
}

// IsStale reports whether the library was not built from the source.
func (o Outcome) IsStale() bool {
	return o == Stale || o == Changed || o == Missing || o == Unbuilt
}

// Result is about one kernel.
type Result struct {
	Kernel   string  `json:"kernel"`
	Outcome  Outcome `json:"outcome"`
	Reason   string  `json:"reason,omitempty"`
	Launches int     `json:"launches,omitempty"`
}

// Comparer compares kernels of a source and of a library. The source is compiled with the library's arithmetic.
type Comparer struct {
	Source, Library *metalrun.Program
	// runners: as written, as Apple's default build rewrites, with exact values, and with checks
	Reference, Built, Exact, Checked metalrun.Runner
	Spec                             *adhoc.Spec
	Alone                            bool                   // the library has no kernels of other sources
	Selects                          func(name string) bool // nil: all

	known map[string]adhoc.Kernel // of the source
	whole *metalrun.Program       // the source with all function constants
}

// mostLaunches is how many launches of a kernel are compared.
const mostLaunches = 4

// Compare compares all kernels of both, in the order of the library.
func (c *Comparer) Compare(done func(Result) error) error {
	list, whole, err := adhoc.Kernels(c.Source, c.Spec)
	if err != nil {
		return err
	}
	c.known, c.whole = map[string]adhoc.Kernel{}, whole
	for _, k := range list {
		c.known[k.Info.Name] = k
	}
	var names []string
	for _, s := range c.Library.Signatures() {
		names = append(names, s.Name)
		if _, ok := c.known[s.Name]; !ok && !c.Alone || c.Selects != nil && !c.Selects(s.Name) {
			continue
		}
		if err := done(c.kernel(s)); err != nil {
			return err
		}
	}
	for _, k := range list {
		if !slices.Contains(names, k.Info.Name) && (c.Selects == nil || c.Selects(k.Info.Name)) {
			r := Result{Kernel: k.Info.Name, Outcome: Unbuilt, Reason: "the library has no such kernel"}
			if err := done(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Comparer) kernel(library metalrun.Signature) Result {
	r := Result{Kernel: library.Name}
	k, ok := c.known[library.Name]
	if !ok {
		r.Outcome, r.Reason = Missing, "the source has no such kernel"
		return r
	}
	if why := arguments(k.Info.Args, library.Args); why != "" {
		r.Outcome, r.Reason = Changed, why
		return r
	}
	program, err := c.Library.Specialise(c.Library.Options().Math(), c.whole.Options().FunctionConstants, library.Name)
	if err == nil {
		_, err = program.Kernel(library.Name)
	}
	if err != nil {
		r.Outcome, r.Reason = Unsupported, err.Error()
		return r
	}
	if why := k.Unfilled(); why != "" {
		r.Outcome, r.Reason = Unlaunched, why
		return r
	}
	err = c.launch(&r, k, program)
	if err != nil {
		r.Outcome, r.Reason = Unlaunched, err.Error()
	}
	return r
}

// run is a kernel on a runner.
func run(runner metalrun.Runner, p *metalrun.Program, name string) (metalrun.Kernel, error) {
	l, err := runner.Compile(p)
	if err != nil {
		return nil, err
	}
	return l.Kernel(name)
}

// launch launches a kernel of both, and sets the outcome that is worst.
func (c *Comparer) launch(r *Result, k adhoc.Kernel, library *metalrun.Program) error {
	source, err := run(c.Reference, c.whole, r.Kernel)
	if err != nil {
		return err
	}
	other, err := run(c.Reference, library, r.Kernel)
	if err != nil {
		return err
	}
	r.Outcome = Same
	var last error
	for _, size := range k.Threadgroups(min(source.MaxThreads(), other.MaxThreads())) {
		for _, l := range k.Launches(size) {
			if r.Launches == mostLaunches {
				return nil
			}
			want, err := grown(source, &k, l)
			if err != nil {
				last = err
				continue
			}
			got := l.Again().Dispatch()
			r.Launches++
			if _, err := other.Run(got); err != nil {
				r.Outcome, r.Reason = Stale, fmt.Sprintf("a launch fails in the library alone: %v", err)
				return nil
			}
			if at := difference(k.Info, want, got); at != "" {
				if err := c.explain(r, k, l, got.Bindings, at); err != nil || r.Outcome == Stale {
					return err
				}
			}
		}
	}
	if r.Launches == 0 {
		return last
	}
	return nil
}

// mostGrown is how often buffers are made longer for a launch.
const mostGrown = 12

// grown runs a launch, with longer buffers where the guess was too short, and returns a copy of what it left.
func grown(kernel metalrun.Kernel, k *adhoc.Kernel, l adhoc.Launch) (list []metalrun.Binding, err error) {
	for range mostGrown {
		d := l.Again().Dispatch()
		_, err = kernel.Run(d)
		var fault *metalrun.Fault
		if err == nil {
			return copied(d.Bindings), nil
		}
		if !errors.As(err, &fault) || !k.Grow(fault) {
			break
		}
	}
	return nil, err
}

func copied(list []metalrun.Binding) []metalrun.Binding {
	list = slices.Clone(list)
	for i := range list {
		list[i].Data = slices.Clone(list[i].Data)
	}
	return list
}

// difference is where the results of two launches first differ; "" if nowhere.
func difference(info metalrun.KernelInfo, want []metalrun.Binding, got metalrun.Dispatch) string {
	for i, b := range got.Bindings {
		if bytes.Equal(b.Data, want[i].Data) {
			continue
		}
		for j := range b.Data {
			if b.Data[j] == want[i].Data[j] {
				continue
			}
			for _, a := range info.Args {
				if a.Kind == metalrun.BufferArg && a.Index == b.Index {
					return place(a, j, want[i].Data, b.Data)
				}
			}
			return fmt.Sprintf("byte %d of buffer %d", j, b.Index)
		}
	}
	return ""
}

// place is an element of an argument with both values.
func place(a metalrun.ArgInfo, at int, want, got []byte) string {
	f, ok := fieldAt(a, at)
	if !ok || at-at%f.Size+f.Size > len(got) {
		return fmt.Sprintf("byte %d of %s", at, a.Name)
	}
	begin := at - at%f.Size
	return fmt.Sprintf("%s[%d] is %s in the library, %s in the source", a.Name, begin/f.Size,
		spelt(f.Type, got[begin:]), spelt(f.Type, want[begin:]))
}

// fieldAt is the scalar of an argument at an offset, if all have one type.
func fieldAt(a metalrun.ArgInfo, at int) (metalrun.FieldInfo, bool) {
	if len(a.Fields) != 1 || a.Fields[0].Size == 0 {
		return metalrun.FieldInfo{}, false
	}
	return a.Fields[0], true
}

// floats are the floating types with their formats.
var floats = map[string]metalrun.FloatFormat{"float": metalrun.FormatFloat, "half": metalrun.FormatHalf,
	"bfloat": metalrun.FormatBfloat}

func spelt(typ string, b []byte) string {
	if x, ok := float(typ, b); ok {
		return fmt.Sprintf("%.9g", x)
	}
	size := map[string]int{"char": 1, "uchar": 1, "bool": 1, "short": 2, "ushort": 2, "long": 8, "ulong": 8}[typ]
	if size == 0 {
		size = 4
	}
	var bits uint64
	for i := range min(size, len(b)) {
		bits |= uint64(b[i]) << (8 * i)
	}
	return fmt.Sprintf("%#x", bits)
}

func float(typ string, b []byte) (float64, bool) {
	format, ok := floats[typ]
	if !ok {
		return 0, false
	}
	return format.Value(b), true
}

// explain says why results differ: the first explanation that holds of the launch.
func (c *Comparer) explain(r *Result, k adhoc.Kernel, l adhoc.Launch, got []metalrun.Binding, at string) error {
	got = copied(got)
	checked, err := run(c.Checked, c.whole, r.Kernel)
	if err != nil {
		return err
	}
	o, err := checked.Run(l.Again().Dispatch())
	open := slices.IndexFunc(o.Findings, func(f metalrun.Finding) bool {
		return f.Check == "race" || f.Check == "uninitialised" || f.Check == "inactive"
	})
	if err == nil && open >= 0 {
		if r.Outcome == Same {
			f := o.Findings[open]
			r.Outcome, r.Reason = Open, fmt.Sprintf("%s: %s, so results may differ: %s", f.Position, f.Message, at)
		}
		return nil
	}
	built, err := run(c.Built, c.whole, r.Kernel)
	if err != nil {
		return err
	}
	d := l.Again().Dispatch()
	if _, err := built.Run(d); err == nil && difference(k.Info, got, d) == "" {
		if r.Outcome == Same {
			r.Outcome, r.Reason = Rewritten, "as written "+at
		}
		return nil
	}
	exact, err := run(c.Exact, c.whole, r.Kernel)
	if err != nil {
		return err
	}
	d = l.Again().Dispatch()
	for i := range d.Bindings {
		if !d.Bindings[i].Inline {
			d.Bindings[i].Exact = &metalrun.Exact{}
		}
	}
	if _, err := exact.Run(d); err != nil {
		return err
	}
	if why := beyond(k.Info, d.Bindings, got); why != "" {
		r.Outcome, r.Reason = Stale, why
		return nil
	}
	r.Outcome, r.Reason = Rounded, at
	return nil
}

// beyond is the first element of the library's results that no rounding of the source's explains; "" if there is none.
func beyond(info metalrun.KernelInfo, source, library []metalrun.Binding) string {
	for i, b := range library {
		if bytes.Equal(b.Data, source[i].Data) {
			continue
		}
		var a metalrun.ArgInfo
		for _, x := range info.Args {
			if x.Kind == metalrun.BufferArg && x.Index == b.Index {
				a = x
			}
		}
		f, ok := fieldAt(a, 0)
		if !ok {
			f = metalrun.FieldInfo{Type: "uint", Size: 4}
		}
		for at := 0; at+f.Size <= len(b.Data); at += f.Size {
			want, got := source[i].Data[at:at+f.Size], b.Data[at:at+f.Size]
			if bytes.Equal(want, got) {
				continue
			}
			if !allowed(source[i].Exact, f, at, want, got) {
				return place(a, at, source[i].Data, b.Data) + ", which is beyond what rounding allows"
			}
		}
	}
	return ""
}

// allowed reports whether a value is among those that devices may have by the exact value of an element. Where exact
// execution knows nothing, such as after a decision that goes either way, every value is.
func allowed(x *metalrun.Exact, f metalrun.FieldInfo, at int, want, got []byte) bool {
	w, isFloat := float(f.Type, want)
	v, _ := float(f.Type, got)
	if isFloat && w != w && v != v { // which NaN it is nobody promises
		return true
	}
	if x == nil {
		return false
	}
	value, e, written := x.Element(at)
	if !written {
		return false
	}
	if x.Size() != f.Size || e-e != 0 || value-value != 0 {
		return true
	}
	if !isFloat {
		return e > 0
	}
	half := math.Abs(w) * floats[f.Type].UnitRoundoff()
	return math.Abs(v-value) <= e+2*half+math.SmallestNonzeroFloat32
}
