package loops

import "math"

// StepRows are the rows of a state, a column of a panel each, on their way through tokens: what their errors come
// to, how large they are, and what a token has of them for a moment.
type StepRows struct {
	Error, Variance, Systematic [Panel]float64
	Length, Peak, Total         [Panel]float64 // ‖x‖₂, max |x|, Σ|x|
	Shrunk                      [Panel]float64 // the first, once they have decayed
	Value, By                   [Panel]float64 // what the token adds, and by what that multiplies its column
	Near                        [Panel]float64 // the errors before the last rounding
	Reads, Most                 [Panel]float64 // what sums and products come to at most
}

// Local is what a token adds to the errors of a panel's rows, of three kinds, and Origins are errors of one kind:
// bounds, systematic parts and variances in strips, as [Table.Take] has them.
type (
	Local   [Panel * localKinds * originNumbers]float64
	Origins [Panel * originNumbers]float64
)

const localKinds, originNumbers = 3, 3

// The kinds of a [Local], and where the numbers of a row are in its strip.
const (
	Solved, Along, Spread                         = 0, 1, 2
	OriginBound, OriginSystematic, OriginVariance = 0, Width, 2 * Width
)

// StepToken is what all rows share at one token.
type StepToken struct {
	Decay, Most, MostSquare                          float64 // |α|, and the most that it may be
	DecayError, DecayVariance, DecayOfAll, DecayBias float64 // of α: DecayOfAll is √n times its variance

	Tiny, Base float64 // by what sizes underflow while they decay, and the size without those of a row
	Largest    float64
	U, Scatter float64

	Underflow, UnderflowBase float64 // the same once they have decayed
	Key, KeySquare           float64 // ‖k‖₂
	Beta, BetaSquare         float64 // |β|
	BetaRounding             float64 // u·|β|
	KeyRounding              float64 // u·‖k‖₂
	RowGamma                 float64
	Growth, GrowthSquare     float64
	BetaMost, KeyMost        float64
	KeyFourth                float64
	Slack                    float64

	Query, QuerySquare                                    float64 // ‖q‖₂
	Across, AcrossError, AcrossVariance, AcrossSystematic float64 // of k·q
	Underflows                                            float64 // of an output that is multiplied out

	Narrow    bool // what rows are multiplied with and what they take are rounded to the format
	Regrouped bool // outputs may be multiplied out
}

// Passed is what the outputs of a panel's rows inherit, with its moments, what their own sums add, and how the
// errors of those come about.
type Passed struct {
	Inherited, Variance, Systematic [Panel]float64
	Own                             [Panel]float64
	OwnVariance, OwnSystematic      [Panel]float64
}

// Open says that nothing is promised of the output of row i.
func (p *Passed) Open(i int) {
	p.Inherited[i], p.Variance[i], p.Systematic[i] = math.Inf(1), 0, math.Inf(1)
	p.Own[i], p.OwnVariance[i], p.OwnSystematic[i] = 0, 0, 0
}

// roots are the norms of column i.
func (n *Norms) roots(i int) (length, fourth float64) {
	return math.Sqrt(n.Squares[0][i] + n.Squares[1][i]), math.Sqrt(n.Fourths[0][i] + n.Fourths[1][i])
}

// of are the numbers of one kind from those of row i on.
func (x *Local) of(kind, i int) []float64 {
	return x[(i/Width*localKinds+kind)*originNumbers*Width+i%Width:]
}

// of are the numbers from those of row i on.
func (x *Origins) of(i int) []float64 { return x[i/Width*originNumbers*Width+i%Width:] }

// Set stores what is known of one kind for row i.
func (x *Local) Set(kind, i int, bound, systematic, variance float64) {
	of := x.of(kind, i)
	of[OriginBound], of[OriginSystematic], of[OriginVariance] = bound, systematic, variance
}

func decayed(r *StepRows, own *Local, n *Norms, c *StepToken) (beyond int) {
	for i := range Panel {
		length, fourth := n.roots(i)
		e, size, peak := r.Error[i], r.Length[i], r.Peak[i]
		if float64(c.Most*(peak+e)) > c.Largest {
			beyond |= 1 << i
		}
		r.Shrunk[i] = c.Most * size
		underflow := float64(c.Tiny * (c.Base + size + e))
		spread := float64(c.DecayError*(size+e)) + float64(c.U*length) + underflow
		systematic := float64(c.DecayBias*size) + underflow
		own.Set(Solved, i, 0, 0, 0)
		own.Set(Along, i, 0, 0, 0)
		own.Set(Spread, i, spread, systematic, float64(c.Scatter*fourth)+float64(float64(c.DecayOfAll*size)*size))
		r.Error[i] = float64(c.Decay*e) + spread
		r.Variance[i] = float64(c.MostSquare*(r.Variance[i]+float64(float64(c.Scatter*peak)*peak))) +
			float64(float64(c.DecayVariance*size)*size)
		r.Systematic[i] = float64(c.Most*r.Systematic[i]) + systematic
	}
	return beyond
}

func updated(r *StepRows, own *Local, y *Sums, s *Sizes, c *StepToken) {
	for i := range Panel {
		r.Length[i], r.Total[i], r.Peak[i] = math.Sqrt(s.Squares[0][i]+s.Squares[1][i]), s.Totals[0][i]+s.Totals[1][i],
			s.Peak[i]
		if math.IsNaN(r.Total[i]) {
			r.Peak[i] = r.Total[i]
		}
		by, v := r.By[i], r.Value[i]
		size, diff := math.Abs(by), math.Abs(v-y.Value[i])
		carried := float64(c.Key * r.Error[i])
		eta := float64(c.Underflow * (c.UnderflowBase + r.Length[i] + c.Beta + size))
		rho := y.Error[i] + float64(c.RowGamma*carried) + eta
		eu := rho + float64(c.U*(diff+rho+carried)) + eta
		if c.Narrow {
			eu += float64(c.U * (math.Abs(v) + diff + size))
		}
		taken := diff + eu + carried
		eb := float64(c.Beta*eu) + float64(c.BetaRounding*taken) + eta
		each := float64(c.KeyRounding * (size + eb + float64(c.Beta*carried)))
		if c.Narrow {
			each *= 2
		}
		r.Near[i] = float64(c.Growth*r.Error[i]) + float64(c.Key*eb) + each + eta
		r.Most[i] = greater(1, taken) * c.BetaMost * c.KeyMost
		r.Reads[i] = float64(c.Key*r.Shrunk[i]) + carried

		product, peak := float64(float64(c.Scatter*by)*by), r.Peak[i]
		variance := float64(c.BetaSquare*(y.Variance[i]+float64(float64(c.Scatter*diff)*diff))) + product
		systematic := float64(c.Beta*(y.Systematic[i]+float64(2*eta))) + eta
		r.Variance[i] = float64(c.GrowthSquare*r.Variance[i]) + float64(c.KeySquare*(variance+product)) +
			float64(float64(c.Scatter*peak)*peak)
		r.Systematic[i] = float64(c.Growth*r.Systematic[i]) + float64(c.Key*systematic) + eta
		own.Set(Solved, i, eb, systematic, variance)
		spread := own.of(Spread, i)
		spread[OriginBound] = float64(c.Growth*spread[OriginBound]) + each + eta
		spread[OriginSystematic] = float64(c.Growth*spread[OriginSystematic]) + eta
	}
}

func rounded(r *StepRows, own *Local, n *Norms, c *StepToken) (beyond int) {
	for i := range Panel {
		length, fourth := n.roots(i)
		by, last := r.By[i], float64(c.U*length)
		r.Error[i] = float64((r.Near[i] + last) * c.Slack)
		if !(r.Reads[i] <= c.Largest && r.Peak[i]+r.Error[i] <= c.Largest && r.Most[i] <= c.Largest) {
			beyond |= 1 << i
		}
		spread := own.of(Spread, i)
		spread[OriginBound] += last
		spread[OriginVariance] +=
			float64(c.Scatter * (fourth + float64(float64(float64(by*by)*c.KeyFourth)*c.KeyFourth)))
	}
	return beyond
}

func give(p *Passed, r *StepRows, y *Sums, c *StepToken) (others int) {
	for i := range Panel {
		o, e, variance, systematic := y.Value[i], y.Error[i], y.Variance[i], y.Systematic[i]
		if c.Regrouped {
			gain := math.Abs(r.By[i])
			part := math.Abs(gain * c.Across)
			acrossVariance, acrossSystematic := float64(float64(gain*gain)*c.AcrossVariance),
				float64(gain*c.AcrossSystematic)
			roundings := float64(3*math.Abs(o)) + float64(4*part)
			e += float64((float64(float64(2*gain)*c.AcrossError)+float64(c.U*roundings))*c.Slack) + c.Underflows
			systematic += float64(2*acrossSystematic) + c.Underflows
			squares := float64(float64(5*o)*o) + float64(float64(6*part)*part)
			variance = variance + acrossVariance + float64(2*math.Sqrt(float64(variance*acrossVariance))) +
				acrossVariance + float64(c.Scatter*squares)
		}
		inherited := float64(c.Query * r.Error[i])
		own := e + float64(c.RowGamma*inherited)
		if !(float64(c.Query*r.Length[i])+inherited <= c.Largest) {
			own = math.Inf(1)
		}
		if !(math.Abs(o) <= math.MaxFloat64 && inherited <= math.Inf(1) && own <= math.Inf(1)) {
			others |= 1 << i
		}
		p.Inherited[i], p.Variance[i], p.Systematic[i] = inherited, float64(c.QuerySquare*r.Variance[i]),
			float64(c.Query*r.Systematic[i])
		p.Own[i], p.OwnVariance[i], p.OwnSystematic[i] = own, variance, systematic
	}
	return others
}

func sharpen(p *Passed, carried *Origins, slack, deviations float64) {
	for i := range Panel {
		x, bound := carried.of(i), p.Inherited[i]
		if !(bound > 0 && bound <= math.MaxFloat64) {
			continue
		}
		p.Inherited[i] = lesser(float64(x[OriginBound]*slack), bound)
		systematic, variance := x[OriginSystematic], x[OriginVariance]
		if systematic+float64(deviations*math.Sqrt(variance)) <
			p.Systematic[i]+float64(deviations*math.Sqrt(p.Variance[i])) {
			p.Variance[i], p.Systematic[i] = variance, systematic
		}
	}
}
