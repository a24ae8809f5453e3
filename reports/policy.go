package reports

import "math"

// Aspect is what of a run is compared with another.
type Aspect string

// Aspects.
const (
	Verdicts Aspect = "verdicts" // of a kernel's cases
	Accuracy Aspect = "accuracy" // of a kernel: how its errors are distributed below their bounds
	Speed    Aspect = "times"    // of a case
	Counted  Aspect = "work"     // of a kernel: operations, bytes, barriers, as a simulator counts them
	Expected Aspect = "forecast" // of a case: times of a GPU that was not there
)

// Aspects are all that there are.
func Aspects() []Aspect { return []Aspect{Verdicts, Accuracy, Speed, Counted, Expected} }

// Policy says which changes count, and which of them fail a comparison.
type Policy struct {
	Source string   `json:"source"` // where it is written
	Fail   []Aspect `json:"fail"`   // in which nothing may regress
	Alpha  float64  `json:"alpha"`  // chance that anything is called a change wrongly, over all tests together

	Error    float64            `json:"error"`              // smallest growth of errors that counts, as a fraction
	Bias     float64            `json:"bias"`               // the same of the part that is systematic
	Headroom float64            `json:"headroom"`           // the part of what is left to the bound that may be lost
	Time     float64            `json:"time"`               // smallest growth of a time that counts, as a fraction
	Families map[string]float64 `json:"families,omitempty"` // the same for the kernels of some families

	// smallest growth of counted work that counts, as a fraction
	Work         float64            `json:"work"`
	WorkFamilies map[string]float64 `json:"work_families,omitempty"` // the same for the kernels of some families

	// Compared says that a failure is known only where elements were compared in both runs. Of an error nothing is.
	Compared bool `json:"-"`

	// Unexecuted are files of which changed lines may be executed by no case; "all" stands for every file.
	Unexecuted []string `json:"unexecuted,omitempty"`

	Loosened []string `json:"loosened,omitempty"` // kernels whose specifications may ask for less than at the base
}

// DefaultPolicy is the policy where nothing else is said.
func DefaultPolicy() Policy {
	return Policy{Source: "default", Fail: Aspects(), Alpha: 0.05, Error: 0.1, Bias: 0.1, Headroom: 0.5, Time: 0.05,
		Work: 0.5}
}

// time is the smallest growth of a time that counts, as a logarithm.
func (p Policy) time(family string) float64 { return growth(p.Families, family, p.Time) }

// work is that of counted work.
func (p Policy) work(family string) float64 { return growth(p.WorkFamilies, family, p.Work) }

// growth is the logarithm of a family's growth, or of that of all others.
func growth(of map[string]float64, family string, others float64) float64 {
	if least, ok := of[family]; ok {
		return math.Log1p(least)
	}
	return math.Log1p(others)
}
