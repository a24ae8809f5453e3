package spec

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"metalconform/suite"
)

const simple = `kernel(name = "k", args = [input("x", f32, "n"), output("y", f32, "n")],
    threads = "n", threads_per_threadgroup = 32, base = {"n": 4}, oracle = lambda x: x)
`

func ofText(text string) fstest.MapFS {
	return fstest.MapFS{"f.star": {Data: []byte(text)},
		"lib.star": {Data: []byte("def double(x):\n    return x * 2\n")}}
}

func read(text string) (suite.Family, error) { return new(Limits).Read(ofText(text), "f.star") }

// TestRead reads everything that a file can say of a kernel.
func TestRead(t *testing.T) {
	f, err := read(`load("lib.star", "double")
kernel(
    name = "all", doc = "All there is.",
    args = [
        input("x", f16, "rows", lambda n: n + 1), inout("state", f32, 3), output("y", bf16, "rows"), input("i", u32, "n", fill = below("rows")),
        struct("p", scalar("n", u32, "n"), scalar("eps", f32, 1e-6)), scalar("half", f32, "n / 2"),
    ],
    threadgroups = ["ceil_div(n, 4)", "rows"], threads_per_threadgroup = [32, 2], threadgroup_memory = "4 * n",
    base = {"rows": 2, "n": 8}, vary = {"n": [1, 9]}, cross = {"rows": [1, 3], "n": [5, 6]}, shapes = [{"n": 77}], full = {"rows": 99},
    refused = [{"n": 0}], check = lambda n: "n is 0" if n == 0 else None, work = "n * rows",
    inputs = [standard("x", finite = True), family("far", {"x": scaled(normal, 100)}, random = True)],
    oracle = lambda x, state, i, n, eps, rows: {"state": double(state), "y": sum(x, axis = 1) * eps + n},
)`)
	if err != nil {
		t.Fatal(err)
	}
	k := f.Kernels[0]
	s := suite.Shape{"rows": 2, "n": 8}
	var sizes []int
	for _, a := range k.Args {
		if a.Buffer() {
			sizes = append(sizes, a.Count(s))
		}
	}
	got := []any{f.Name, k.Name, k.Doc, k.Axes, sizes, k.Args[4].Fields[1].Name, k.Args[5].Value.Value(s),
		k.Grid.Threadgroups[0].Size(s), k.Grid.Of[1].Size(s), k.ThreadgroupMemory[0].Size(s), k.Work.Operations.Size(s),
		k.Check(suite.Shape{"rows": 1, "n": 0}).Error(), k.Check(s)}
	want := []any{"f", "all", "All there is.", []suite.Axis{"rows", "n"}, []int{18, 3, 2, 8}, "eps", 4.0, 2, 2, 32, 16,
		"n is 0", nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kernel (-want +got):\n%s", diff)
	}
	var names []string
	for _, c := range suite.Cases([]suite.Family{f}, suite.Full) {
		names = append(names, strings.TrimPrefix(c.Name, "all/"))
	}
	for _, want := range []string{"rows=2/n=8/input=cancelling", "rows=2/n=8/input=far", "rows=2/n=9/input=normal",
		"rows=3/n=6/input=normal",
		"rows=2/n=77/input=normal", "rows=99/n=8/input=normal", "rows=2/n=0/input=refused"} {
		if !strings.Contains(strings.Join(names, "\n")+"\n", want+"\n") {
			t.Errorf("no case %s in\n%s", want, strings.Join(names, "\n"))
		}
	}
	if strings.Contains(strings.Join(names, "\n"), "nan_x") {
		t.Error("standard(finite = True) has numbers that are not")
	}
}

// Every mistake is a line that begins where it is.
func TestMistakes(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(simple, old, new, 1) }
	for _, test := range []struct{ text, want string }{
		{"", "f.star: no kernel is specified"},
		{"kernel(", "f.star:1:8: got end of file"},
		{"x = y", "f.star:1:5: undefined: y"},
		{simple + simple, "f.star:3:7: kernel k is specified twice"},
		{`load("f.star", "x")`, "f.star loads itself"},
		{`load("../f.star", "x")`,
			"f.star:1:1: cannot load ../f.star: a file loads what lies in the directory of the specification " +
				"and below"},
		{`load("none.star", "x")`, "none.star"},
		{"[0] * (1 << 40)", "f.star:1:5"},
		{`fail("a\n::error::\x1b[31m")`, `f.star:1:5: fail: a\n::error::\x1b[31m`},
		{"while True: pass", "more than 8388608 steps"},
		{change("lambda x: x", "lambda z: z"),
			"f.star:2:83: the oracle's parameter z is neither an input, nor a scalar, nor an axis (n)"},
		{change("lambda x: x", "lambda x, n: x"), ""},
		{change("output", `scalar("n", u32, "n"), output`), ""},
		{change("output", `scalar("n", u32, "2 * n"), output`), ""},
		{strings.Replace(change("output", `scalar("n", u32, "n"), output`), "lambda x: x", "lambda x, n: x", 1), ""},
		{strings.Replace(change("output", `scalar("n", u32, "2 * n"), output`), "lambda x: x", "lambda x, n: x", 1),
			"f.star:2:86: the oracle's parameter n is a scalar of value 2 * n and an axis: call one of them otherwise"},
		{strings.Replace(change("output", `struct("p", scalar("n", i32, 4)), output`), "lambda x: x", "lambda n, x: x",
			1), "n is a scalar of value 4 and an axis"},
		{strings.Replace(change("output", `input("n", i32, "n"), output`), "lambda x: x", "lambda x, n: x", 1), ""},
		{change(`"n"), output`, `"m"), output`), `extent 0 of x: "m": undefined: m (axes are n)`},
		{change(`"n"), output`, `lambda m: m), output`), `"m" is not an axis: there are n`},
		{change(`f32, "n"), output`, `f64, "n"), output`),
			"undefined: f64 (here: tensors of a definition have float64 without saying so)"},
		{change("lambda x: x", "lambda x: np.exp(x)"), "undefined: np (here: write exp, not np.exp)"},
		{change(`f32, "n"), output`, `"f64", "n"), output`), "want one of [f32 bf16 f16 u8 u16 u32 u64 i8"},
		{change("threads = ", "threadgroups = 1, threads = "), "either threadgroups or threads"},
		{change(`, threads_per_threadgroup = 32`, ""), "want threads_per_threadgroup"},
		{change("output", "input"), "no output and no inout: there is nothing to judge"},
		{change(`output("y"`, `output("x"`), "two arguments are called x"},
		{change(`base = {`, `vary = {`), `f.star:1:7: kernel k: want base = {"axis": extent, …}`},
		{change("base", `vary = {"m": [1]}, base`), `"m" is not an axis: base has n`},
		{change("base", `vary = {"n": list(range(1, 20000))}, base`), "more than 16384 points"},
		{change("base", `cross = {"n": [1] * 10000, "n ": []}, base`), `"n " is not an axis`},
		{change("base", `cross = {"n": list(range(1, 20000))}, base`), "more than 16384 points"},
		{change("base", `shapes = [{"n": 1}] * 20000, base`), "more than 16384 points are given one by one"},
		{change(`base = {`, `base = {"a%d" % i: 1 for i in range(5000)} | {`),
			"base has 5001 axes, and 64 are the most"},
		{change("base", `refused = [{"m": 1}], base`), `"m" is not an axis: base has n`},
		{change("base", `limits = {"m": 1 << 20}, base`), `limits: "m" is not an axis: base has n`},
		{change("base", `limits = {"n": 1 << 40}, base`), `limits: axis n: got 1099511627776, want a number from`},
		{change("base", `inputs = [standard("z")], base`), `no floating-point input is called "z": there are x`},
		{change("base", `inputs = [family("a", {"z": normal})], base`), `family a: no input is called "z"`},
		{change("base", `inputs = [standard(), family("wide")], base`), "two families are called wide"},
		{change("base", `inputs = [1], base`), "inputs[0] is int, want standard or family"},
		{change("base", `tables = {"T": held(u64, 2, sha256 = "0" * 64)}, base`),
			"held: u64: want f32, f16, bf16 or integers of up to 32 bits; longer ones can be read as u8"},
		{change("base", `tables = {"T": held(u8, 0, sha256 = "0" * 64)}, base`), "held: 0 numbers: want 1 to 1048576"},
		{change("base", `tables = {"T": held(u8, 2, sha256 = "")}, base`),
			`held: sha256 = "": want 64 digits 0 to f; with others than the program's a run says which those are`},
		{change("base", `tables = {"T": 1}, base`), "table T: want a list of numbers, or held"},
		{change("args = [", "args = [1, "), "args[0] is int, want input, output, inout, scalar or struct"},
	} {
		_, err := read(test.text)
		if test.want == "" {
			if err != nil {
				t.Errorf("%s\n%v", test.text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\n%v, want %s", test.text, err, test.want)
		}
	}
}

// What Read makes of any text has cases, or is an error.
func FuzzRead(f *testing.F) {
	limits := &Limits{values: [limits]int64{Steps: 1000, Elements: 1000}}
	f.Add(simple)
	f.Add("load(\"lib.star\", \"double\")\ndef f(x):\n    return [double(i) for i in x if i > 1]\nkernel(name = \"k\")")
	f.Add(strings.Replace(simple, "lambda x: x", "lambda x: {\"y\": softmax(x, axis = 0) * 2.0}", 1))
	f.Fuzz(func(t *testing.T, text string) {
		family, err := limits.Read(ofText(text), "f.star")
		if err == nil && len(family.Kernels) == 0 {
			t.Error("no kernel and no error")
		}
	})
}
