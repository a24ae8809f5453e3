package metalrun

import (
	"math/bits"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// Store is a place where a kernel stores to a buffer, atomically or not.
type Store struct {
	Position Position
	Buffer   int // the index of its argument
}

// Stores lists the places that an entry point can reach, through functions and templates too, in the order of the
// program, each once. One that may go to any of several buffers is left out.
func (p *Program) Stores(name string) ([]Store, error) {
	if _, err := p.Kernel(name); err != nil {
		return nil, err
	}
	return p.named[name].stores, nil
}

func storesOf(k *ir.Kernel) []Store {
	leads := analysis.Leads(k)
	var stores []Store
	for in := range ir.Instrs(k.Body...) {
		if !in.Op.Info().Effects.Has(ir.Writes) || in.Mem == nil || in.Mem.Space != syntax.Device || in.Fn == "load" {
			continue
		}
		to := leads[in.Mem.Base]
		if s := (Store{position(in.Pos), bits.TrailingZeros64(to)}); bits.OnesCount64(to) == 1 &&
			!slices.Contains(stores, s) {
			stores = append(stores, s)
		}
	}
	return stores
}
