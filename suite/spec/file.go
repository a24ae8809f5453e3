package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"metalconform/oracles"
	"metalconform/printable"
	"metalconform/regular"
	"metalconform/suite"
	"metalconform/suite/tensor"
)

// Limits of one evaluation: of a file, or of a definition at one point.
const (
	sharing   = 64      // times maxElements of what definitions make of a file's own tensors
	maxSource = 1 << 20 // bytes of a file
	maxLoads  = 64      // files
)

// Fuzzing lowers these.
var (
	maxSteps    uint64 = 10_000_000
	maxElements int64  = 1 << 27
)

// Read is the family of the kernels that a file of a directory specifies. Its name is that of the
// file without .star.
func Read(dir fs.FS, name string) (suite.Family, error) {
	return readFamily(dir, name, false)
}

// ReadLaunches is [Read] for a file that says how kernels are launched, and need not say what they
// compute: the oracle of one without is not to be asked.
func ReadLaunches(dir fs.FS, name string) (suite.Family, error) {
	return readFamily(dir, name, true)
}

func readFamily(dir fs.FS, name string, unjudged bool) (suite.Family, error) {
	r := newReader(dir, unjudged)
	if _, err := r.load(name); err != nil {
		return suite.Family{}, err
	}
	if len(r.kernels) == 0 {
		return suite.Family{}, fmt.Errorf("%s: no kernel is specified: call kernel(name = …)", name)
	}
	return suite.Family{Name: strings.TrimSuffix(path.Base(name), ".star"), Kernels: r.kernels}, nil
}

// reader evaluates a file and those that it loads.
type reader struct {
	dir     fs.FS
	loaded  map[string]*module
	kernels []suite.Kernel
	names   map[string]bool // of the kernels

	lambdas map[string]map[spot]string // what they compute, by file

	unjudged bool // no oracle is needed
}

func newReader(dir fs.FS, unjudged bool) *reader {
	return &reader{dir: dir, loaded: map[string]*module{}, names: map[string]bool{}, lambdas: map[string]map[spot]string{}, unjudged: unjudged}
}

// module is a file that has been loaded, or is being: then it has no globals.
type module struct {
	globals starlark.StringDict
	err     error
}

// load evaluates a file once.
func (r *reader) load(name string) (starlark.StringDict, error) {
	if m, ok := r.loaded[name]; ok {
		if m.globals == nil && m.err == nil {
			return nil, fmt.Errorf("%s loads itself", name)
		}
		return m.globals, m.err
	}
	if !fs.ValidPath(name) {
		return nil, errors.New("a file loads what lies in the directory of the specification and below")
	}
	if len(r.loaded) == maxLoads {
		return nil, fmt.Errorf("more than %d files", maxLoads)
	}
	m := &module{}
	r.loaded[name] = m
	m.globals, m.err = r.evaluate(name)
	return m.globals, m.err
}

func (r *reader) evaluate(name string) (starlark.StringDict, error) {
	text, err := regular.ReadFrom(r.dir, name, maxSource)
	if err != nil {
		return nil, err
	}
	m := &meter{limit: maxElements, shared: true}
	thread := newThread(name, m)
	thread.Load = func(_ *starlark.Thread, other string) (starlark.StringDict, error) {
		return r.load(path.Join(path.Dir(name), other))
	}
	thread.SetLocal(readerKey, r)
	file, lambdas, err := parse(name, "", text)
	if err != nil {
		return nil, positioned(err)
	}
	r.lambdas[name] = lambdas
	globals, err := run(thread, file)
	m.limit = sharing * maxElements // for definitions, from here on
	return globals, err
}

// run are the globals that a file makes.
func run(thread *starlark.Thread, file *syntax.File) (starlark.StringDict, error) {
	program, err := starlark.FileProgram(file, predeclared.Has)
	if err != nil {
		return nil, positioned(err)
	}
	globals, err := program.Init(thread, predeclared)
	if err != nil {
		return nil, positioned(err)
	}
	globals.Freeze()
	return globals, nil
}

const (
	placeKey  = "place" // where a program calls a function
	readerKey = "reader"
	meterKey  = "meter"
)

// newThread is one evaluation, with limits of its own.
func newThread(name string, m *meter) *starlark.Thread {
	thread := &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(maxSteps)
	thread.SetLocal(meterKey, m)
	return thread
}

// meter counts the elements that an evaluation makes. That of a file is shared: definitions that
// run at once compute with the tensors that the file made.
type meter struct {
	limit  int64
	spent  atomic.Int64
	bytes  atomic.Int64 // of what is no tensor
	shared bool
	err    func() int      // the sign of the next error in a trial; nil: operations err as float64 does
	ranks  bool            // what is too small for float64 keeps its order
	in     *oracles.Format // that the operations of a trial err in; nil: float64
}

func newMeter() *meter { return &meter{limit: maxElements} }

// trial makes the operations of an evaluation err.
func (m *meter) trial(number uint64, in *oracles.Format) {
	if m.ranks = number == suite.Ranked; number == 0 || m.ranks {
		return
	}
	draws, word, left := rand.NewPCG(number, 0), uint64(0), 0
	m.in, m.err = in, func() int {
		if left == 0 {
			word, left = draws.Uint64(), 64
		}
		sign := 1 - 2*int(word&1)
		word, left = word>>1, left-1
		return sign
	}
}

// erring is a result of float64, in a trial with an error of a unit in the last place. What float32 has and
// integers are taken for exact, unless the operation rounds whatever it gives.
func (m *meter) erring(t *tensor.Tensor, rounds bool) *tensor.Tensor {
	if m == nil || m.err == nil {
		return t
	}
	if m.in != nil {
		return t.Map(func(x float64) float64 {
			if !rounds && math.Trunc(x) == x {
				return x
			}
			return m.step(x, rounds)
		})
	}
	return t.Map(func(x float64) float64 {
		if x == 0 || x-x != 0 || !rounds && (float64(float32(x)) == x || math.Trunc(x) == x) {
			return x
		}
		return math.Nextafter(x, math.Inf(m.err()))
	})
}

// vanished is the result of a function that rises and is nowhere 0, where float64 has few digits for it or 0: among the least numbers those
// that stand in the order of what they are of.
func (m *meter) vanished(x, y *tensor.Tensor) *tensor.Tensor {
	if m == nil || !m.ranks || x.Len() != y.Len() {
		return y
	}
	of, i := x.Data(), -1
	var far []float64
	for j, y := range y.Data() {
		if y < fewDigits && of[j]-of[j] == 0 {
			far = append(far, of[j])
		}
	}
	slices.Sort(far)
	far = slices.Compact(far)
	return y.Map(func(y float64) float64 {
		if i++; y >= fewDigits || of[i]-of[i] != 0 {
			return y
		}
		rank, _ := slices.BinarySearch(far, of[i])
		return float64(rank+1) * math.SmallestNonzeroFloat64
	})
}

// fewDigits is where float64 begins to have fewer digits, or some way above.
const fewDigits = 0x1p-1000

// functionRoundings is how many roundings the error of a function may come to: Metal's functions are off by
// four units in the last place, and a unit may be two roundings.
const functionRoundings = 8

// step is what an operation of a trial gives for x: off by a rounding of its format, up or down, unless that has
// x; by more if it is a function.
func (m *meter) step(x float64, function bool) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	u := m.in.UnitRoundoff()
	switch {
	case function:
		u *= functionRoundings
	case m.in.Round(x) == x:
		return x
	}
	return x + float64(float64(u*x)*float64(m.err()))
}

// spend counts elements. A nil meter counts none.
func (m *meter) spend(n int) error {
	if m == nil {
		return nil
	}
	if m.spent.Add(int64(n)) > m.limit {
		return fmt.Errorf("more than %d elements have been computed: take a smaller point, or fewer operations", m.limit)
	}
	return nil
}

// meterOf is the meter of a thread.
func meterOf(thread *starlark.Thread) *meter {
	m, _ := thread.Local(meterKey).(*meter)
	return m
}

// positioned is an error of Starlark in one line that begins where it happened: the innermost
// place in a file.
func positioned(err error) error {
	var failed *starlark.EvalError
	if !errors.As(err, &failed) {
		return err
	}
	message := strings.Replace(printable.Message(failed.Msg), "Starlark computation cancelled: too many steps", fmt.Sprintf("more than %d steps", maxSteps), 1)
	for i := len(failed.CallStack) - 1; i >= 0; i-- {
		if at := failed.CallStack[i].Pos; at.Line > 0 {
			return fmt.Errorf("%s: %s", at, message)
		}
	}
	return errors.New(message)
}
