package forecast

import "math"

// Medians are the parameters as they are believed before any time is known.
func Medians() Parameters { return fromPrior(prior, make([]float64, parameters)) }

// Doubts are the factors by which they are uncertain then.
func Doubts() (factors Parameters) {
	for i := range factors {
		factors[i] = math.Exp(prior[i].sigma)
	}
	return factors
}

// SpreadOf is how far forecasts were off.
func SpreadOf(list []Expected) Spread { return spread(list) }

// Factors are those of the interval of a time of which such a share is lost to the low clock.
func (s Spread) Factors(idle float64) (low, high float64) {
	return s.Times.interval(s.Elsewhere, idle, 0)
}

// RankCorrelation is the one of scores.
var RankCorrelation = rankCorrelation
