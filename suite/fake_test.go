package suite

import (
	"errors"
	"math"
	"strings"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
	"metalconform/oracles"
)

// The kernel that the tests put under test:
//
//	y[r, i] = x[r, i]·w[i]   within u|y|
//	copy    = x              exactly
//	hits[i] = hits[i] + 1    for the first half of hits, the rest untouched
const (
	rows Axis = "rows"
	wide Axis = "n"
)

const (
	argX = iota
	argW
	argY
	argCopy
	argHits
	argN
	argParams
)

func product() Kernel {
	return Kernel{
		Name: "product",
		Doc:  "Scale the columns of a matrix.",
		Axes: []Axis{rows, wide},
		Args: Args{
			In("x", F32, rows, wide),
			In("w", BF16, wide),
			Out("y", F32, rows, wide),
			Out("copy", F32, rows, wide),
			{Name: "hits", Role: RoleInOut, Type: F32, Extents: []Extent{wide}, Untouched: func(s Shape) []Range {
				return []Range{{s[wide] / 2, s[wide]}}
			}},
			Const("n", U32, wide),
			Params("params", Field{Name: "rows", Type: U32, Value: rows}, Field{Name: "half", Type: F16,
				Value: Number(0.5)}, Field{Name: "gain", Type: F32, Value: Number(1)}),
		},
		Grid:  Grid{Threads: []Extent{wide, rows}, Of: []Extent{Fixed(32)}},
		Check: positive,
		Sweep: Sweep{Shapes: []Shape{{rows: 3, wide: 8}}, Refused: []Shape{{rows: 0, wide: 8}},
			Inputs: Standard(Fills{"hits": Integers}, "x")},
		Contract: oracles.Contract{},
		Oracle:   productOracle,
	}
}

func positive(s Shape) error {
	for _, a := range []Axis{rows, wide} {
		if s[a] <= 0 {
			return errors.New(string(a) + " must be positive")
		}
	}
	return nil
}

func productOracle(p *Problem) Answers {
	x, w, hits := p.Values("x"), p.Values("w"), p.Values("hits")
	y := oracles.Answer{Want: make([]float64, len(x)),
		Budget: []oracles.Term{{Label: "u|y|", Error: make([]float64, len(x))}}}
	for i := range x {
		y.Want[i] = x[i] * w[i%len(w)]
		y.Budget[0].Error[i] = 0x1p-24*math.Abs(y.Want[i]) + 0x1p-126
		if !isFinite(y.Want[i]) {
			y.Budget[0].Error[i] = 0
		}
	}
	after := oracles.Answer{Want: make([]float64, len(hits))}
	for i, h := range hits {
		after.Want[i] = h + 1
	}
	return Answers{"y": y, "copy": {Want: x, Exact: true}, "hits": after}
}

// runProduct is the conforming kernel.
func runProduct(d metalrun.Dispatch) error {
	m := runnertest.Memory{Dispatch: d}
	n := m.Count(argHits)
	for i := range m.Count(argX) {
		m.Set(argY, i, m.F32(argX, i)*m.BF16(argW, i%n))
		m.SetBits(argCopy, i, m.Bits(argX, i))
	}
	for i := range n / 2 {
		m.Set(argHits, i, m.F32(argHits, i)+1)
	}
	return nil
}

// productArgs are the arguments of the product in MSL.
const productArgs = "(device const float* x, device const ushort* w, device float* y, device float* copy, device " +
	"float* hits, constant uint& n, constant uint2& params) {}"

// analyseNames is a front end that reads "kernel NAME" lines, each an entry point
// with the arguments of the product.
func analyseNames(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
	var text strings.Builder
	for line := range strings.Lines(src.Files[src.Name]) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "kernel "); ok {
			line = "kernel void " + name + productArgs + "\n"
		}
		text.WriteString(line)
	}
	return metalrun.Analyse(metalrun.SourceText(src.Name, text.String()), opts)
}

// files are shaders from file name to text.
func files(texts map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}
