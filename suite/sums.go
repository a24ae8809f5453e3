package suite

import (
	"math"

	"metalconform/oracles"
)

// Sums are the sums of one name that the bound of an element rests on: of which
// nothing may be unknown without the bound becoming infinite.
type Sums struct {
	Name   string  `json:"name"`           // that the oracle gives them
	Order  string  `json:"order"`          // of the terms, in words
	Formed int     `json:"formed"`         // for all elements
	Found  []int   `json:"found"`          // their numbers in the order in which they are formed, from 0
	More   bool    `json:"more,omitempty"` // there are more than were looked for
	Error  float64 `json:"error"`          // of the bound: what it would lose if none of them rounded
	Share  float64 `json:"share"`          // the same as a fraction

	Most Partials `json:"most"` // the one that contributes most
}

// Partials is one sum with its partial sums in float64, in its order; what the
// order leaves open goes by ascending index.
type Partials struct {
	Number   int     `json:"number"`
	Elements int     `json:"elements"` // of the output that rest on it
	Error    float64 `json:"error"`    // of the element's bound: what it would lose if only this one did not round
	Share    float64 `json:"share"`    // the same as a fraction

	Terms     int        `json:"terms"`
	Lanes     int        `json:"lanes"` // that have a term
	Value     float64    `json:"value"`
	Within    float64    `json:"within"`    // bound on what the kernel's sum may be off
	Magnitude float64    `json:"magnitude"` // Σ|p_j| of the terms
	Running   float64    `json:"running"`   // Σ|s_k| of the partial sums
	Steps     []Addition `json:"steps"`     // the first, the one with the largest term, and the last
}

// Addition is that of a term to the partial sum of a lane.
type Addition struct {
	Step    int     `json:"step"` // its number among all, from 0
	Lane    int     `json:"lane"`
	Term    int     `json:"term"`
	Value   float64 `json:"value"`
	Partial float64 `json:"partial"` // once it has taken the term
}

// The steps of a sum that are shown.
const firstSteps, lastSteps = 4, 2

// Sums are those that element n of an output rests on. The buffers hold what
// they did before the first launch.
func (t *CaseRun) Sums(output string, n int) []Sums {
	p := t.problem()
	contract := p.Contract
	ask := func(w *oracles.SumTracer) oracles.Answer {
		p.Contract = contract
		p.Contract.Tracer = w
		return t.Kernel.Oracle(p)[output]
	}
	var list []Sums
	for _, s := range oracles.Trace(ask, n) {
		list = append(list, Sums{
			Name: s.Name, Order: s.Sum.Order.String(), Formed: s.Formed, Found: s.Found, More: s.More,
			Error: Figure(s.Error), Share: s.Share, Most: partials(s),
		})
	}
	return list
}

// partials abbreviates the sum that contributes most.
func partials(s oracles.SumsNamed) Partials {
	p := Partials{
		Number: s.Sum.Number, Elements: s.Elements, Error: Figure(s.OwnError), Share: s.OwnShare,
		Terms: len(s.Sum.Steps), Lanes: s.Sum.Lanes, Value: Figure(s.Sum.Value), Within: Figure(s.Sum.Error),
		Magnitude: Figure(s.Sum.Terms), Running: Figure(s.Sum.Partials),
	}
	largest := 0
	for i, step := range s.Sum.Steps {
		if math.Abs(step.Value) > math.Abs(s.Sum.Steps[largest].Value) {
			largest = i
		}
	}
	for i, step := range s.Sum.Steps {
		if i < firstSteps || i == largest || i >= len(s.Sum.Steps)-lastSteps {
			p.Steps = append(p.Steps, Addition{i, step.Lane, step.Term, Figure(step.Value), Figure(step.Partial)})
		}
	}
	return p
}
