package config

import (
	"strings"
	"testing"
	"time"

	"metalconform/oracles"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// catalogueOfTwo has a kernel with two sums and a pipeline that launches it.
func catalogueOfTwo() []suite.Family {
	n := suite.Axis("n")
	sweep := suite.Sweep{Shapes: []suite.Shape{{n: 4}, {n: 5}}, Full: []suite.Shape{{n: 600}}}
	return []suite.Family{{Name: "sums", Kernels: []suite.Kernel{{
		Name: "sum_rows", Axes: []suite.Axis{n}, Sweep: sweep,
		Args: suite.Args{suite.In("x", suite.F32, n, n), suite.Out("out", suite.F32, n)},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{
			"row": oracles.Strided(256, 1), "tail": oracles.Sequential(),
		}},
		Tables: func(suite.Shape) []suite.Table { return []suite.Table{{Name: "GAINS", Values: []float64{1, 2}}} },
	}}, Pipelines: []suite.Pipeline{{Name: "twice", Axes: []suite.Axis{n}, Kernels: []string{"sum_rows"},
		Sweep: sweep}}}}
}

var today2026 = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// TestDeclarations reads a file with everything in it.
func TestDeclarations(t *testing.T) {
	const text = `# declared
require = ["sum_rows", 'tw.*']
[[contract]]
kernel = "sum_rows"
sums = { row = "64 lanes, then a tree" }
forms = { sigmoid = "tanh", division = "quotient", root = "sqrt" }
functions = "fast"
subnormals = "kept"
accumulators = "f16"
intermediates = "bf16"
reason = "halves"
expires = 2027-03-01

[[table]]
name = "GAINS"
constant = "mixer::gains"
kernel = "sum_.*"
reason = "louder"
expires = 2027-11-21

[[expect]]
case = "twice/.*"
stage = "stage 1, sum_rows"
check = "equal"
reason = """
not yet
"""
expires = 2027-11-21

[[waive]]
case = "sum_rows/n=4/input=normal"
output = "out"
element = [3]
factor = 2.5
reason = "one thread more"
expires = 2020-01-01

[[waive]]
case = ".*/n=600/.*"
skip = true
reason = "hangs"
expires = 2026-11-21

[[absent]]
kernel = "twice"
reason = "once is enough"
expires = 2027-01-01

[[exclude]]
file = "ui/.*"
reason = "textures"
expires = 2027-01-02
`
	d, err := Parse(nil, "k/conform.toml", []byte(text), today2026, suite.Listed(catalogueOfTwo()))
	if err != nil {
		t.Fatal(err)
	}
	entry := func(line int, reason string, year int, month time.Month, day int) suite.Entry {
		return suite.Entry{Position: suite.Position{File: "k/conform.toml", Line: line}, Reason: reason,
			Expires: time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
	}
	own := catalogueOfTwo()[0].Kernels[0].Contract
	want := &suite.Declarations{
		Contracts: []suite.DeclaredContract{{
			Entry: entry(3, "halves", 2027, 3, 1), Kernel: "sum_rows", Own: own,
			Contract: oracles.Contract{
				Functions: oracles.Fast, Subnormals: oracles.Kept, Accumulators: oracles.F16,
				Intermediates: oracles.BF16,
				Forms:         oracles.Forms{oracles.Division: oracles.Definition, oracles.Sigmoid: oracles.Either},
				Sums: map[string]oracles.Schedule{"row": {Lanes: 64, Block: 1, Tree: true},
					"tail": oracles.Sequential()},
			},
		}},
		Tables: []suite.DeclaredTable{{Entry: entry(14, "louder", 2027, 11, 21), Name: "GAINS",
			Constant: "mixer::gains"}},
		Expectations: []suite.Expectation{{Entry: entry(21, "not yet", 2027, 11, 21), Check: suite.CheckEqual}},
		Waivers: []suite.Waiver{
			{Entry: entry(30, "one thread more", 2020, 1, 1), Output: "out", Element: []int{3}, Factor: 2.5},
			{Entry: entry(38, "hangs", 2026, 11, 21), Skip: true},
		},
		Absences:   []suite.Absence{{Entry: entry(44, "once is enough", 2027, 1, 1)}},
		Exclusions: []suite.Exclusion{{Entry: entry(49, "textures", 2027, 1, 2)}},
		Required: []suite.Requirement{{Position: suite.Position{File: "k/conform.toml", Line: 2}},
			{Position: suite.Position{File: "k/conform.toml", Line: 2}}},
	}
	patterns := []string{d.Expectations[0].Cases.String(), d.Waivers[0].Cases.String(), d.Waivers[1].Cases.String()}
	if diff := cmp.Diff([]string{"^(?:twice/.*)$", "^(?:sum_rows/n=4/input=normal)$", "^(?:.*/n=600/.*)$"},
		patterns); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	named := []string{d.Absences[0].Kernels.Text, d.Exclusions[0].Files.Text, d.Required[0].Kernels.Text,
		d.Required[1].Kernels.Text}
	if diff := cmp.Diff([]string{"twice", "ui/.*", "sum_rows", "tw.*"}, named); diff != "" {
		t.Errorf("kernels and files (-want +got):\n%s", diff)
	}
	d.Absences[0].Kernels, d.Exclusions[0].Files, d.Required[0].Kernels, d.Required[1].Kernels = suite.Pattern{},
		suite.Pattern{}, suite.Pattern{}, suite.Pattern{}
	if got := d.Tables[0].Kernels.String(); got != "^(?:sum_.*)$" {
		t.Errorf("the table is that of %s", got)
	}
	d.Tables[0].Kernels = suite.Pattern{}
	if got := d.Expectations[0].Stage.String(); got != "^(?:stage 1, sum_rows)$" {
		t.Errorf("the stage is %s", got)
	}
	d.Expectations[0].Scope, d.Waivers[0].Scope, d.Waivers[1].Scope = suite.Scope{}, suite.Scope{}, suite.Scope{}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("declarations (-want +got):\n%s", diff)
	}
	if catalogueOfTwo()[0].Kernels[0].Contract.Sum("row") != own.Sum("row") {
		t.Error("the catalogue's own contract has changed")
	}
}

// Every mistake is a line that begins where it is.
func TestDeclarationMistakes(t *testing.T) {
	const (
		why   = "reason = 'it is so'\n"
		until = "expires = 2027-03-01\n"
		tail  = why + until
	)
	for _, test := range []struct {
		name, text string
		want       []string // how each line begins
	}{
		{"syntax", "[[waive]]\ncase = \n", []string{"f:2:8: "}},
		{"type", "[[waive]]\ncase = 'twice'\nfactor = 'much'\n",
			[]string{"f:3:10: cannot decode TOML string as factor"}},
		{"key twice", "[[waive]]\ncase = 'a'\ncase = 'b'\n", []string{"f:3:1: "}},
		{"key in another case", "[[waive]]\ncase = 'a'\nCase = 'b'\n[policy]\nFail = []\n[[Absent]]\n", []string{
			`f:6: unknown key "Absent": keys are in lower case`, `f:5: unknown key "Fail": keys are in lower case`,
			`f:3: unknown key "Case": keys are in lower case`}},
		{"key in another case, in a list", "absent = [{kernel = 'a',\nKERNEL = 'b'}]\n",
			[]string{`f:1: unknown key "KERNEL": keys are in lower case`}},
		{"unknown keys", "[[expect]]\ncases = 'a'\n\n[[waive]]\nfactors = 2\n", []string{
			`f:2:1: unknown key "cases": [[expect]] takes case, stage, check, reason, expires`,
			`f:5:1: unknown key "factors": [[waive]] takes case, stage, output, element, factor, skip, ` +
				`reason, expires`}},
		{"unknown table", "[[waiver]]\ncase = 'a'\n",
			[]string{`f:1:3: unknown key "waiver": a file has specifications, packs, math, strict, require and the ` +
				`tables [policy], [[contract]], [[table]], [[absent]], [[exclude]], [[compile]], [[expect]], ` +
				`[[waive]] and [[accuracies]]`}},
		{"a date in words", "[[expect]]\nexpires = 'soon'\n", []string{"f:2:11: dates are expected"}},

		{"no reason, no date", "[[expect]]\ncase = 'sum_rows/.*'\ncheck = 'bound'\nreason = ' '\n", []string{
			"f:1: no day on which it expires, such as expires = 2027-02-21", "f:4: no reason"}},
		{"too far ahead", "[[expect]]\ncase = 'sum_rows/.*'\ncheck = 'bound'\n" + why + "expires = 2027-11-22\n",
			[]string{
				"f:5: expires on 2027-11-22, more than a year ahead: 2027-11-21 at the latest"}},

		{"unknown kernel", "[[contract]]\n" + tail + "kernel = 'sum_row'\n",
			[]string{`f:4: no kernel is called "sum_row"; did you mean sum_rows?`}},
		{"nothing declared", "[[contract]]\nkernel = 'sum_rows'\n" + tail, []string{"f:2: declares nothing"}},
		{"twice", "[[contract]]\nkernel = 'sum_rows'\nfunctions = 'fast'\n" + tail +
			"[[contract]]\nkernel = 'sum_rows'\nsubnormals = 'kept'\n" + tail, []string{
			"f:7: sum_rows has a contract already"}},
		{"unknown sum", "[[contract]]\nkernel = 'sum_rows'\n" + tail + "sums = { rows = 'sequential' }\n", []string{
			`f:5: sum_rows: no sum "rows" whose order can be declared: it has row, tail`}},
		{"unknown sum in a table", "[[contract]]\nkernel = 'sum_rows'\n" + tail + "[contract.sums]\n" +
			"row = 'sequential'\nhead = 'sequential'\n", []string{
			`f:7: sum_rows: no sum "head"`}},
		{"unknown order", "[[contract]]\nkernel = 'sum_rows'\n" + tail + "sums.row = 'random'\n",
			[]string{`f:5: sum_rows: "random" is not an order of summation: want "any order", `}},
		{"unknown words", "[[contract]]\nkernel = 'sum_rows'\nfunctions = 'quick'\nsubnormals = 'lost'\n" + tail,
			[]string{
				`f:3: sum_rows: functions are precise or fast, not "quick"`,
				`f:4: sum_rows: subnormals are kept or flushed, not "lost"`}},

		{"unknown table of numbers", "[[table]]\nname = 'GAIN'\n" + tail,
			[]string{`f:2: no kernel has a table "GAIN": there is GAINS; did you mean GAINS?`}},
		{"no expression for kernels", "[[table]]\nname = 'GAINS'\nkernel = '('\n" + tail,
			[]string{"f:3: error parsing regexp: missing closing ): `(`"}},
		{"table of another kernel", "[[table]]\nname = 'GAINS'\nkernel = 'sum'\n" + tail, []string{
			`f:3: no kernel with a table GAINS has a name like "sum" (the whole of it has to match): it is in ` +
				`sum_rows`}},
		{"table twice", "[[table]]\nname = 'GAINS'\nkernel = 'sum_rows'\n" + tail + "[[table]]\nname = 'GAINS'\n" +
			tail, []string{
			"f:7: GAINS of sum_rows is declared already, at f:1"}},

		{"required in vain", "require = 'sum_row'\n",
			[]string{`f:1: no kernel or pipeline has a name like "sum_row" (the whole of it has to match); did you ` +
				`mean sum_rows?`}},
		{"one of several", "\nrequire = ['all', 'twic']\n",
			[]string{`f:2: no kernel or pipeline has a name like "twic"`}},
		{"required by number", "require = 1\n",
			[]string{"f:1: want a regular expression for names of kernels, or a list of them, and not 1"}},
		{"no expression for what is required", "require = ['(']\n", []string{"f:1: error parsing regexp"}},
		{"absent in vain", "[[absent]]\nkernel = 'sum'\n" + tail,
			[]string{`f:2: no kernel or pipeline has a name like "sum"`}},
		{"absent without a name", "[[absent]]\n" + tail, []string{`f:1: no kernel or pipeline has a name like ""`}},
		{"no file", "[[exclude]]\n" + tail, []string{"f:1: no file: give its name in the directory"}},
		{"no expression for files", "[[exclude]]\nfile = '['\n" + tail, []string{"f:2: error parsing regexp"}},
		{"misspelt", "[[exclude]]\nfiles = 'a'\n" + tail,
			[]string{`f:2:1: unknown key "files": [[exclude]] takes file, reason, expires`}},

		{"no case", "[[expect]]\ncheck = 'bound'\n" + tail, []string{"f:1: no case: "}},
		{"no expression", "[[expect]]\ncase = 'a('\ncheck = 'bound'\n" + tail,
			[]string{"f:2: error parsing regexp: missing closing ): `a(`"}},
		{"no such case", "[[expect]]\ncase = 'sum_rows/n=6/input=normal'\ncheck = 'bound'\n" + tail, []string{
			`f:2: no case of either sweep has a name like "sum_rows/n=6/input=normal" (the whole of it has to ` +
				`match); did you mean sum_rows/n=4/input=normal or `}},
		{"no check", "[[expect]]\ncase = 'sum_rows/.*'\n" + tail,
			[]string{`f:1: no check is called "": want one of bound statistical exact `}},

		{"neither factor nor skip", "[[waive]]\ncase = 'sum_rows/.*'\n" + tail,
			[]string{"f:1: want either factor, how often the bound an error may be, or skip = true"}},
		{"both", "[[waive]]\ncase = 'sum_rows/.*'\nfactor = 2\nskip = true\n" + tail, []string{"f:3: want either"}},
		{"no more than the bound", "[[waive]]\ncase = 'sum_rows/.*'\nfactor = 1\n" + tail,
			[]string{"f:3: a factor of 1 waives nothing"}},
		{"without end", "[[waive]]\ncase = 'sum_rows/.*'\nfactor = inf\n" + tail,
			[]string{"f:3: a factor of +Inf waives nothing, or everything"}},
		{"stage of kernels", "[[waive]]\ncase = 'sum_rows/.*'\nstage = 'end to end'\nfactor = 2\n" + tail, []string{
			"f:3: stages are those of pipelines, and no case with such a name is one"}},
		{"no expression for a stage", "[[expect]]\ncase = 'twice/.*'\nstage = 'a)'\ncheck = 'bound'\n" + tail,
			[]string{"f:3: error parsing regexp: unexpected ): `a)`"}},
		{"element of what in a pipeline", "[[waive]]\ncase = 'twice/.*'\nelement = [1]\nfactor = 2\n" + tail,
			[]string{"f:3: an element of which output?"}},
		{"skip of a stage", "[[waive]]\ncase = 'twice/.*'\nstage = 'stage 1, .*'\nskip = true\n" + tail,
			[]string{"f:4: skip leaves out the whole case"}},
		{"unknown output", "[[waive]]\ncase = 'sum_rows/.*'\noutput = 'x'\nfactor = 2\n" + tail,
			[]string{`f:3: no output is called "x": there is out`}},
		{"element of what", "[[waive]]\ncase = 'sum_rows/.*'\nelement = [1]\nfactor = 2\n" + tail,
			[]string{"f:3: an element of which output?"}},
		{"indices", "[[waive]]\ncase = 'sum_rows/.*'\noutput = 'out'\nelement = [1, 2]\nfactor = 2\n" + tail,
			[]string{"f:4: out has 1 indices, not 2"}},
		{"skip of an output", "[[waive]]\ncase = 'sum_rows/.*'\noutput = 'out'\nskip = true\n" + tail,
			[]string{"f:4: skip leaves out the whole case"}},

		{"the second of two", "[[waive]]\ncase = 'sum_rows/.*'\nfactor = 2\n" + tail +
			"[[waive]]\ncase = 'sum_rows/.*'\nfactor = 0.5\n" + tail, []string{"f:8: a factor of 0.5"}},
	} {
		d, err := Parse(nil, "f", []byte(test.text), today2026, suite.Listed(catalogueOfTwo()))
		if err == nil {
			t.Errorf("%s: %+v, want an error", test.name, d)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		ok := len(lines) == len(test.want)
		for i := range min(len(lines), len(test.want)) {
			ok = ok && strings.HasPrefix(lines[i], test.want[i])
		}
		if !ok {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, err, strings.Join(test.want, "\n"))
		}
	}
}

func TestLinesOf(t *testing.T) {
	got := linesOf([]byte("# one\n[[a]]\nb = 1\n'c d' = { e = 1, f.g = '''\n[[a]]\n''' }\n\n[[a]]\n[a.h]\ni.j = 2\n"))
	want := lines{
		"a[0]": 2, "a[0].b": 3, "a[0].c d": 4, "a[0].c d.e": 4, "a[0].c d.f.g": 4, "a[1]": 8, "a[1].h": 9,
		"a[1].h.i.j": 10,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestDay(t *testing.T) {
	var d Date
	before := time.Now()
	if got := d.Midnight(); got.After(before.AddDate(0, 0, 1)) || got.Before(before.AddDate(0, 0, -2)) {
		t.Errorf("today is %v", got)
	}
	if err := d.Set("2027-02-29"); err == nil {
		t.Error("2027 is no leap year")
	}
	if err := d.Set("2028-02-29"); err != nil || d.String() != "2028-02-29" ||
		!d.Midnight().Equal(time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%v, %v", d, err)
	}
}
