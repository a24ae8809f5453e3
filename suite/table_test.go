package suite

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
)

// tabled is the product with the first gain of a table, which the catalogue has as 2, ½.
func tabled() Kernel {
	k := only(product(), "normal")
	k.Tables = func(Shape) []Table {
		return []Table{{Name: "GAINS", Values: []float64{2, 0.5}, Appraise: func(x []float64) (string, []string) {
			if x[1] == 0.5 {
				return fmt.Sprintf("%v", x), nil
			}
			return fmt.Sprintf("%v", x), []string{"the second is not ½"}
		}}}
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
		m := runnertest.Memory{Dispatch: d}
		for i := range m.Count(argY) {
			m.Set(argY, i, gain*m.F32(argY, i))
		}
		return nil
	}
}

// declaredGains are the gains of a program under another name.
func declaredGains(constant, kernels string) *Declarations {
	p, err := NewPattern(kernels)
	if err != nil {
		panic(err)
	}
	return &Declarations{Tables: []DeclaredTable{{Entry: Entry{Position: Position{"conform.toml", 3}, Reason: "louder"},
		Name: "GAINS", Constant: constant, Kernels: p}}}
}

func tabledShaders(t *testing.T, source string) *Shaders {
	t.Helper()
	s, err := OpenShaders(files(map[string]string{"product.metal": source + "\nkernel product"}), analyseNames)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A program that holds other numbers than the catalogue does not conform, whether they
// show in values or not. What is declared is taken from the program.
func TestTables(t *testing.T) {
	const ours = "constant float GAINS[2] = {2, 0.5f};"
	for _, test := range []struct {
		name, source string
		declared     *Declarations
		gain         float32 // that the kernel goes by
		status       Status
		message      string
	}{
		{"the catalogue's", ours, nil, 2, Pass, ""},
		{"in a namespace", "namespace a { " + ours + " }", nil, 2, Pass, ""},
		{"with more dimensions", "constant float GAINS[1][2] = {{2, 0.5f}};", nil, 2, Pass, ""},
		{"in half", "constant half GAINS[2] = {2, 0.5h};", nil, 2, Pass, ""},
		{"under another name", "constant float G[2] = {2, 0.5f};", nil, 2, Pass, ""},
		{"not as an array", "", nil, 2, Pass, ""},
		{"of another length", "constant float GAINS[1] = {3};", nil, 2, Pass, ""},
		{"of indices", "constant int GAINS[2] = {3, 4};", nil, 2, Pass, ""},
		{"another array of that name", "namespace a { constant float GAINS[2] = {3, 4}; }\n" + ours, nil, 2, Pass, ""},

		{"not what the kernel does", ours, nil, 4, Fail, "off by far"},
		{"a level that is used", "constant float GAINS[2] = {3, 0.5f};", nil, 3, Fail,
			"product.metal:1:1: GAINS[0] = 3, want 2; 1 of 2 elements differs"},
		{"a level that is not", "\nconstant float GAINS[2] = {2, -0.5f};", nil, 2, Fail,
			"product.metal:2:1: GAINS[1] = -0.5, want 0.5; 1 of 2 elements differs"},
		{"swapped", "constant float GAINS[2] = {0.5f, 2};", nil, 0.5, Fail,
			"GAINS[0] = 0.5, want 2; 2 of 2 elements differ"},
		{"in the last digit", "constant float GAINS[2] = {2, 0.50000006f};", nil, 2, Fail,
			"GAINS[1] = 0.50000006, want 0.5"},
		{"a name that ends alike", "constant float MY_GAINS[2] = {3, 0.5f};", nil, 3, Fail, "y[0, 0] = "},
		{"other numbers under another name", "constant float G[2] = {3, 0.5f};", nil, 3, Fail, "y[0, 0] = "},
		{"declared for others", "constant float G[2] = {3, 0.5f};", declaredGains("G", "quotient"), 3, Fail,
			"y[0, 0] = "},
		{"in a program with an error", "constant float GAINS[2] = nothing;", nil, 3, Skip,
			"product.metal does not compile: product.metal:1:"},

		{"declared", "constant float G[2] = {4, 0.5f};", declaredGains("G", "product"), 4, Pass, ""},
		{"declared with its namespace", "namespace a { constant float G[2] = {3, 1}; }\n" +
			"namespace b { constant float G[2] = {4, 1}; }", declaredGains("b::G", ".*"), 4, Pass, ""},
		{"declared in half", "constant half G[2] = {4, 0.1h};", declaredGains("G", ".*"), 4, Pass, ""},
		{"declared, and not what the kernel does", "constant float G[2] = {3, 0.5f};", declaredGains("G", ".*"), 2,
			Fail, "off by far"},
		{"declared and missing", "constant float H[2] = {3, 0.5f};", declaredGains("G", ".*"), 3, Fail,
			"product.metal:2:1: GAINS is declared to be G (conform.toml:3, until 0001-01-01: louder): no constant G " +
				"at program scope, want float[2]"},
		{"declared and twice", "constant float G[2] = {3, 1};\nnamespace a { constant float G[2] = {4, 0}; }",
			declaredGains("G", ".*"), 3, Fail,
			"it is both G at product.metal:1:1 and a::G at product.metal:2:15: declare one of them with its " +
				"namespaces"},
		{"declared and too short", "constant float G[1] = {3};", declaredGains("G", ".*"), 3, Fail,
			"product.metal:1:1: the constant G is float[1], want float[2]"},
		{"declared and of integers", "constant int G[2] = {3, 1};", declaredGains("G", ".*"), 3, Fail,
			"the constant G is int[2], want float[2]"},
		{"declared and no number", "constant float G[2] = {3, INFINITY};", declaredGains("G", ".*"), 3, Fail,
			"product.metal:1:1: G[1] is +Inf"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, r := range results(t, tabled(), runTabled(test.gain),
				Options{Shaders: tabledShaders(t, test.source), Declared: test.declared}) {
				if r.Status != test.status || !strings.Contains(r.Text(), test.message) {
					t.Errorf("got %s: %s, want %s: %s", r.Status, r.Text(), test.status, test.message)
				}
			}
		})
	}
}

// A table that only the program holds is read from it, and is known by its digest unless it is declared.
func TestHeld(t *testing.T) {
	const (
		zeros = "0000000000000000000000000000000000000000000000000000000000000000"
		sound = "7d2731ecf5c36c1e13fe7525b34a21ce9e0b7fc8e643949c238ddd4bbfbcb85b" // of 2 and 0.5
	)
	for _, test := range []struct {
		name, source, digest string
		declared             *Declarations
		gain                 float32
		status               Status
		message              string
	}{
		{"the published one", "constant float GAINS[2] = {2, 0.5f};", sound, nil, 2, Pass, ""},
		{"in another form", "constant uint GAINS[2] = {0x40000000, 0x3f000000};", sound, nil, 2, Pass, ""},
		{"not what the kernel does", "constant float GAINS[2] = {2, 0.5f};", sound, nil, 3, Fail, "y[0, 0] = "},
		{"another", "constant float GAINS[2] = {3, 0.5f};", sound, nil, 3, Fail,
			"product.metal:1:1: the bytes of GAINS have the SHA-256 "},
		{"the digest that there is", "constant float GAINS[2] = {2, 0.5f};", zeros, nil, 2, Fail,
			"SHA-256 " + sound + ", want " + zeros},
		{"none", "", sound, nil, 2, Fail,
			"no constant GAINS at program scope, want 8 bytes that the definition goes by"},
		{"too short", "constant float GAINS[1] = {2};", sound, nil, 2, Fail,
			"product.metal:1:1: the constant GAINS has 4 bytes, want 2 f32"},
		{"another that is declared", "constant float G[2] = {4, 0.5f};", sound, declaredGains("G", ".*"), 4, Pass, ""},
		{"another that is declared, and no number", "constant float G[2] = {3, INFINITY};", sound,
			declaredGains("G", ".*"), 3, Fail, "product.metal:1:1: G[1] is +Inf"},
	} {
		k := tabled()
		k.Tables = func(Shape) []Table {
			h := Held{Type: F32, Count: 2, SHA256: test.digest}
			return []Table{{Name: "GAINS", Values: h.StandIn(), Held: &h}}
		}
		for _, r := range results(t, k, runTabled(test.gain),
			Options{Shaders: tabledShaders(t, test.source), Declared: test.declared}) {
			if r.Status != test.status || !strings.Contains(r.Text(), test.message) {
				t.Errorf("%s: got %s: %s, want %s: %s", test.name, r.Status, r.Text(), test.status, test.message)
			}
		}
	}
}

// What declared numbers are worth stands in the result, and an entry that changes
// nothing is not needed.
func TestDeclaredTables(t *testing.T) {
	for _, test := range []struct {
		source          string
		notes, warnings []string
		unneeded        []string
	}{
		{"constant float GAINS[2] = {2, 0.5f};", nil, nil,
			[]string{"conform.toml:3: no longer needed: the program holds the numbers that the catalogue has " +
				"for GAINS"}},
		{"constant float G[2] = {2, 0.5f};", nil, nil,
			[]string{"conform.toml:3: no longer needed: the program holds the numbers that the catalogue has " +
				"for GAINS"}},
		{"constant float GAINS[2] = {4, 0.5f};", []string{"GAINS: [4 0.5] (conform.toml:3, until 0001-01-01: louder)"},
			nil, nil},
		{"constant float G[2] = {4, 1};", []string{"G as GAINS: [4 1] (conform.toml:3, until 0001-01-01: louder)"},
			[]string{"G as GAINS: the second is not ½ (conform.toml:3)"}, nil},
	} {
		name := "GAINS"
		if strings.Contains(test.source, "G[") {
			name = "G"
		}
		d, k, gain := declaredGains(name, ".*"), tabled(), float32(4)
		if test.notes == nil {
			gain = 2
		}
		got := results(t, k, runTabled(gain), Options{Shaders: tabledShaders(t, test.source), Declared: d})
		for _, r := range got {
			if r.Status != Pass || !cmp.Equal(test.notes, r.Notes) || !cmp.Equal(test.warnings, r.Warnings) {
				t.Errorf("%s: %s, notes %q, warnings %q, want %q and %q", test.source, r.Text(), r.Notes, r.Warnings,
					test.notes, test.warnings)
			}
		}
		if diff := cmp.Diff(test.unneeded,
			sentences(d.Unneeded(Listed([]Family{{Name: "test", Kernels: []Kernel{k}}}), got))); diff != "" {
			t.Errorf("%s: unneeded (-want +got):\n%s", test.source, diff)
		}
	}
}

// A failure that declaring a table of the program would cure prints the declaration.
func TestTableRemedies(t *testing.T) {
	for _, test := range []struct {
		source string
		gain   float32
		want   string
	}{
		{"constant float GAINS[2] = {4, 0.5f};", 4, `product.metal:1:1: GAINS[0] = 4, want 2; 1 of 2 elements differs
	if the program is meant to use these numbers, declare it in conform.toml; if they are something else, give them another name
		[[table]]
		name = "GAINS"
		reason = "say why"
		expires = 2027-06-01`},
		{"constant float F[2] = {1, 4};\nnamespace a { constant half G[2] = {4, 0.5h}; }", 4, ` of the bound
		[[table]]
		name = "GAINS"
		constant = "a::G"
		reason = "say why"
		expires = 2027-06-01`},
		{"constant float F[2] = {1, 4};", 4, "no declaration explains it"},
	} {
		opts := Options{Shaders: tabledShaders(t, test.source), Today: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)}
		if got := results(t, tabled(), runTabled(test.gain), opts)[0].Text(); !strings.HasSuffix(got, test.want) {
			t.Errorf("%s: %s\nwant %s", test.source, got, test.want)
		}
	}
}

// TestTableNotDeclared asks for a table that the specification does not list.
func TestTableNotDeclared(t *testing.T) {
	k := only(product(), "normal")
	k.Oracle = func(p *Problem) Answers { p.Table("GAINS"); return nil }
	r := results(t, k, runProduct, Options{})[0]
	if want := `product has no table "GAINS"`; r.Status != Error || !strings.Contains(r.Text(), want) {
		t.Errorf("got %s: %s, want an error with %q", r.Status, r.Text(), want)
	}
}
