package suite

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"time"

	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// remedySearch judges outputs again, under one contract after the other.
type remedySearch struct {
	*CaseRun
	problem *Problem // that the oracle was asked
}

// seekRemedy enters in failures of values the declaration that would make them
// conform, or that none does. It asks the oracle twice where none does, and otherwise
// at most twice for each setting.
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
	if settings, ratio, ok := s.search(t.Kernel.Contract); ok {
		found = t.remedy(settings, ratio)
	} else {
		found = s.searchTables()
	}
	for i := range failures {
		if t.curable(failures[i]) {
			failures[i].Remedy, failures[i].NoRemedy = found, found == nil
		}
	}
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
	all := slices.DeleteFunc(c.Wider(), func(x oracles.Setting) bool {
		return (x.Value == oracles.F16.String() || x.Value == oracles.BF16.String()) && !s.namesNarrow()
	})
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

// narrowType is a type of 16 bits, or a vector or matrix of it.
var narrowType = regexp.MustCompile(`\b(?:simdgroup_)?(?:half|bfloat)(?:\d\w*)?\b`)

// namesNarrow reports whether the kernel's source names a type that values could be rounded to on the way: without one
// no declaration of such roundings is what is meant.
func (t *CaseRun) namesNarrow() bool {
	return slices.ContainsFunc(t.shaders.Reads(t.Kernel.Name), func(file string) bool {
		return narrowType.MatchString(withoutComments(t.shaders.files[file]))
	})
}
