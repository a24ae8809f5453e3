package suitetest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
	"metalconform/oracles"
	"metalconform/suite"
)

// The kernel that the tests put under test:
//
//	y[r, i] = x[r, i]·w[i]   within u|y|
//	copy    = x              exactly
//	hits[i] = hits[i] + 1    for the first half of hits, the rest untouched
const (
	Rows suite.Axis = "rows"
	Wide suite.Axis = "n"
)

// Indices of its arguments.
const (
	ArgX = iota
	ArgW
	ArgY
	ArgCopy
	ArgHits
	ArgN
	ArgParams
)

// Product is its specification.
func Product() suite.Kernel {
	return suite.Kernel{
		Name: "product",
		Doc:  "Scale the columns of a matrix.",
		Axes: []suite.Axis{Rows, Wide},
		Args: suite.Args{
			suite.In("x", suite.F32, Rows, Wide),
			suite.In("w", suite.BF16, Wide),
			suite.Out("y", suite.F32, Rows, Wide),
			suite.Out("copy", suite.F32, Rows, Wide),
			{Name: "hits", Role: suite.RoleInOut, Type: suite.F32, Extents: []suite.Extent{Wide},
				Untouched: func(s suite.Shape) []suite.Range {
					return []suite.Range{{First: s[Wide] / 2, End: s[Wide]}}
				}},
			suite.Const("n", suite.U32, Wide),
			suite.Params("params", suite.Field{Name: "rows", Type: suite.U32, Value: Rows},
				suite.Field{Name: "half", Type: suite.F16, Value: suite.Number(0.5)},
				suite.Field{Name: "gain", Type: suite.F32, Value: suite.Number(1)}),
		},
		Grid:  suite.Grid{Threads: []suite.Extent{Wide, Rows}, Of: []suite.Extent{suite.Fixed(32)}},
		Check: Positive,
		Sweep: suite.Sweep{Shapes: []suite.Shape{{Rows: 3, Wide: 8}}, Refused: []suite.Shape{{Rows: 0, Wide: 8}},
			Inputs: suite.Standard(suite.Fills{"hits": suite.Integers}, "x")},
		Contract: oracles.Contract{},
		Oracle:   ProductOracle,
	}
}

// Positive refuses shapes without rows or columns.
func Positive(s suite.Shape) error {
	for _, a := range []suite.Axis{Rows, Wide} {
		if s[a] <= 0 {
			return errors.New(string(a) + " must be positive")
		}
	}
	return nil
}

// ProductOracle is the definition of the product.
func ProductOracle(p *suite.Problem) suite.Answers {
	x, w, hits := p.Values("x"), p.Values("w"), p.Values("hits")
	y := oracles.Answer{Want: make([]float64, len(x)),
		Budget: []oracles.Term{{Label: "u|y|", Error: make([]float64, len(x))}}}
	for i := range x {
		y.Want[i] = x[i] * w[i%len(w)]
		y.Budget[0].Error[i] = 0x1p-24*math.Abs(y.Want[i]) + 0x1p-126
		if y.Want[i]-y.Want[i] != 0 {
			y.Budget[0].Error[i] = 0
		}
	}
	after := oracles.Answer{Want: make([]float64, len(hits))}
	for i, h := range hits {
		after.Want[i] = h + 1
	}
	return suite.Answers{"y": y, "copy": {Want: x, Exact: true}, "hits": after}
}

// RunProduct is the conforming kernel.
func RunProduct(d metalrun.Dispatch) error {
	m := runnertest.Memory{Dispatch: d}
	n := m.Count(ArgHits)
	for i := range m.Count(ArgX) {
		m.Set(ArgY, i, m.F32(ArgX, i)*m.BF16(ArgW, i%n))
		m.SetBits(ArgCopy, i, m.Bits(ArgX, i))
	}
	for i := range n / 2 {
		m.Set(ArgHits, i, m.F32(ArgHits, i)+1)
	}
	return nil
}

// productArgs are the arguments of the Product in MSL.
const productArgs = "(device const float* x, device const ushort* w, device float* y, device float* copy, device " +
	"float* hits, constant uint& n, constant uint2& params) {}"

// analyseNames is a front end that reads "kernel NAME" lines, each an entry point
// with the arguments of the Product.
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

// Files are shaders from file name to text.
func Files(texts map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// Shaders are files with their texts, or one with the product.
func Shaders(t testing.TB, texts map[string]string) *suite.Shaders {
	t.Helper()
	if texts == nil {
		texts = map[string]string{"product.metal": "kernel product"}
	}
	s, err := suite.OpenShaders(Files(texts), analyseNames)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Results runs the cases of one kernel with run in its place.
func Results(t testing.TB, k suite.Kernel, run func(metalrun.Dispatch) error, opts suite.Options) []suite.Result {
	t.Helper()
	if opts.Shaders == nil {
		opts.Shaders = Shaders(t, nil)
	}
	r := &runnertest.Runner{Kernels: runnertest.Functions{"product": run}}
	var got []suite.Result
	cases := suite.Cases([]suite.Family{{Name: "test", Kernels: []suite.Kernel{k}}}, suite.Quick)
	if err := suite.Run(context.Background(), r, opts, cases, func(r suite.Result) { got = append(got, r) }); err !=
		nil {
		t.Fatal(err)
	}
	return got
}

// Only keeps one case of a kernel.
func Only(k suite.Kernel, input string) suite.Kernel {
	k.Sweep.Refused = nil
	k.Sweep.Probes = k.Sweep.Shapes
	k.Sweep.Shapes = nil
	for i := range k.Sweep.Inputs {
		k.Sweep.Inputs[i].Only = func(suite.Shape) bool { return k.Sweep.Inputs[i].Name == input }
	}
	return k
}

// OneOver has an element that is beyond its bound.
func OneOver(d metalrun.Dispatch) error {
	err := RunProduct(d)
	m := runnertest.Memory{Dispatch: d}
	m.Set(ArgY, 17, m.F32(ArgY, 17)*(1+0x1p-21))
	return err
}

// AndWrongCopy has a wrong bit in another output.
func AndWrongCopy(d metalrun.Dispatch) error {
	err := OneOver(d)
	m := runnertest.Memory{Dispatch: d}
	m.SetBits(ArgCopy, 5, m.Bits(ArgCopy, 5)^1<<31)
	return err
}

// Twins is a pipeline of the Product and a second kernel of the same
// specification.
func Twins(run func(*suite.PipelineRun)) suite.Pipeline {
	args := Product().Args
	return suite.Pipeline{
		Name:    "twins",
		Doc:     "Two kernels of one mathematics.",
		Axes:    []suite.Axis{Rows, Wide},
		Kernels: []string{"product", "twin"},
		Buffers: suite.Args{args[ArgX], args[ArgW], suite.InOut("hits", suite.F32, Wide),
			suite.Out("half", suite.F32, Rows, Wide)},
		Check: Positive,
		Sweep: suite.Sweep{
			Shapes:  []suite.Shape{{Rows: 3, Wide: 8}},
			Refused: []suite.Shape{{Rows: 0, Wide: 8}},
			Inputs:  []suite.Input{{Name: "normal", Fills: suite.Fills{"hits": suite.Integers}}},
		},
		Run: run,
	}
}

// Pair launches both on the same inputs.
func Pair(c *suite.PipelineRun) {
	c.Launch(suite.Step{Kernel: "product", Buffers: map[string]string{"y": "one"}})
	c.Launch(suite.Step{Kernel: "twin", Buffers: map[string]string{"y": "two", "copy": "copy_two"}})
}

// TwinRunner runs the Product, and twin in the place of its twin.
func TwinRunner(twin func(metalrun.Dispatch) error) *runnertest.Runner {
	return &runnertest.Runner{Kernels: runnertest.Functions{"product": RunProduct, "twin": twin}}
}

// PipelineCases are the cases of a pipeline of the product and its twin.
func PipelineCases(ch suite.Pipeline) []suite.Case {
	second := Product()
	second.Name = "twin"
	second.Args = slices.Clone(second.Args)
	second.Args[ArgHits].Unread = second.Args[ArgHits].Untouched
	second.Oracle = func(p *suite.Problem) suite.Answers { // twice the bound: another last bit is within it
		answers := ProductOracle(p)
		y := answers["y"]
		y.Budget = append(y.Budget, y.Budget...)
		answers["y"] = y
		return answers
	}
	families := []suite.Family{{Name: "test", Kernels: []suite.Kernel{Product(), second}},
		{Name: "pipelines", Pipelines: []suite.Pipeline{ch}}}
	return slices.DeleteFunc(suite.Cases(families, suite.Quick), func(c suite.Case) bool { return c.Pipeline == nil })
}
