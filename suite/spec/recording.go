package spec

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/tensorfile"
)

// recording is a case whose inputs, and perhaps results, are in files.
type recording struct {
	starlark.Value // None
	name           string
	arrays         map[string]tensorfile.Array // by argument, with expectedSuffix for results
	axes           suite.Shape                 // that the file or whoever wrote it says
	at             string
}

// Type names it in messages.
func (*recording) Type() string { return "recording" }

// expectedSuffix stands behind the name of an argument in that of the array with what it has to
// hold after the launch. Of an output the name alone will do.
const expectedSuffix = ".want"

// expected is what the arguments of a recording have to hold.
type expected map[string]oracles.Answer

var goodName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.+-]*$`)

// newRecording is a case from a file with arrays named after arguments, or from a dictionary that
// says for each argument which file, or which array of a file, it is.
func newRecording(thread *starlark.Thread, fn string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	var from starlark.Value
	var at *starlark.Dict
	rec := &recording{Value: opaque, arrays: map[string]tensorfile.Array{}, axes: suite.Shape{}, at: caller(thread)}
	if err := starlark.UnpackArgs(fn, args, kwargs, "from", &from, "at?", &at, "name?", &rec.name); err != nil {
		return nil, err
	}
	r, ok := thread.Local(readerKey).(*reader)
	if !ok {
		return nil, fmt.Errorf("recording: only while a file is read")
	}
	if err := r.record(thread, rec, from); err != nil {
		return nil, err
	}
	if at != nil {
		for _, item := range at.Items() {
			axis, _ := starlark.AsString(item[0])
			n, err := starlark.AsInt32(item[1])
			if err != nil {
				return nil, fmt.Errorf("recording: axis %s: %w", item[0], err)
			}
			rec.axes[suite.Axis(axis)] = n
		}
	}
	if !goodName.MatchString(rec.name) {
		return nil, fmt.Errorf("recording: name = %q: want letters, digits and _.+-", rec.name)
	}
	return rec, nil
}

// record reads the arrays of a recording.
func (r *reader) record(thread *starlark.Thread, rec *recording, from starlark.Value) error {
	if file, ok := starlark.AsString(from); ok {
		if rec.name == "" {
			rec.name = strings.TrimSuffix(path.Base(file), path.Ext(file))
		}
		return r.open(thread, file, func(f *tensorfile.File) error {
			for _, a := range suite.NameAxes(f.Meta["case"]) {
				var n int
				if _, err := fmt.Sscanf(a.Value, "%d", &n); err == nil {
					rec.axes[suite.Axis(a.Axis)] = n
				}
			}
			for _, name := range f.Names {
				if err := rec.add(thread, f, name, name); err != nil {
					return err
				}
			}
			return nil
		})
	}
	dict, ok := from.(*starlark.Dict)
	if !ok || rec.name == "" {
		return fmt.Errorf(`recording: want a file, or a name and a dictionary such as {"x": "x.npy", "w": ` +
			`("layer.safetensors", "blk.0.norm")}`)
	}
	for _, item := range dict.Items() {
		arg, _ := starlark.AsString(item[0])
		file, isFile := starlark.AsString(item[1])
		name := ""
		if pair, ok := item[1].(starlark.Tuple); ok && len(pair) == 2 {
			file, isFile = starlark.AsString(pair[0])
			name, _ = starlark.AsString(pair[1])
		}
		if !isFile || arg == "" {
			return fmt.Errorf("recording: %s: %s: want a file, or a file and the name of an array", item[0], item[1])
		}
		err := r.open(thread, file, func(f *tensorfile.File) error {
			name, err := only(f, name, arg, fmt.Sprintf("%q: (%q, %%q)", arg, file))
			if err != nil {
				return err
			}
			return rec.add(thread, f, name, arg)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// storedBytes of an array count as an element: it is kept as it is stored, for as long as the file is used.
const storedBytes = 4

// add reads one array. Those of a type that nobody reads may be something else.
func (rec *recording) add(thread *starlark.Thread, f *tensorfile.File, name, arg string) error {
	a, err := f.Array(name)
	if err != nil {
		return err
	}
	rec.arrays[arg] = a
	return meterOf(thread).spend(max(a.Len(), len(a.Data)/storedBytes))
}

// recordings unpacks those of a kernel: recordings, or files.
func (r *reader) recordings(thread *starlark.Thread, v starlark.Value) ([]*recording, error) {
	var all []*recording
	for _, v := range list(v) {
		if _, ok := v.(starlark.String); ok {
			made, err := newRecording(thread, "recording", starlark.Tuple{v}, nil)
			if err != nil {
				return nil, err
			}
			v = made
		}
		rec, ok := v.(*recording)
		if !ok {
			return nil, fmt.Errorf("recordings: got %s, want a file or a recording", v.Type())
		}
		all = append(all, rec)
	}
	return all, nil
}

// record makes a recording a point of the sweep, and says what the outputs have to hold there.
func (d *draft) record(rec *recording, args suite.Args) (suite.Setting, expected, error) {
	s := suite.Setting{Name: rec.name, Set: map[string]float64{}, Fills: suite.Fills{}}
	var err error
	if s.Shape, err = d.pointOf(rec, args); err != nil {
		return s, nil, err
	}
	want := expected{}
	for _, a := range args {
		switch {
		case !a.Buffer():
			err = rec.scalars(a, s.Set)
		case a.Role != suite.RoleOut:
			err = d.fill(rec, a, s)
		}
		if err != nil {
			return s, nil, err
		}
		if !a.Writable() {
			continue
		}
		answer, found, err := d.expect(rec, a, s.Shape)
		if err != nil {
			return s, nil, err
		}
		if found {
			want[a.Name] = answer
			s.Recorded = true
		} else if !d.defined() {
			return s, nil, fmt.Errorf("nothing is expected of %s: want an array %q, or an oracle (there are %s)",
				a.Name, a.Name+expectedSuffix, rec.names())
		}
	}
	return s, want, nil
}

func (rec *recording) names() string {
	return tensorfile.Listed(slices.Sorted(maps.Keys(rec.arrays)))
}

// pointOf reads axes off the shapes of arrays: an extent that is an axis is as long as the array
// is there.
func (d *draft) pointOf(rec *recording, args suite.Args) (suite.Shape, error) {
	shape := d.base.With(nil)
	found := suite.Shape{}
	for _, a := range d.arguments {
		array, ok := rec.arrays[a.name]
		if !ok {
			array, ok = rec.arrays[a.name+expectedSuffix]
		}
		if !ok || len(array.Shape) != len(a.extents) {
			continue
		}
		for i, e := range a.extents {
			name, _ := starlark.AsString(e)
			axis := suite.Axis(name)
			if _, ok := d.base[axis]; !ok {
				continue
			}
			if n, twice := found[axis]; twice && n != array.Shape[i] {
				return nil, fmt.Errorf("%s has shape %v, but axis %s is %d elsewhere", a.name, array.Shape, axis, n)
			}
			found[axis] = array.Shape[i]
		}
	}
	for axis, n := range rec.axes {
		if _, ok := d.base[axis]; !ok {
			return nil, fmt.Errorf("%s is not an axis: base has %s", axis, listed(d.axes))
		}
		if m, ok := found[axis]; ok && m != n {
			return nil, fmt.Errorf("axis %s is %d, but %d in the shapes of the arrays", axis, n, m)
		}
		found[axis] = n
	}
	return shape.With(found), nil
}

// scalars sets those that the recording has.
func (rec *recording) scalars(a suite.Arg, set map[string]float64) error {
	names := []string{a.Name}
	for _, f := range a.Fields {
		names = append(names, f.Name)
	}
	for _, name := range names {
		array, ok := rec.arrays[name]
		if !ok {
			continue
		}
		values, err := array.Values()
		if err == nil && len(values) != 1 {
			err = fmt.Errorf("shape %v, want one number", array.Shape)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		set[name] = values[0]
	}
	return nil
}

// fill fills a buffer from the recording.
func (d *draft) fill(rec *recording, a suite.Arg, s suite.Setting) error {
	array, ok := rec.arrays[a.Name]
	if !ok {
		return fmt.Errorf("it has no array %q: there are %s", a.Name, rec.names())
	}
	values, err := d.ofType(a, array, s.Shape)
	if err == nil {
		err = unrounded(a.Type, values)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	s.Fills[a.Name] = given(values, a.Name)
	return nil
}

// expect is what an output has to hold. Values of 64 bits are the definition's; of fewer, another
// implementation has stored them.
func (d *draft) expect(rec *recording, a suite.Arg, s suite.Shape) (answer oracles.Answer, found bool, err error) {
	name := a.Name + expectedSuffix
	if _, ok := rec.arrays[name]; !ok && a.Role == suite.RoleOut {
		name = a.Name
	}
	array, ok := rec.arrays[name]
	if !ok {
		return answer, false, nil
	}
	answer = oracles.Answer{Plain: true}
	if answer.Want, err = d.ofType(a, array, s); err != nil {
		return answer, true, fmt.Errorf("%s: %w", name, err)
	}
	formats := map[tensorfile.Type]oracles.Format{tensorfile.F32: oracles.F32, tensorfile.F16: oracles.F16,
		tensorfile.BF16: oracles.BF16}
	if _, float := a.Type.Format(); !float {
		err = unrounded(a.Type, answer.Want)
	} else if format, ok := formats[array.Type]; ok {
		answer.Stored = &format
	} else if t := array.Type; t == tensorfile.Raw16 {
		format, _ := a.Type.Format()
		answer.Stored = &format
	} else if t == tensorfile.E4M3 || t == tensorfile.E5M2 || t == tensorfile.E8M0 {
		err = fmt.Errorf("expected values in %s: save them as they were before that", t)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return answer, true, err
}

// ofType are the elements of an array for a buffer, each where it lies. Where the file does not say what the bits
// are, the argument does; and where the argument is integers of the size of small floats, it holds
// their bits.
func (d *draft) ofType(a suite.Arg, array tensorfile.Array, s suite.Shape) ([]float64, error) {
	own := fileTypes[a.Type.String()]
	_, float := a.Type.Format()
	switch array.Type {
	case tensorfile.Raw8, tensorfile.Raw16, tensorfile.Raw32:
		if array.Type.Size() == own.Size() {
			array.Type = own
		}
	case tensorfile.E4M3, tensorfile.E5M2, tensorfile.E8M0, tensorfile.F16, tensorfile.BF16:
		if !float && array.Type.Size() == own.Size() {
			array.Type = own
		}
	}
	l := *d.layouts[a.Name]
	want := l.shape(s)
	n := 1
	for _, d := range want {
		n *= d
	}
	if n != array.Len() || len(array.Shape) > 1 && !slices.Equal(array.Shape, want) {
		point := make([]string, len(d.axes))
		for i, axis := range d.axes {
			point[i] = fmt.Sprintf("%s=%d", axis, s[axis])
		}
		return nil, fmt.Errorf("shape %v, want %v at %s", array.Shape, want, strings.Join(point, "/"))
	}
	values, err := array.Values()
	if err != nil {
		return nil, err
	}
	l.of.format = nil // codes they are already
	return l.scatter(values, nil, s), nil
}
