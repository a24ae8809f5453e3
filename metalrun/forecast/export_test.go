package forecast

// Medians are the parameters as they are believed before any time is known.
func Medians() Parameters { return fromPrior(make([]float64, parameters)) }
