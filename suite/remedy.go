package suite

import (
	"maps"
	"math"
	"slices"
	"time"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// remedySearch judges outputs again, under one contract after the other.
type remedySearch struct {
	*CaseRun
	problem *Problem // that the oracle was asked
}

// seekRemedy enters in failures of values the declaration that would make them conform, or that none explains them. A
// contract says how digits are lost: it is offered only where exact execution shows that nothing else is wrong, and
// never without it. It asks the oracle twice where none does, and otherwise at most twice for each setting.
func (t *CaseRun) seekRemedy(p *Problem, failures []Failure) {
	if t.today.IsZero() {
		return
	}
	if !t.contracted() {
		t.seekInputs(failures, p)
		return
	}
	if !slices.ContainsFunc(failures, t.curable) {
		return
	}
	s := &remedySearch{t, p}
	var found *Remedy
	if settings, ratio, ok := s.search(t.Kernel.Contract); !ok {
		found = s.searchTables()
	} else if t.exacts == nil {
		return
	} else if t.losesDigits() {
		found = t.remedy(settings, ratio)
	}
	for i := range failures {
		if t.curable(failures[i]) {
			failures[i].Remedy, failures[i].NoRemedy = found, found == nil
		}
	}
}

// losesDigits reports whether the outputs miss the definition by lost digits alone: in exact arithmetic the formula of
// each element is right, and each that fails is no further from it than the kernel's own roundings, functions and
// orders may take a device. Where nothing is known of an element that fails, something else may be wrong with it.
func (t *CaseRun) losesDigits() bool {
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() || t.answers[b.arg.Name].Exact {
			continue
		}
		o := output{buffer: b, shape: t.Shape, answer: t.answers[b.arg.Name]}
		if o.exact = t.exacts.of(b, o.answer); o.exact == nil || !o.losesDigits() {
			return false
		}
	}
	return true
}

// losesDigits is the same for one output.
func (o *output) losesDigits() bool {
	payload := o.payload()
	for i, want := range o.answer.Want {
		if o.answer.Free(i) || o.skips(i) {
			continue
		}
		ratio, known := o.exact.formula(i)
		if known && ratio > 1 {
			return false
		}
		got := o.arg.Type.value(o.arg.Type.word(payload, i))
		if math.Abs(got-want) <= o.answer.Bound(i) || got == want || math.IsNaN(got) && math.IsNaN(want) {
			continue
		}
		if !known || !isFinite(got) || o.exact.rounding(i, got) > 1 {
			return false
		}
	}
	return true
}

// contracted reports whether some output has a bound that follows from the kernel's contract, not from its definition
// alone.
func (t *CaseRun) contracted() bool {
	for _, a := range t.answers {
		if !a.Plain {
			return true
		}
	}
	return false
}

// seekInputs enters in failures of a kernel without a contract what the inputs hold that a specification may do
// without: infinities and NaN, subnormal numbers, or, where numbers may have left the range of floats on the way, a
// family of those that it has not given itself; and of another formula which scalars are not the numbers that the
// definition has.
func (t *CaseRun) seekInputs(failures []Failure, p *Problem) {
	nonFinite := t.holds(p, func(_ oracles.Format, x float64) bool { return !isFinite(x) })
	subnormal := t.holdsSubnormal(p)
	caused := subnormal && t.conformsFlushed()
	standard := slices.ContainsFunc(append(Standard(nil), Placed("", "")...)[1:],
		func(in Input) bool { return in.Name == t.Input.Name })
	for i := range failures {
		if failures[i].Check == CheckFormula {
			if failures[i].Rounded = t.roundedScalars(); failures[i].Rounded != nil {
				continue
			}
		}
		undefined := failures[i].Check == CheckNonFinite
		failures[i].Unasked = nonFinite && undefined
		failures[i].Subnormal = caused && !failures[i].Unasked
		if undefined && standard && !nonFinite && !subnormal {
			failures[i].Family = t.Input.Name
		}
	}
}

// conformsFlushed reports whether the kernel conforms once the subnormal numbers among its inputs are zeros: then they
// are why it does not. Where it fails all the same, they have nothing to do with it.
func (t *CaseRun) conformsFlushed() bool {
	u := t.fromStart(pattern)
	if u == nil {
		return false
	}
	for _, b := range u.buffers {
		if b == nil || b.arg.Role == RoleOut {
			continue
		}
		format, float := b.arg.Type.Format()
		if !float {
			continue
		}
		values := b.values()
		for i, x := range values {
			if math.Abs(x) < format.SmallestNormal() {
				values[i] = math.Copysign(0, x)
			}
		}
		b.encode(0, values)
		b.remember()
	}
	u.answers, u.against, u.near = u.Kernel.Oracle(u.problem()), nil, nil
	u.exacts = nil
	if t.exacts != nil {
		u.exacts = u.exactly(nil)
	}
	if _, err := u.runLaunches(); err != nil {
		return false
	}
	r := Result{Status: Pass}
	return u.Compare(&r) && r.Status == Pass
}

// roundedScalars are the scalars that their types round and that the definition does not ask for.
func (t *CaseRun) roundedScalars() (names []string) {
	for _, a := range t.Kernel.Args {
		for _, f := range a.Scalars() {
			if f.Value == nil {
				continue
			}
			if x := f.Value.Value(t.Shape); f.Type.Round(x) != x && !t.asks(f, t.answers) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// asks reports whether the definition, which gives want, depends on a scalar.
func (t *CaseRun) asks(f Field, want Answers) bool {
	u := *t
	u.Input.set = maps.Clone(u.Input.set)
	if u.Input.set == nil {
		u.Input.set = map[string]float64{}
	}
	x := f.Value.Value(t.Shape)
	if u.Input.set[f.Name] = x + 1; f.Type == Bool {
		u.Input.set[f.Name] = 1 - x
	}
	return !u.same(want)
}

// holdsSubnormal reports whether an input has a number that may count as zero.
func (t *CaseRun) holdsSubnormal(p *Problem) bool {
	return t.holds(p, func(f oracles.Format, x float64) bool { return x != 0 && math.Abs(x) < f.SmallestNormal() })
}

// holds reports whether an input has such a number before the launch.
func (t *CaseRun) holds(p *Problem, such func(of oracles.Format, x float64) bool) bool {
	return slices.ContainsFunc(t.Kernel.Args, func(a Arg) bool {
		format, float := a.Type.Format()
		return float && a.Buffer() && a.Role != RoleOut &&
			slices.ContainsFunc(p.Values(a.Name), func(x float64) bool { return such(format, x) })
	})
}

// curable reports whether a failure is of a value that has a bound.
func (t *CaseRun) curable(f Failure) bool {
	switch f.Check {
	case CheckBound, CheckStatistical, CheckNonFinite, CheckExact:
		return !t.answers[f.Arg].Exact
	}
	return false
}

// expires is the last day of an entry that is declared today.
func (t *CaseRun) expires() string { return t.today.AddDate(0, 3, 0).Format(time.DateOnly) }

// remedy is the entry that declares settings beside what is declared already.
func (t *CaseRun) remedy(settings []oracles.Setting, ratio float64) *Remedy {
	r := &Remedy{Kernel: t.Kernel.Name, ErrorRatio: Figure(ratio), Expires: t.expires()}
	own, contract := t.Kernel.Contract, widened(t.Kernel.Contract, settings)
	if t.declared != nil {
		if d, ok := t.declared.contract(t.Kernel.Name); ok {
			own, r.Instead = d.Own, d.Position.String()
		}
	}
	r.Contract = contract.Unlike(own)
	return r
}

// widened is a contract with settings that it offers itself.
func widened(c oracles.Contract, settings []oracles.Setting) oracles.Contract {
	for _, s := range settings {
		var err error
		if c, err = c.With(s); err != nil {
			panic(err)
		}
	}
	return c
}

// search is the smallest change of a contract under which the outputs conform, with
// the largest error as a fraction of the bound: the one setting that leaves the
// sharpest bound, or else all settings that could help without those that are not
// needed.
func (s *remedySearch) search(c oracles.Contract) (settings []oracles.Setting, ratio float64, ok bool) {
	all := s.fitting(c.Wider())
	if ratio, ok = s.conforms(widened(c, all)); !ok {
		// What overflows in binary16 does not in bfloat16, which is the wider otherwise.
		all = slices.DeleteFunc(all, func(x oracles.Setting) bool { return x.Value == oracles.BF16.String() })
		if ratio, ok = s.conforms(widened(c, all)); !ok {
			return nil, 0, false
		}
	}
	settings = all
	var single []oracles.Setting
	most := -1.0
	for i := range all {
		if r, ok := s.conforms(widened(c, all[i:i+1])); ok && r > most {
			single, most = all[i:i+1], r
		}
	}
	if single != nil {
		return single, most, true
	}
	for i := len(settings) - 1; i >= 0; i-- {
		fewer := slices.Delete(slices.Clone(settings), i, i+1)
		if r, ok := s.conforms(widened(c, fewer)); ok {
			settings, ratio = fewer, r
		}
	}
	return settings, ratio, true
}

// conforms judges the values of all outputs under a contract: it gives the largest
// error as a fraction of its bound.
func (s *remedySearch) conforms(c oracles.Contract) (ratio float64, ok bool) {
	s.problem.Contract = c
	answers := s.Kernel.Oracle(s.problem)
	for _, b := range s.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		o := output{buffer: b, shape: s.Shape, answer: answers[b.arg.Name], random: s.Input.Random}
		most, ok := o.conforms()
		if !ok {
			return 0, false
		}
		ratio = max(ratio, most)
	}
	return ratio, true
}

// conforms reports whether all elements do, and gives the largest error as a fraction
// of its bound.
func (o *output) conforms() (ratio float64, ok bool) {
	o.meter = metrics.NewMeter(metrics.Buffer{})
	payload, left := o.payload(), o.ranges
	for i, want := range o.answer.Want {
		for len(left) > 0 && left[0].End <= i {
			left = left[1:]
		}
		if len(left) > 0 && left[0].First <= i {
			continue
		}
		r, err := o.element(i, o.arg.Type.value(o.arg.Type.word(payload, i)), want, o.answer.Bound(i))
		if err != nil || r > 1 {
			return 0, false
		}
		ratio = max(ratio, r)
	}
	for _, t := range o.counters {
		if t.count > 0 {
			return 0, false
		}
	}
	return max(ratio, o.meter.Statistical.Value), true
}

// fitting are the settings for which the kernel has something: a rounding to the narrow type on the way, or a function
// that is coarse.
func (t *CaseRun) fitting(all []oracles.Setting) []oracles.Setting {
	half, bfloat := t.narrowFloats()
	calls, err := t.shaders.CoarseCalls(t.Kernel)
	coarse := err != nil || len(calls) > 0 || t.Math.Mode != metalrun.MathSafe
	return slices.DeleteFunc(all, func(s oracles.Setting) bool {
		switch s.Value {
		case oracles.F16.String():
			return !half
		case oracles.BF16.String():
			return !bfloat
		case oracles.Fast.String():
			return !coarse
		}
		return false
	})
}

// narrowFloats reports whether the kernel rounds values to half and to bfloat on the way.
func (t *CaseRun) narrowFloats() (half, bfloat bool) {
	program, err := t.shaders.plainProgram(t.Kernel.Name)
	if err != nil {
		return false, false
	}
	if half, bfloat, err = program.NarrowFloats(t.Kernel.Name); err != nil {
		return false, false
	}
	return half, bfloat
}

// narrows reports whether the kernel does either.
func (t *CaseRun) narrows() bool {
	half, bfloat := t.narrowFloats()
	return half || bfloat
}
