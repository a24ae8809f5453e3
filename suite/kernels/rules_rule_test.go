package kernels

import (
	"math"
	"testing"

	"metalconform/oracles"
	"metalconform/suite"
)

// commonRule is a rule in use elsewhere: it accepts or rejects an output by its
// values alone, by a tolerance that is the same for every kernel.
type commonRule struct {
	name    string
	accepts func(*pairs) bool
}

// commonRules are cosine and normalised squared error of the whole output, and
// element-wise tolerances: one for all formats, or PyTorch's for each.
func commonRules() []commonRule {
	return []commonRule{
		{"cosine 0.9999", func(p *pairs) bool { return p.cosine() >= 0.9999 }},
		{"NMSE 5e-4", func(p *pairs) bool { return p.nmse() <= 5e-4 }},
		{"rel. RMSE 0.005", func(p *pairs) bool { return math.Sqrt(p.nmse()) <= 0.005 }},
		{"allclose 1e-2", func(p *pairs) bool { return p.close(1e-2, 1e-2) }},
		{"allclose 5e-3", func(p *pairs) bool { return p.close(5e-3, 5e-3) }},
		{"assert_close", (*pairs).closeByDefault},
	}
}

// The rules by number: the common ones, then the suite's own.
const (
	rigorous    = 6 + iota // without the statistical bound
	conformance            // with it: what conform run says
	judges
)

// rejections say which of the rules reject.
type rejections [judges]bool

// pairs are the elements of one output with their exact values, not rounded.
// Elements that are the same in not being finite are left out: no common
// rule can say anything of them.
type pairs struct {
	format    suite.Type
	got, want []float64
	gg, gw    float64 // Σ got², Σ got·want
	ww, dd    float64 // Σ want², Σ (got − want)²
}

// add takes in one element. As a device may flush subnormal numbers, they count
// as zero in the sums.
func (p *pairs) add(got, want float64) {
	if f, ok := p.format.Format(); ok && math.IsInf(f.Round(want), 0) {
		want = f.Round(want)
	}
	if !finite(want) && (got == want || math.IsNaN(got) && math.IsNaN(want)) {
		return
	}
	p.got, p.want = append(p.got, got), append(p.want, want)
	if f, ok := p.format.Format(); ok {
		got, want = flushed(f, got), flushed(f, want)
	}
	p.gg += got * got
	p.gw += got * want
	p.ww += want * want
	p.dd += (got - want) * (got - want)
}

func flushed(f oracles.Format, x float64) float64 {
	if math.Abs(x) < f.SmallestNormal() {
		return 0
	}
	return x
}

// cosine is 1 if both vectors are zero and 0 if one is.
func (p *pairs) cosine() float64 {
	switch {
	case p.gg == 0 && p.ww == 0:
		return 1
	case p.gg == 0 || p.ww == 0:
		return 0
	}
	return p.gw / (math.Sqrt(p.gg) * math.Sqrt(p.ww))
}

// nmse is Σ (got − want)² / Σ want², and 0 without any error.
func (p *pairs) nmse() float64 {
	if p.dd == 0 {
		return 0
	}
	return p.dd / p.ww
}

// close reports |got − want| ≤ atol + rtol·|want| of all elements.
func (p *pairs) close(rtol, atol float64) bool {
	for i, want := range p.want {
		if got := p.got[i]; !finite(want) || !(math.Abs(got-want) <= atol+rtol*math.Abs(want)) {
			return false
		}
	}
	return true
}

// closeByDefault is torch.testing.assert_close with its tolerances for the
// format. Integers have to be equal.
func (p *pairs) closeByDefault() bool {
	switch p.format {
	case suite.F32:
		return p.close(1.3e-6, 1e-5)
	case suite.BF16:
		return p.close(1.6e-2, 1e-5)
	case suite.F16:
		return p.close(1e-3, 1e-5)
	}
	return p.close(0, 0)
}

// finite reports whether x is neither NaN nor infinite: Inf − Inf is NaN.
func finite(x float64) bool { return x-x == 0 }

// TestRuleThresholds checks each rule at its threshold and on what is not finite.
func TestRuleThresholds(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name      string
		format    suite.Type
		got, want []float64
		rejected  string // one letter for each rule: x rejects, - accepts
	}{
		{"equal", suite.F32, []float64{1, -2, 0}, []float64{1, -2, 0}, "------"},
		{"twice as large", suite.F32, []float64{2, 4}, []float64{1, 2}, "-xxxxx"},
		{"a hundredth of a small output", suite.F32, []float64{1.01e-3, 1.01e-3}, []float64{1e-3, 1e-3}, "--x---"},
		{"zeros for a small output", suite.BF16, []float64{0, 0}, []float64{1e-3, 1e-3}, "xxx--x"},
		{"one part in a thousand", suite.F32, []float64{1.001, 1}, []float64{1, 1}, "-----x"},
		{"one part in a thousand, bf16", suite.BF16, []float64{1.001, 1}, []float64{1, 1}, "------"},
		{"within 1e-2", suite.F16, []float64{1.015, 100}, []float64{1, 100}, "----xx"},
		{"NaN made", suite.F32, []float64{nan, 1}, []float64{1, 1}, "xxxxxx"},
		{"NaN kept", suite.F32, []float64{nan, 1}, []float64{nan, 1}, "------"},
		{"NaN lost", suite.F32, []float64{0, 1}, []float64{nan, 1}, "xxxxxx"},
		{"infinity made", suite.F32, []float64{inf, 1}, []float64{1, 1}, "xxxxxx"},
		{"infinity lost", suite.F32, []float64{1, 1}, []float64{inf, 1}, "xxxxxx"},
		{"overflow that is due", suite.F16, []float64{inf, 1}, []float64{65520, 1}, "------"},
		{"both zero", suite.F32, []float64{0, 0}, []float64{0, 0}, "------"},
		{"flushed", suite.F32, []float64{0, 1}, []float64{1e-39, 1}, "------"},
		{"integers one apart", suite.U16, []float64{1000}, []float64{1001}, "-----x"},
	} {
		p := &pairs{format: c.format}
		for i, got := range c.got {
			p.add(got, c.want[i])
		}
		letters := ""
		for _, g := range commonRules() {
			if g.accepts(p) {
				letters += "-"
			} else {
				letters += "x"
			}
		}
		if letters != c.rejected {
			t.Errorf("%s: rejected %q, want %q", c.name, letters, c.rejected)
		}
	}
}
