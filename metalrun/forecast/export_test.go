package forecast

// Medians are the parameters as they are believed before any time is known.
func Medians() Parameters { return fromPrior(prior, make([]float64, parameters)) }

// SpreadOf is how far forecasts were off.
func SpreadOf(list []Expected) Spread { return spread(list) }

// RankCorrelation is the one of scores.
var RankCorrelation = rankCorrelation
