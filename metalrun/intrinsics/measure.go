package intrinsics

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/scalar"
)

// Options say which arguments are tried.
type Options struct {
	Samples    int // of each binade and sign, at least 2
	Seed       uint64
	Exhaustive bool // all floats as first arguments
}

// Function is a function in one of its two classes.
type Function struct {
	Name  string
	Fast  bool
	pairs bool // it has two arguments
	value func(x, y float64) float64
	limit scalar.Limit
}

// Class is the namespace of the language that has the function.
func (f Function) Class() string {
	if f.Fast {
		return "fast"
	}
	return "precise"
}

// Functions are those whose results are rounded: each precise, then fast.
func Functions() []Function {
	var list []Function
	for i := range scalar.FloatFunctions {
		fn := &scalar.FloatFunctions[i]
		if fn.Value() == nil {
			continue
		}
		for _, fast := range []bool{false, true} {
			list = append(list,
				Function{fn.Name, fast, fn.Binary(scalar.F32) != nil, fn.Value(), fn.Limit(scalar.F32, fast)})
		}
	}
	for _, fast := range []bool{false, true} {
		divide := Function{"divide", fast, true, func(x, y float64) float64 { return x / y },
			scalar.Quotients(scalar.F32, fast)}
		if fast {
			divide.limit.Undefined = func(_, y float32) bool {
				return !(math.Abs(float64(y)) >= 0x1p-126 && math.Abs(float64(y)) <= 0x1p126)
			}
		}
		list = append(list, divide)
	}
	return list
}

// Result is what was measured of a function.
type Result struct {
	Function  string   `json:"function"`
	Class     string   `json:"class"`
	Device    string   `json:"device"`
	Arguments int      `json:"arguments"`
	Sampled   bool     `json:"sampled"`           // not all that there are
	Missing   string   `json:"missing,omitempty"` // why the device does not have it
	Failed    string   `json:"failed,omitempty"`  // why it could not be measured
	Holds     bool     `json:"holds"`             // what the specification promises
	Domains   []Domain `json:"domains"`
}

// chunk is how many arguments go into one launch, a multiple of group.
const (
	chunk = 1 << 20
	group = 256
)

// Measure launches a function over its arguments. A device that lacks the function is no
// error, and neither is one that refuses or fails it alone: the result says so. An error ends all measuring.
func Measure(r metalrun.Runner, f Function, opts Options) (Result, error) {
	result := Result{Function: f.Name, Class: f.Class(), Device: r.Device().Name}
	err := f.measure(r, opts, &result)
	switch {
	case errors.Is(err, metalrun.ErrUnusable):
		return result, err
	case errors.Is(err, metalrun.ErrUnsupported):
		result.Missing, result.Holds = err.Error(), true
	case err != nil:
		result.Failed, result.Holds, result.Domains = err.Error(), false, nil
	}
	return result, nil
}

func (f Function) measure(r metalrun.Runner, opts Options, result *Result) error {
	k, release, err := f.kernel(r, opts.Exhaustive)
	if err != nil {
		return err
	}
	defer release()
	arguments := opts.arguments(f)
	result.Arguments, result.Sampled = arguments.count, arguments.sampled
	var total errorTable
	x, y := make([]float32, chunk), make([]float32, chunk)
	for first := 0; first < arguments.count; first += chunk {
		n := min(chunk, arguments.count-first)
		for i := range n {
			x[i], y[i] = arguments.at(first + i)
		}
		got, err := f.evaluate(k, opts.Exhaustive, x[:n], y[:n])
		if err != nil {
			return fmt.Errorf("%s::%s: %w", f.Class(), f.Name, err)
		}
		total.merge(f.compare(x[:n], y[:n], got))
	}
	result.Domains = total.domains()
	result.Holds = total.holds()
	return nil
}

// kernel computes the function of x, and of y if it has two arguments. Where all floats are tried, x is made of the
// first one's bits and the thread's position, so that only results travel.
func (f Function) kernel(r metalrun.Runner, exhaustive bool) (k metalrun.Kernel, release func(), err error) {
	arguments, call := "device const float *x [[buffer(0)]]", "x[i]"
	if exhaustive {
		arguments, call = "constant uint &first [[buffer(0)]]", "as_type<float>(first + i)"
	}
	if f.pairs {
		arguments, call = arguments+", device const float *y [[buffer(1)]]", call+", y[i]"
	}
	p, err := metalrun.Analyse(metalrun.SourceText(f.Name+".metal", "#include <metal_stdlib>\nusing namespace metal;\n"+
		"kernel void intrinsic("+arguments+", device float *out [[buffer(2)]], uint i [[thread_position_in_grid]]) "+
		"{ out[i] = "+f.Class()+"::"+f.Name+"("+call+"); }\n"), metalrun.CompileOptions{})
	if err != nil {
		return nil, nil, err
	}
	l, err := r.Compile(p)
	if err != nil {
		return nil, nil, err
	}
	if k, err = l.Kernel("intrinsic"); err != nil {
		l.Release()
		return nil, nil, err
	}
	return k, l.Release, nil
}

// evaluate launches once, in whole threadgroups. With exhaustive x are consecutive in their bits.
func (f Function) evaluate(k metalrun.Kernel, exhaustive bool, x, y []float32) ([]float32, error) {
	groups := (len(x) + group - 1) / group
	encode := func(values []float32) []byte {
		b := make([]byte, 4*group*groups)
		for i, v := range values {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
		}
		return b
	}
	in := metalrun.Binding{Index: 0}
	if exhaustive {
		in.Data, in.Inline = binary.LittleEndian.AppendUint32(nil, math.Float32bits(x[0])), true
	} else {
		in.Data = encode(x)
	}
	in.Length = len(in.Data)
	bindings := []metalrun.Binding{in}
	if f.pairs {
		second := encode(y)
		bindings = append(bindings, metalrun.Binding{Index: 1, Data: second, Length: len(second)})
	}
	out := make([]byte, 4*group*groups)
	if _, err := k.Run(metalrun.Dispatch{
		Bindings:     append(bindings, metalrun.Binding{Index: 2, Data: out, Length: len(out)}),
		Threadgroups: metalrun.Size{X: groups, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: group, Y: 1, Z: 1},
	}); err != nil {
		return nil, err
	}
	got := make([]float32, len(x))
	for i := range got {
		got[i] = math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:]))
	}
	return got, nil
}

// compare measures the errors of results, on all processors; what comes of it does not depend on their
// number.
func (f Function) compare(x, y, got []float32) errorTable {
	parts := make([]errorTable, runtime.GOMAXPROCS(0))
	size := (len(x) + len(parts) - 1) / len(parts)
	var all sync.WaitGroup
	for p := range parts {
		all.Go(func() {
			for i := min(p*size, len(x)); i < min((p+1)*size, len(x)); i++ {
				f.add(&parts[p], x[i], y[i], got[i])
			}
		})
	}
	all.Wait()
	total := parts[0]
	for _, p := range parts[1:] {
		total.merge(p)
	}
	return total
}
