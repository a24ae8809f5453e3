package spec

import (
	"fmt"
	"regexp"

	"go.starlark.net/starlark"

	"metalconform/suite"
)

// maxHeld is the most numbers of a table that the program has.
const maxHeld = 1 << 20

// holding is what held returns: a table whose numbers only the program has.
type holding struct {
	starlark.Value // None
	of             suite.Held
}

// Type names it in messages.
func (holding) Type() string { return "numbers that the program holds" }

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// held is a table of the program's own numbers, known by the digest of their bytes.
func held(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	h, t := holding{Value: opaque}, dataType{}
	if err := starlark.UnpackArgs(name, args, kwargs, "type", &t, "count", &h.of.Count, "sha256", &h.of.SHA256); err !=
		nil {
		return nil, err
	}
	if h.of.Type = t.of; t.format != nil || t.of == suite.Bool || !t.float() && t.of.Bytes() > 4 {
		return nil,
			fmt.Errorf("held: %s: want f32, f16, bf16 or integers of up to 32 bits; longer ones can be read as u8",
				t.name)
	}
	if h.of.Count < 1 || h.of.Count > maxHeld {
		return nil, fmt.Errorf("held: %d numbers: want 1 to %d", h.of.Count, maxHeld)
	}
	if !digest.MatchString(h.of.SHA256) {
		return nil,
			fmt.Errorf("held: sha256 = %q: want 64 digits 0 to f; with others than the program's a run says which "+
				"those are", h.of.SHA256)
	}
	return h, nil
}

// readTables reads the constant data that the definition goes by and programs hold: a list of
// numbers by the name of the array, or what is known of the program's own.
func (d *draft) readTables(dict *starlark.Dict) error {
	if dict == nil {
		return nil
	}
	for _, item := range dict.Items() {
		name, ok := starlark.AsString(item[0])
		if !ok {
			return fmt.Errorf("tables: got %s, want the name of an array", item[0].Type())
		}
		if h, own := item[1].(holding); own {
			d.tables = append(d.tables, suite.Table{Name: name, Values: h.of.StandIn(), Held: &h.of})
			continue
		}
		t, err := fromValue(item[1])
		if err != nil || len(t.Shape()) != 1 {
			return fmt.Errorf("table %s: want a list of numbers, or held", name)
		}
		for i, x := range t.Data() {
			if float64(float32(x)) != x {
				return fmt.Errorf("table %s: number %d, %v, is no f32: write f32(…)", name, i, x)
			}
		}
		d.tables = append(d.tables, suite.Table{Name: name, Values: t.Data()})
	}
	return nil
}
