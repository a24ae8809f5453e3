package spec

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/suite"
)

// launchSequence makes the launches of a run: those that the file's function of axes lists, or
// one, with outputs over inputs where that is asked for. nil is one launch with nothing special.
func (d *draft) launchSequence(args suite.Args) (func(suite.Shape) []suite.Launch, error) {
	over := d.overlays()
	if d.launches == nil && len(over) == 0 {
		return nil, nil
	}
	var listed expression
	if d.launches != nil {
		var err error
		if listed, err = newExpression(d.at+": launches", d.launches, d.axes); err != nil {
			return nil, err
		}
	}
	sequence := func(s suite.Shape) ([]suite.Launch, error) {
		if d.launches == nil {
			return []suite.Launch{{}}, nil
		}
		v, err := listed.evaluate(s)
		if err != nil {
			return nil, err
		}
		var all []suite.Launch
		for _, item := range list(v) {
			l, err := d.launch(args, item)
			if err != nil {
				return nil, fmt.Errorf("%s: launches: %w", d.at, err)
			}
			all = append(all, l)
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%s: launches: none", d.at)
		}
		return all, nil
	}
	if _, err := sequence(d.base); err != nil {
		return nil, err
	}
	return func(s suite.Shape) []suite.Launch {
		all, err := sequence(s)
		if err != nil {
			panic(suite.Mistake(err.Error()))
		}
		for i := range all {
			for output, input := range over {
				if s[inPlace] == 1 {
					if all[i].Buffers == nil {
						all[i].Buffers = map[string]string{}
					}
					all[i].Buffers[output] = input
				}
			}
		}
		return all
	}, nil
}

// launch is one of a sequence: a dictionary with what is special about it.
func (d *draft) launch(args suite.Args, v starlark.Value) (suite.Launch, error) {
	l := suite.Launch{Shape: suite.Shape{}, Set: map[string]float64{}, Windows: map[string]suite.Range{},
		Buffers: map[string]string{}}
	dict, ok := v.(*starlark.Dict)
	if !ok {
		return l, fmt.Errorf("got %s, want a dictionary with axes, set, windows and buffers", v.Type())
	}
	buffer := func(name string) error {
		if a, ok := args.Find(name); !ok || !a.Buffer() {
			return fmt.Errorf("no buffer is called %q", name)
		}
		return nil
	}
	parts := map[string]func(key string, v starlark.Value) error{
		"axes": func(key string, v starlark.Value) error {
			n, err := starlark.AsInt32(v)
			if !slices.Contains(d.axes, suite.Axis(key)) {
				return fmt.Errorf("%q is not an axis: there are %s", key, listed(d.axes))
			}
			l.Shape[suite.Axis(key)] = n
			return err
		},
		"set": func(key string, v starlark.Value) error {
			x, ok := starlark.AsFloat(v)
			if !ok || !d.isScalar(args, key) {
				return fmt.Errorf("%q: want a scalar and a number", key)
			}
			l.Set[key] = x
			return nil
		},
		"windows": func(key string, v starlark.Value) error {
			var ends lengths
			if err := ends.Unpack(v); err != nil || len(ends) != 2 || ends[0] < 0 || ends[1] < ends[0] {
				return fmt.Errorf("window of %s: want its first element, and that behind its last", key)
			}
			l.Windows[key] = suite.Range{First: ends[0], End: ends[1]}
			return buffer(key)
		},
		"buffers": func(key string, v starlark.Value) error {
			other, _ := starlark.AsString(v)
			if err := buffer(other); err != nil {
				return err
			}
			l.Buffers[key] = other
			return buffer(key)
		},
	}
	for _, item := range dict.Items() {
		name, _ := starlark.AsString(item[0])
		inner, ok := item[1].(*starlark.Dict)
		if parts[name] == nil || !ok {
			return l, fmt.Errorf("%s: want dictionaries called axes, set, windows and buffers", item[0])
		}
		for _, entry := range inner.Items() {
			key, _ := starlark.AsString(entry[0])
			if err := parts[name](key, entry[1]); err != nil {
				return l, err
			}
		}
	}
	return l, nil
}

// isScalar reports whether there is a scalar of that name.
func (d *draft) isScalar(args suite.Args, name string) bool {
	return slices.ContainsFunc(args, func(a suite.Arg) bool {
		return a.Role == suite.RoleConst && a.Name == name ||
			slices.ContainsFunc(a.Fields, func(f suite.Field) bool { return f.Name == name })
	})
}
