package spec

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"go.starlark.net/starlark"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/tensor"
)

// draft is a call of kernel.
type draft struct {
	limits    *Limits
	name, doc string
	arguments []*argument
	domain
	geometry
	task
	work              starlark.Value
	settings          *starlark.Dict
	constants, macros *starlark.Dict
	tables            []suite.Table
	built             *metalrun.Math
	narrow            bool           // values inside the kernel may be rounded to half or bfloat
	arithmetic        oracles.Format // of values inside the kernel
	at                string

	args    suite.Args
	layouts map[string]*layout
}

// domain is where a kernel is judged: points of axes, inputs, and cases that were recorded.
type domain struct {
	base              suite.Shape
	axes              []suite.Axis
	vary, cross, more []suite.Variation
	shapes, refused   []suite.Shape
	largest           suite.Shape // that hosts launch
	inputs            []*families
	recordings        []*recording
	check             starlark.Callable
}

// geometry is how a kernel is launched.
type geometry struct {
	groups, threads  []starlark.Value
	perGroup, memory []starlark.Value
	launches         starlark.Value
}

// task is what a kernel has to compute.
type task struct {
	oracle   *starlark.Function // nil: recordings have the results, or nobody asks
	function *programmed        // in place of the oracle, of a program
	decides  bool
	// the text of the definition rounds nothing
	unrounded bool
	signs     bool // it changes signs and nothing else
	unjudged  bool // nobody asks for results
}

// What a kernel may have: as long a name as sources may give it, and more arguments than Metal binds.
const (
	longestName   = 1024
	mostArguments = 256
	mostKernels   = 4096 // of a file with those that it loads
)

// kernel specifies an entry point.
func kernel(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	r, ok := thread.Local(readerKey).(*reader)
	if !ok {
		return nil, fmt.Errorf("kernel: only while a file is read")
	}
	if strings.HasPrefix(thread.Name, PacksFolder+"/") {
		return starlark.None, nil
	}
	d := &draft{limits: r.limits, at: caller(thread), task: task{unjudged: r.unjudged}, work: starlark.MakeInt(0)}
	call := kernelCall{intermediates: dataType{name: "f32", of: suite.F32}}
	if err := call.unpack(d, name, args, kwargs); err != nil {
		return nil, err
	}
	if r.wanted != nil && !r.wanted(d.name) {
		r.listed = append(r.listed, d.name)
		return starlark.None, nil
	}
	if err := d.judgedBy(call.oracle); err != nil {
		return nil, err
	}
	if err := d.admitted(len(r.kernels)); err != nil {
		return nil, err
	}
	if n := call.arguments.Len(); n > mostArguments {
		return nil, fmt.Errorf("kernel %s: %d arguments: at most %d are possible", d.name, n, mostArguments)
	}
	if call.base == nil {
		return nil, fmt.Errorf(`kernel %s: want base = {"axis": extent, …}, which names the axes; of recordings the `+
			`extents are their own`, d.name)
	}
	if err := d.take(&call); err != nil {
		return nil, err
	}
	var err error
	if d.recordings, err = r.recordings(thread, call.recordings); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", d.name, err)
	}
	if err := d.setModes(&call); err != nil {
		return nil, err
	}
	d.settings = call.settings
	if err := d.readTables(call.tables); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", d.name, err)
	}
	d.groups, d.threads = list(call.groups), list(call.threads)
	d.perGroup, d.memory = list(call.perGroup), list(call.memory)
	if err := d.sweep(call.base, call.vary, call.cross, call.more, call.shapes, call.refused); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", d.name, err)
	}
	if err := d.limit(call.largest); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", d.name, err)
	}
	if r.names[d.name] {
		return nil, fmt.Errorf("kernel %s is specified twice", d.name)
	}
	d.signs = d.oracle != nil && r.keepsSigns(d.oracle)
	d.unrounded = d.oracle != nil && !r.rounds(d.oracle)
	d.decides = d.oracle != nil && r.decides(d.oracle) ||
		d.function != nil && reflect.ValueOf(d.function.contract).IsZero()
	k, err := d.kernel()
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", d.name, err)
	}
	r.add(k)
	return starlark.None, nil
}

// kernelCall has the arguments of a call of kernel that are not used as they are.
type kernelCall struct {
	arguments, inputs                 *starlark.List
	base, vary, cross, more           *starlark.Dict
	tables, settings, largest         *starlark.Dict
	intermediates                     dataType
	groups, threads, perGroup, memory starlark.Value
	shapes, refused, recordings       starlark.Value
	oracle                            starlark.Callable
	mode                              string
}

// unpack takes arguments of a call into c, or into d if they are used as they are.
func (c *kernelCall) unpack(d *draft, name string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	return starlark.UnpackArgs(name, args, kwargs,
		"name", &d.name,
		"args", &c.arguments,
		"base?", &c.base,
		"oracle?", &c.oracle,
		"recordings?", &c.recordings,
		"threadgroups?", &c.groups,
		"threads?", &c.threads,
		"threads_per_threadgroup?", &c.perGroup,
		"threadgroup_memory?", &c.memory,
		"vary??", &c.vary,
		"cross??", &c.cross,
		"full??", &c.more,
		"shapes??", &c.shapes,
		"refused??", &c.refused,
		"inputs??", &c.inputs,
		"check?", &d.check,
		"work?", &d.work,
		"doc?", &d.doc,
		"launches??", &d.launches,
		"constants??", &d.constants,
		"macros??", &d.macros,
		"tables??", &c.tables,
		"settings??", &c.settings,
		"limits??", &c.largest,
		"intermediates?", &c.intermediates,
		"math?", &c.mode)
}

// judgedBy takes an oracle of a file or of a program.
func (d *draft) judgedBy(oracle starlark.Callable) error {
	switch f := oracle.(type) {
	case nil:
	case *starlark.Function:
		d.oracle = f
	case *programmed:
		d.function = f
	default:
		return fmt.Errorf("kernel: oracle is %s, a function of the language: want one of inputs by their names, such "+
			"as lambda x: %s(x)", f.Name(), f.Name())
	}
	return nil
}

// admitted checks the name of the kernel, and that there are not too many before it.
func (d *draft) admitted(before int) error {
	if strings.ContainsFunc(d.name, func(c rune) bool { return !unicode.IsPrint(c) }) || len(d.name) > longestName {
		return fmt.Errorf("kernel: got the name %.100q, want one of at most %d characters that can be printed", d.name,
			longestName)
	}
	if d.name == "" {
		return errors.New("kernel: a kernel has no name")
	}
	if before == mostKernels {
		return fmt.Errorf("kernel %s: %d are specified already, and no more are possible: write another file", d.name,
			mostKernels)
	}
	return nil
}

// take takes the arguments and the families of inputs.
func (d *draft) take(c *kernelCall) error {
	for i := range c.arguments.Len() {
		a, ok := c.arguments.Index(i).(*argument)
		if !ok {
			return fmt.Errorf("kernel %s: args[%d] is %s, want input, output, inout, scalar or struct", d.name, i,
				c.arguments.Index(i).Type())
		}
		d.arguments = append(d.arguments, a)
	}
	if c.inputs == nil {
		return nil
	}
	for i := range c.inputs.Len() {
		f, ok := c.inputs.Index(i).(*families)
		if !ok {
			return fmt.Errorf("kernel %s: inputs[%d] is %s, want standard or family", d.name, i,
				c.inputs.Index(i).Type())
		}
		d.inputs = append(d.inputs, f)
	}
	return nil
}

// setModes takes the format of intermediates and the mode of mathematics.
func (d *draft) setModes(c *kernelCall) error {
	if d.narrow = c.intermediates.of != suite.F32; !c.intermediates.float() {
		return fmt.Errorf("kernel %s: intermediates = %s: want f32, f16 or bf16", d.name, c.intermediates.name)
	}
	d.arithmetic, _ = c.intermediates.of.Format()
	if c.mode == "" {
		return nil
	}
	m, err := metalrun.ParseMath(c.mode)
	if err != nil {
		return fmt.Errorf("kernel %s: math: %w", d.name, err)
	}
	d.built = &m
	return nil
}

// add adds a kernel to those of the file, with its extents as they were written.
func (r *reader) add(k suite.Kernel) {
	for _, a := range k.Args {
		for i, e := range a.Extents {
			switch e := e.(type) {
			case expression:
				a.Extents[i] = e.written(r.lambdas)
			case viewed:
				e.of.written(r.lambdas)
			}
		}
	}
	r.kernels = append(r.kernels, k)
	r.names[k.Name], r.listed = true, append(r.listed, k.Name)
}

// defined reports whether there is a definition.
func (d *draft) defined() bool { return d.oracle != nil || d.function != nil }

// list is one value, or those of a list.
func list(v starlark.Value) []starlark.Value {
	switch v := v.(type) {
	case nil:
		return nil
	case *starlark.List, starlark.Tuple:
		values := make([]starlark.Value, v.(starlark.Indexable).Len())
		for i := range values {
			values[i] = v.(starlark.Indexable).Index(i)
		}
		return values
	}
	return []starlark.Value{v}
}

// sweep reads the points. The axes are the keys of base, in order.
func (d *draft) sweep(base, vary, cross, more *starlark.Dict, shapes, refused starlark.Value) error {
	if n := base.Len(); n > maxAxes {
		return fmt.Errorf("base has %d axes, and %d are the most", n, maxAxes)
	}
	d.base = suite.Shape{}
	for _, key := range base.Keys() {
		a, _ := starlark.AsString(key)
		d.axes = append(d.axes, suite.Axis(a))
	}
	err := d.point(d.base, base)
	for _, v := range []struct {
		of   *starlark.Dict
		into *[]suite.Variation
	}{{vary, &d.vary}, {cross, &d.cross}, {more, &d.more}} {
		if v.of != nil && err == nil {
			*v.into, err = d.variations(v.of)
		}
	}
	if n := d.pointCount(); n > maxPoints && err == nil {
		err = fmt.Errorf("vary, cross and full make more than %d points", maxPoints)
	}
	for _, v := range []struct {
		of   starlark.Value
		into *[]suite.Shape
	}{{shapes, &d.shapes}, {refused, &d.refused}} {
		points := list(v.of)
		if len(points) > maxPoints {
			return fmt.Errorf("more than %d points are given one by one", maxPoints)
		}
		for _, p := range points {
			dict, ok := p.(*starlark.Dict)
			if !ok {
				return fmt.Errorf("got %s, want a point, such as {%q: 1}", p.Type(), d.axes)
			}
			own := suite.Shape{}
			if err = errors.Join(err, d.point(own, dict)); err == nil {
				*v.into = append(*v.into, d.base.With(own))
			}
		}
	}
	return err
}

// maxPoints is how many points a kernel may have, of so many axes: each comes with every family of inputs.
const (
	maxPoints = 1 << 14
	maxAxes   = 64
)

// pointCount is how many points vary, cross and full make, or more than maxPoints.
func (d *draft) pointCount() int {
	n, crossed := 0, 1
	for _, v := range slices.Concat(d.vary, d.more) {
		n += len(v.Values)
	}
	for _, v := range d.cross {
		crossed *= min(len(v.Values), maxPoints+1)
		if crossed > maxPoints {
			return crossed
		}
	}
	return n + crossed
}

// point reads values of axes.
func (d *draft) point(into suite.Shape, dict *starlark.Dict) error {
	for _, item := range dict.Items() {
		name, ok := starlark.AsString(item[0])
		if !ok || !slices.Contains(d.axes, suite.Axis(name)) {
			return fmt.Errorf("%s is not an axis: base has %s", item[0], listed(d.axes))
		}
		n, err := starlark.AsInt32(item[1])
		if err != nil {
			return fmt.Errorf("axis %s: %w", name, err)
		}
		into[suite.Axis(name)] = n
	}
	return nil
}

// limit reads the largest values of axes at which hosts launch the kernel.
func (d *draft) limit(dict *starlark.Dict) error {
	if dict == nil {
		return nil
	}
	d.largest = suite.Shape{}
	for _, item := range dict.Items() {
		name, ok := starlark.AsString(item[0])
		if !ok || !slices.Contains(d.axes, suite.Axis(name)) {
			return fmt.Errorf("limits: %s is not an axis: base has %s", item[0], listed(d.axes))
		}
		var n int64
		if err := starlark.AsInt(item[1], &n); err != nil {
			return fmt.Errorf("limits: axis %s: %w", name, err)
		}
		if n < int64(d.base[suite.Axis(name)]) || n > longest {
			return fmt.Errorf("limits: axis %s: got %d, want a number from %d, which base has, to %d", name, n,
				d.base[suite.Axis(name)], int64(longest))
		}
		d.largest[suite.Axis(name)] = int(n)
	}
	return nil
}

func (d *draft) variations(dict *starlark.Dict) ([]suite.Variation, error) {
	var all []suite.Variation
	for _, item := range dict.Items() {
		name, _ := starlark.AsString(item[0])
		if !slices.Contains(d.axes, suite.Axis(name)) {
			return nil, fmt.Errorf("%s is not an axis: base has %s", item[0], listed(d.axes))
		}
		var values lengths
		if err := values.Unpack(item[1]); err != nil {
			return nil, fmt.Errorf("axis %s: %w", name, err)
		}
		all = append(all, suite.Vary(suite.Axis(name), values...))
	}
	return all, nil
}

// kernel is the specification.
func (d *draft) kernel() (suite.Kernel, error) {
	if err := d.readOverlays(); err != nil {
		return suite.Kernel{}, err
	}
	k := suite.Kernel{Name: d.name, Doc: d.doc, Axes: d.axes, Roundings: suite.RoundingsDefined, Built: d.built,
		Wide: d.oracle != nil, Limits: d.largest}
	k.Arithmetic = &d.arithmetic
	if d.narrow {
		k.Roundings = suite.RoundingsEither
	}
	if d.function != nil {
		k.Arithmetic, k.Contract = nil, d.function.contract
		if !reflect.ValueOf(k.Contract).IsZero() {
			k.Roundings = suite.RoundingsEither // bounds allow for them
		}
	}
	d.layouts = map[string]*layout{}
	for _, a := range d.arguments {
		arg, l, err := a.arg(d.axes)
		if err != nil {
			return k, err
		}
		d.layouts[a.name] = l
		if _, twice := k.Args.Find(a.name); twice {
			return k, fmt.Errorf("two arguments are called %s", a.name)
		}
		k.Args = append(k.Args, arg)
	}
	if err := bindings(k.Args); err != nil {
		return k, err
	}
	d.args = k.Args
	d.overlayArgs(k.Args)
	if len(d.tables) > 0 {
		k.Tables = func(suite.Shape) []suite.Table { return d.tables }
	}
	var err error
	if k.Build, err = d.build(); err != nil {
		return k, err
	}
	if k.Launches, err = d.launchSequence(k.Args); err != nil {
		return k, err
	}
	for _, part := range []struct {
		name string
		of   []starlark.Value
		into *[]suite.Extent
	}{
		{"threadgroups", d.groups, &k.Grid.Threadgroups}, {"threads", d.threads, &k.Grid.Threads},
		{"threads_per_threadgroup", d.perGroup, &k.Grid.Of}, {"threadgroup_memory", d.memory, &k.ThreadgroupMemory},
		{"work", []starlark.Value{d.work}, nil},
	} {
		for _, v := range part.of {
			e, wrong := newExpression(d.at+": "+part.name, v, d.axes)
			if err = errors.Join(err, wrong); part.into != nil {
				*part.into = append(*part.into, e)
			} else {
				k.Work.Operations = e
			}
		}
	}
	if err != nil {
		return k, err
	}
	if (len(d.groups) == 0) == (len(d.threads) == 0) || len(d.perGroup) == 0 {
		return k, errors.New("want threads_per_threadgroup, and either threadgroups or threads")
	}
	k.MostElements = mostElements
	if d.check != nil {
		if k.Check, err = d.precondition(); err != nil {
			return k, err
		}
	}
	var recorded map[string]expected
	if k.Sweep, recorded, err = d.points(k); err != nil {
		return k, err
	}
	k.Oracle, err = d.definition(k.Args, recorded)
	return k, err
}

// mostElements is what the buffers of a case may have: twice as many as the largest tensor.
const mostElements = 2 * tensor.MaxElements

// points are the sweep, and what is recorded of it by the names of settings. Without an oracle
// there is no more than what is recorded.
func (d *draft) points(k suite.Kernel) (sweep suite.Sweep, recorded map[string]expected, err error) {
	launched := func(points []suite.Shape) []suite.Shape { // those that a host may launch
		return slices.DeleteFunc(points, func(s suite.Shape) bool { return k.Check != nil && k.Check(s) != nil })
	}
	switch {
	case d.defined() || d.unjudged:
		sweep.Probes = []suite.Shape{d.base}
		sweep.Shapes = slices.Concat(launched(slices.Concat(suite.Around(d.base, d.vary...)[1:], d.crossed(d.cross))),
			d.shapes)
		if len(d.more) > 0 {
			sweep.Full = launched(suite.Around(d.base, d.more...)[1:])
		}
		if sweep.Settings, err = d.scalarSettings(k.Args); err != nil {
			return sweep, nil, err
		}
		sweep.Decides = d.decides
		if sweep.Inputs, err = d.families(k.Args); err != nil {
			return sweep, nil, err
		}
	case len(d.recordings) == 0:
		return sweep, nil, errors.New("want an oracle, or recordings that have the results")
	case len(d.vary)+len(d.cross)+len(d.more)+len(d.shapes)+len(d.inputs) > 0, d.settings != nil:
		return sweep, nil,
			errors.New("vary, cross, full, shapes, settings and inputs need an oracle: a recording has the results " +
				"of its own point only")
	default:
		sweep.Inputs = []suite.Input{{Name: d.recordings[0].name}}
	}
	sweep.Refused, recorded = d.refused, map[string]expected{}
	for _, rec := range d.recordings {
		s, want, err := d.record(rec, k.Args)
		if err != nil {
			return sweep, nil, fmt.Errorf("%s: recording %s: %w", rec.at, rec.name, err)
		}
		used := slices.ContainsFunc(sweep.Inputs,
			func(in suite.Input) bool { return (d.defined() || d.unjudged) && in.Name == rec.name })
		if _, twice := recorded[rec.name]; twice || used {
			return sweep, nil,
				fmt.Errorf("%s: two families of inputs are called %s: give the recording a name", rec.at, rec.name)
		}
		sweep.Settings, recorded[rec.name] = append(sweep.Settings, s), want
	}
	return sweep, recorded, nil
}

// scalarSettings are base with other values of one scalar at a time.
func (d *draft) scalarSettings(args suite.Args) ([]suite.Setting, error) {
	if d.settings == nil {
		return nil, nil
	}
	var all []suite.Setting
	for _, item := range d.settings.Items() {
		name, _ := starlark.AsString(item[0])
		if !d.isScalar(args, name) {
			return nil, fmt.Errorf("settings: no scalar is called %s", item[0])
		}
		for _, v := range list(item[1]) {
			x, ok := starlark.AsFloat(v)
			if !ok {
				return nil, fmt.Errorf("settings: %s: got %s, want numbers", name, v.Type())
			}
			all = append(all, suite.Setting{Name: fmt.Sprintf("%s_%v", name, x), Shape: d.base,
				Set: map[string]float64{name: x}})
		}
	}
	return all, nil
}

// bindings refuses indices that do not ascend.
func bindings(args suite.Args) error {
	for i := 1; i < len(args); i++ {
		if own, before := args.Binding(i), args.Binding(i-1); own <= before {
			return fmt.Errorf("%s is at buffer index %d, behind %s at %d: list arguments by their indices",
				args[i].Name, own, args[i-1].Name, before)
		}
	}
	return nil
}

func (d *draft) crossed(axes []suite.Variation) []suite.Shape {
	if len(axes) == 0 {
		return nil
	}
	return suite.Cross(d.base, axes...)
}

// families are the inputs: the standard ones over all floating-point arguments if none are given.
// What an argument's own fill says holds where a family says nothing of it.
func (d *draft) families(args suite.Args) ([]suite.Input, error) {
	given := d.inputs
	if given == nil {
		given = []*families{{all: true}}
	}
	defaults := suite.Fills{}
	var floats []string
	for i, a := range d.arguments {
		if a.of.float() && args[i].Buffer() && args[i].Role != suite.RoleOut {
			floats = append(floats, a.name)
		}
		if a.fill != nil {
			defaults[a.name] = a.fill
		}
	}
	var inputs []suite.Input
	for _, f := range given {
		over := f.standard
		if f.all {
			over = floats
		}
		for _, name := range over {
			if !slices.Contains(floats, name) {
				return nil, fmt.Errorf("standard: no floating-point input is called %q: there are %s", name,
					strings.Join(floats, ", "))
			}
		}
		standard, err := d.standardOver(f, defaults, over)
		if err != nil {
			return nil, err
		}
		standard = args.Structured(standard)
		for _, in := range append(slices.Clone(f.list), standard...) {
			for arg := range in.Fills {
				if a, ok := args.Find(arg); !ok || !a.Buffer() || a.Role == suite.RoleOut {
					return nil, fmt.Errorf("family %s: no input is called %q", in.Name, arg)
				}
			}
			if f.finite || len(f.list) == 0 {
				d.within(&in)
			}
			if slices.ContainsFunc(inputs, func(other suite.Input) bool { return other.Name == in.Name }) {
				return nil, fmt.Errorf("two families are called %s", in.Name)
			}
			inputs = append(inputs, in)
		}
	}
	if len(inputs) > 0 {
		first := suite.Fills{}
		for arg, fill := range defaults {
			first[arg] = fill
		}
		for arg, fill := range inputs[0].Fills {
			first[arg] = fill
		}
		inputs[0].Fills = first
	}
	if d.ownIntegers(args, given, inputs) {
		inputs = append(inputs, suite.IntegerFamilies()...)
	}
	for _, a := range d.arguments {
		d.encode(a, inputs)
	}
	return inputs, nil
}

// ownIntegers reports whether the suite chooses families, and the integers of some input in them. Those of a few bits
// may stand for parts of other numbers, if the kernel gives no integers.
func (d *draft) ownIntegers(args suite.Args, given []*families, inputs []suite.Input) bool {
	if !slices.ContainsFunc(given, func(f *families) bool { return len(f.list) == 0 }) {
		return false
	}
	gives := slices.ContainsFunc(args, func(a suite.Arg) bool {
		_, float := a.Type.Format()
		return a.Writable() && !float
	})
	for i, a := range d.arguments {
		if _, float := args[i].Type.Format(); float || !args[i].Buffer() || args[i].Role == suite.RoleOut ||
			a.of.format != nil || len(inputs) > 0 && inputs[0].Fills[a.name] != nil {
			continue
		}
		if gives || args[i].Type.Bytes() > 2 {
			return true
		}
	}
	return false
}

// within keeps a family's finite numbers within what the arguments' formats hold: a half has no 2²⁰. Larger ones are
// halved until they are.
func (d *draft) within(in *suite.Input) {
	fills := maps.Clone(in.Fills)
	for _, a := range d.arguments {
		fill, largest := fills[a.name], a.of.largest()
		if fill == nil || math.IsInf(largest, 1) {
			continue
		}
		fills[a.name] = suite.Within(fill, largest)
	}
	in.Fills = fills
}

// encode has fills of a buffer in a format of eight bits draw numbers and give their codes.
func (d *draft) encode(a *argument, inputs []suite.Input) {
	if a.of.format == nil || a.role == suite.RoleOut {
		return
	}
	for i, in := range inputs {
		fill := in.Fills[a.name]
		if fill == nil && i > 0 {
			continue
		}
		if fill == nil {
			fill = suite.Normal
		}
		inputs[i].Fills = maps.Clone(in.Fills) // other kernels may have it too
		inputs[i].Fills[a.name] = func(r *rand.Rand, s suite.Shape, x []float64) {
			fill(r, s, x)
			for i := range x {
				x[i] = float64(a.of.format.Encode(x[i]))
			}
		}
	}
}

// standardOver are the families of standard, without those that are not wanted.
func (d *draft) standardOver(f *families, defaults suite.Fills, over []string) ([]suite.Input, error) {
	if len(f.list) > 0 {
		return nil, nil
	}
	all := append(suite.Standard(defaults, over...), suite.Placed(over...)...)
	for _, in := range all {
		if in.Name == "extremes" {
			for arg := range in.Fills {
				i := slices.IndexFunc(d.arguments, func(a *argument) bool { return a.name == arg })
				in.Fills[arg] = extremesUpTo(min(d.arguments[i].of.largest(), largestBFloat))
			}
		}
	}
	for _, name := range f.without {
		if !slices.ContainsFunc(all, func(in suite.Input) bool { return in.Name == name }) {
			var names []string
			for _, in := range all {
				names = append(names, in.Name)
			}
			return nil, fmt.Errorf("standard: no family is called %q: there are %s", name, strings.Join(names, ", "))
		}
	}
	all = slices.DeleteFunc(all, func(in suite.Input) bool { return slices.Contains(f.without, in.Name) })
	if f.finite {
		return suite.Finite(all), nil
	}
	return all, nil
}

// largestBFloat is the largest number of bfloat, which f32 has, too.
const largestBFloat = 0x1.fep127

// extremesUpTo are ±1 and ±2⁻¹², whose sums and products definitions in float64 tell apart, and one
// element that is the largest number.
func extremesUpTo(largest float64) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		suite.OneOf(suite.Choice(-1, 1, -0x1p-12, 0x1p-12), math.Copysign(largest, float64(r.IntN(2))-0.5))(r, s, x)
	}
}

// precondition is check: a function of axes that returns what is wrong with a point, or None.
func (d *draft) precondition() (func(suite.Shape) error, error) {
	e, err := newExpression(d.at+": check", d.check, d.axes)
	if err != nil {
		return nil, err
	}
	return func(s suite.Shape) error {
		v, err := e.evaluate(s)
		if err != nil {
			return err
		}
		if text, ok := starlark.AsString(v); ok && text != "" {
			return errors.New(text)
		}
		if v == starlark.False {
			return fmt.Errorf("check refuses %v", s)
		}
		return nil
	}, nil
}
