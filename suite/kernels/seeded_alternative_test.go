package kernels

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/rogpeppe/go-internal/txtar"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// alternative is an archive of fixtures.Alternatives, which says what its fields are.
type alternative struct {
	archive
	form     string
	declared []oracles.Setting
	rejected string
}

// alternatives are all of them, in the order of their names.
func alternatives(t testing.TB) []alternative {
	t.Helper()
	var all []alternative
	readArchives(t, fixtures.Alternatives, "alternatives", func(name string, from *txtar.Archive) error {
		a := alternative{archive: archive{name: name}}
		defer func() { all = append(all, a) }()
		return a.parse(from)
	})
	return all
}

func (a *alternative) parse(from *txtar.Archive) error {
	if err := a.archive.parse(from, a.set); err != nil {
		return err
	}
	if a.form == "" || a.kernel == "" {
		return errors.New("want form and kernel")
	}
	return nil
}

func (a *alternative) set(key, value string) error {
	switch key {
	case "form":
		return once(&a.form, value)
	case "kernel":
		return once(&a.kernel, value)
	case "rejected":
		return once(&a.rejected, value)
	case "declare":
		settings, err := declaredSettings(value)
		a.declared = append(a.declared, settings...)
		return err
	}
	return errors.New("no such key")
}

// declaredSettings reads a line of a contract, such as sums = { experts = "any" }.
func declaredSettings(line string) ([]oracles.Setting, error) {
	var table map[string]any
	if err := toml.Unmarshal([]byte(line), &table); err != nil {
		return nil, err
	}
	var list []oracles.Setting
	for _, key := range slices.Sorted(maps.Keys(table)) {
		switch value := table[key].(type) {
		case string:
			list = append(list, oracles.Setting{Key: key, Value: value})
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				list = append(list, oracles.Setting{Key: key, Name: name, Value: fmt.Sprint(value[name])})
			}
		default:
			return nil, fmt.Errorf("%s is neither a text nor a table", key)
		}
	}
	return list, nil
}

// cases are those of the kernel that a test wants, under the declared contract.
func (a *alternative) cases(t testing.TB, wanted func(suite.Case) bool) []suite.Case {
	t.Helper()
	cases := kernelCases(a.kernel, wanted)
	if len(cases) == 0 {
		t.Fatalf("%s: no case of %s", a.name, a.kernel)
	}
	kernel := *cases[0].Kernel
	for _, setting := range a.declared {
		contract, err := kernel.Contract.With(setting)
		if err != nil {
			t.Fatalf("%s: declare: %s: %v", a.name, setting, err)
		}
		kernel.Contract = contract
	}
	for i := range cases {
		cases[i].Kernel = &kernel
	}
	return cases
}

// kernelCases are the cases of a kernel that are launched and that a test wants, those
// that do least first.
func kernelCases(kernel string, wanted func(suite.Case) bool) []suite.Case {
	cases := casesWhere(func(c suite.Case) bool {
		return c.Pipeline == nil && c.Kernel.Name == kernel && launched(c) && wanted(c)
	})
	slices.SortStableFunc(cases, func(a, b suite.Case) int { return operations(a) - operations(b) })
	return cases
}

// TestAlternatives judges correct kernels that are written otherwise than ours, each in
// many families of inputs: they conform, with what they declare. It takes one of each
// form, and with -archives those that match. BenchmarkArchives tries all cases, those of
// alternatives that are rejected, too.
func TestAlternatives(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSeededFaults reads archives, too")
	}
	run := newSeededRun(t)
	for _, a := range firstOfKind(alternatives(t), func(a alternative) string { return a.form }) {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			if a.rejected != "" {
				t.Skip("the quick sweep rejects it: " + a.rejected)
			}
			s, _ := a.open(t)
			for _, r := range run.results(t, s, suite.WithConstants(a.cases(t, sampled(a.kernel)), s, nil)...) {
				if r.Status != suite.Pass {
					t.Errorf("%s: %s", r.Case, r.Text())
				}
			}
		})
	}
}

// sampled wants a case of each family of inputs, the one that does least, until they
// have done enough.
func sampled(kernel string) func(suite.Case) bool {
	least := map[string]string{} // case by family
	done := 0
	for _, c := range kernelCases(kernel, isProbe) {
		if least[c.Input.Name] == "" && (len(least) < 3 || done < few/4) {
			least[c.Input.Name] = c.Name
			done += operations(c)
		}
	}
	return func(c suite.Case) bool { return least[c.Input.Name] == c.Name }
}

// TestDeclaredSettings reads lines of a contract.
func TestDeclaredSettings(t *testing.T) {
	tests := []struct {
		line string
		want []oracles.Setting
	}{
		{`functions = "fast"`, []oracles.Setting{{Key: "functions", Value: "fast"}}},
		{`sums = { b = "any", a = "sequential" }`, []oracles.Setting{{Key: "sums", Name: "a", Value: "sequential"},
			{Key: "sums", Name: "b", Value: "any"}}},
		{`sums = 3`, nil},
		{`functions fast`, nil},
	}
	for _, test := range tests {
		got, err := declaredSettings(test.line)
		if !slices.Equal(got, test.want) || (err == nil) != (test.want != nil) {
			t.Errorf("%s: got %v, %v, want %v", test.line, got, err, test.want)
		}
	}
}
