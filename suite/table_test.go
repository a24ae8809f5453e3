package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

const gains = "constant float GAINS[2] = {2, 0.5f};\n"

// tabled is the product with a gain of the program under test.
func tabled() Kernel {
	k := only(product(), "normal")
	k.Tables = func(s Shape) []Table {
		return []Table{{Name: "GAINS", Count: 2, Note: func(x []float64) string { return fmt.Sprintf("%v for %d rows", x, s[rows]) }}}
	}
	k.Oracle = func(p *Problem) Answers {
		answers := productOracle(p)
		for i := range answers["y"].Want {
			gain := p.Table("GAINS")[0]
			answers["y"].Want[i] *= gain
			answers["y"].Budget[0].Error[i] *= gain
		}
		return answers
	}
	return k
}

func runTabled(gain float32) func(metalrun.Dispatch) error {
	return func(d metalrun.Dispatch) error {
		if err := runProduct(d); err != nil {
			return err
		}
		m := memory{d}
		for i := range m.count(argY) {
			m.set(argY, i, gain*m.f32(argY, i))
		}
		return nil
	}
}

func TestTables(t *testing.T) {
	for _, test := range []struct {
		name, source string
		gain         float32
		status       Status
		message      string
	}{
		{"as the program says", gains, 2, Pass, ""},
		{"in a namespace", "namespace a { constant float GAINS[2] = {4, 0}; }", 4, Pass, ""},
		{"with more dimensions", "constant float GAINS[1][2] = {{8, 0}};", 8, Pass, ""},
		{"not what the program says", gains, 4, Fail, "error"},
		{"missing", strings.Replace(gains, "GAINS", "LOSSES", 1), 3, Fail, "no constant GAINS at program scope, want float[2]"},
		{"part of a name", strings.Replace(gains, "GAINS", "MY_GAINS", 1), 3, Fail, "no constant GAINS at program scope, want float[2]"},
		{"too short", "\nconstant float GAINS[1] = {3};", 3, Fail, "product.metal:2:1: the constant GAINS is float[1], want float[2]"},
		{"of another type", "constant half GAINS[2] = {3, 1};", 3, Fail, "the constant GAINS is half[2], want float[2]"},
		{"twice", gains + "namespace a { constant float GAINS[2] = {4, 0}; }", 3, Fail, "GAINS is both GAINS at product.metal:1:1 and a::GAINS at product.metal:2:15"},
		{"in a program with an error", "constant float GAINS[2] = nothing;", 3, Error, "product.metal:1:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := OpenShaders(files(map[string]string{"product.metal": test.source + "\nkernel product"}), analyseNames)
			if err != nil {
				t.Fatal(err)
			}
			got := results(t, tabled(), runTabled(test.gain), Options{Shaders: s})
			for _, r := range got {
				if r.Status != test.status || !strings.Contains(r.Text(), test.message) {
					t.Errorf("got %s: %s, want %s: %s", r.Status, r.Text(), test.status, test.message)
				}
			}
		})
	}
}

func TestTableNotes(t *testing.T) {
	s, err := OpenShaders(files(map[string]string{"product.metal": gains + "\nkernel product"}), analyseNames)
	if err != nil {
		t.Fatal(err)
	}
	r := results(t, tabled(), runTabled(2), Options{Shaders: s})[0]
	if diff := cmp.Diff([]string{"GAINS: [2 0.5] for 3 rows"}, r.Notes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTableNotDeclared asks for a table that the specification does not list.
func TestTableNotDeclared(t *testing.T) {
	k := only(product(), "normal")
	k.Oracle = func(p *Problem) Answers { p.Table("GAINS"); return nil }
	r := results(t, k, runProduct, Options{})[0]
	if want := `product reads no table "GAINS"`; r.Status != Error || !strings.Contains(r.Text(), want) {
		t.Errorf("got %s: %s, want an error with %q", r.Status, r.Text(), want)
	}
}
