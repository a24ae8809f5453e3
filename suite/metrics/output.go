package metrics

// Output is how far one output is off.
type Output struct {
	Stage    string `json:"stage,omitempty"` // of a pipeline, or the invariant between its buffers
	Output   string `json:"output"`
	Type     string `json:"type"`
	Extents  []int  `json:"extents"`
	Elements int    `json:"elements"` // measured

	Metrics   Values    `json:"metrics"`
	Errors    *Errors   `json:"errors,omitempty"`    // as fractions of bounds; nil where there is none
	Histogram Histogram `json:"histogram,omitempty"` // of errors in units in the last place; nil for integers
	Slices    []Slices  `json:"slices,omitempty"`    // nil where got is want in every element
	// nil unless an element fails a check or has an error above half of its bound
	Map *Map `json:"map,omitempty"`
}

// Exact reports whether nothing is wrong with the output.
func (o Output) Exact() bool { return o.number(ErrorRatio) == 0 && o.number("abs") == 0 }

// number is a value, 0 if there is none.
func (o Output) number(key string) float64 {
	v, _ := o.Metrics.Find(key)
	return v.Value
}
