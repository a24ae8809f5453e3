package spec

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"metalconform/oracles"
	"metalconform/suite"
)

// ofFiles is what names of files stand for.
func ofFiles(name string) starlark.Value { return predeclared[name] }

// TestFunctions evaluates expressions: each has a value worked out by hand, or an error.
func TestFunctions(t *testing.T) {
	const x = "tensor([[1, 2, 3], [4, 5, 6]])"
	for _, test := range []struct{ expression, want string }{
		{"tensor([1, 2]) + 1", "tensor((2), [2, 3])"},
		{"1 - tensor([1, 2])", "tensor((2), [0, -1])"},
		{"tensor([7, -7]) // 2", "tensor((2), [3, -4])"},
		{"tensor([7, -7]) % 4", "tensor((2), [3, 1])"},
		{"tensor([6, 5]) & 3", "tensor((2), [2, 1])"},
		{"tensor([6, 5]) >> 1", "tensor((2), [3, 2])"},
		{"-tensor([1, 2])", "tensor((2), [-1, -2])"},
		{x + " + tensor([10, 20, 30])", "tensor((2, 3), [11, 22, 33, 14, 25, 36])"},
		{x + " * tensor([[2], [3]])", "tensor((2, 3), [2, 4, 6, 12, 15, 18])"},
		{x + " + tensor([1, 2])", "+: (2, 3) and (2) do not broadcast to one shape"},
		{x + ".shape", "(2, 3)"}, {x + ".size", "6"}, {x + ".ndim", "2"},
		{x + ".T", "tensor((3, 2), [1, 4, 2, 5, 3, 6])"},
		{x + "[1]", "tensor((3), [4, 5, 6])"}, {x + "[-1][0]", "4"}, {x + "[0:1]", "tensor((1, 3), [1, 2, 3])"},
		{x + "[::-1]", "tensor((2, 3), [4, 5, 6, 1, 2, 3])"},
		{"slice(" + x + ", 1, 0, 3, 2)", "tensor((2, 2), [1, 3, 4, 6])"},
		{"sum(" + x + ")", "21"}, {"sum(" + x + ", axis = 0)", "tensor((3), [5, 7, 9])"},
		{"mean(" + x + ", axis = -1, keepdims = True)", "tensor((2, 1), [2, 5])"},
		{"sum(" + x + ", axis = 2)", "sum: (2, 3) has no axis 2"},
		{"max(" + x + ", axis = 1)", "tensor((2), [3, 6])"}, {"max(1, 3)", "3"}, {"min(tensor([2, 1]))", "1"},
		{"abs(-2)", "2"},
		{"argmax(tensor([1, 3, 3]))", "1"}, {"prod(tensor([2, 3]))", "6"},
		{"cumsum(" + x + ", axis = 0)", "tensor((2, 3), [1, 2, 3, 5, 7, 9])"},
		{"softmax(tensor([0, 0]))", "tensor((2), [0.5, 0.5])"},
		{"sort(tensor([3, 1, 2]), descending = True)", "tensor((3), [3, 2, 1])"},
		{"argsort(tensor([3, 1, 1]))", "tensor((3), [1, 2, 0])"},
		{"top_k(tensor([1, 3, 3, 2]), 2)", "(tensor((2), [3, 3]), tensor((2), [1, 2]))"},
		{"matmul(" + x + ", tensor([1, 0, 1]))", "tensor((2), [4, 10])"},
		{"matmul(" + x + ", " + x + ".T)", "tensor((2, 2), [14, 32, 32, 77])"},
		{"matmul(" + x + ", " + x + ")", "matmul: (2, 3) and (2, 3): 3 columns and 2 rows"},
		{"stack([tensor([1, 2]), tensor([3, 4])], axis = 1)", "tensor((2, 2), [1, 3, 2, 4])"},
		{"stack([tensor([1, 2]), tensor([3, 4])], axis = -2)", "tensor((2, 2), [1, 2, 3, 4])"},
		{"stack([tensor([1])], axis = 2)", "stack: axis 2 of 2"},
		{`einsum("ij,kj->ik", ` + x + ", " + x + ")", "tensor((2, 2), [14, 32, 32, 77])"},
		{`einsum("ii", tensor([[1, 2], [3, 4]]))`, "5"}, {`einsum("ij->j", ` + x + ")", "tensor((3), [5, 7, 9])"},
		{`einsum("ij,j", tensor([[1]]), tensor([1, 2]))`, `einsum: "ij,j": j is 1 and 2 long`},
		{"outer(tensor([1, 2]), tensor([3, 4]))", "tensor((2, 2), [3, 4, 6, 8])"},
		{"reshape(arange(6), [2, -1])", "tensor((2, 3), [0, 1, 2, 3, 4, 5])"},
		{"reshape(arange(6), [4])", "reshape: (6) has 6 elements, (4) has 4"},
		{"transpose(zeros([2, 3, 4]), [1, 2, 0]).shape", "(3, 4, 2)"},
		{"concat([tensor([1]), tensor([2, 3])])", "tensor((3), [1, 2, 3])"},
		{"stack([tensor([1, 2]), tensor([3, 4])])", "tensor((2, 2), [1, 2, 3, 4])"},
		{"repeat(tensor([1, 2]), 2)", "tensor((4), [1, 1, 2, 2])"},
		{"take(tensor([10, 20, 30]), tensor([2, 0]))", "tensor((2), [30, 10])"},
		{"take(tensor([10]), tensor([1]))", "take: index 1 of axis 0, which is 1 long"},
		{"one_hot(tensor([1, 0]), 2)", "tensor((2, 2), [0, 1, 1, 0])"},
		{"bincount(tensor([1, 0, 1]), 3)", "tensor((3), [1, 2, 0])"},
		{"bincount(tensor([[1, 0], [1, 1]]), 2)", "tensor((2), [1, 3])"},
		{"bincount(tensor([1, 1]), 2, weights = [0.5, 2])", "tensor((2), [0, 2.5])"},
		{"bincount(tensor([1, 0, 1]), 2, tensor([[1, 2], [3, 4], [5, 6]]))", "tensor((2, 2), [3, 4, 6, 8])"},
		{"bincount(tensor([3]), 3)",
			"bincount: element 0 is 3: want integers from 0 up to n, which is 3, and not that"},
		{"bincount(tensor([0, 1]), 2, [1, 2, 3])",
			"bincount: weights of 3 for 2 places: want one, or a row, for each place"},
		{"bincount(tensor([0]), 1 << 60)", "bincount: 1152921504606846976 counts"},
		{"bincount(tensor([]), -1)", "bincount: -1 counts"},
		{"searchsorted(tensor([1, 2, 2, 5]), tensor([[0, 2], [5, 9]]))", "tensor((2, 2), [0, 1, 3, 4])"},
		{"searchsorted([1, 2, 2, 5], 2, side = \"right\")", "3.0"},
		{"searchsorted([2, 1], 2)", "searchsorted: want one line that rises"},
		{"cummax(tensor([1, 3, 2]))", "tensor((3), [1, 3, 3])"},
		{"tensor([[1, 3], [2, 1]]).cummax(axis = 0)", "tensor((2, 2), [1, 3, 2, 3])"},
		{"tril(ones([2, 2]))", "tensor((2, 2), [1, 0, 1, 1])"},
		{"triu(ones([2, 2]), 1)", "tensor((2, 2), [0, 1, 0, 0])"},
		{"where(less(tensor([1, 5]), 3), 0, 1)", "tensor((2), [0, 1])"},
		{"bits(tensor([0xa5]), 4, 4)", "tensor((1), [10])"},
		{"bits(tensor([0xa5]), tensor([0, 4]), 4)", "tensor((2), [5, 10])"},
		{"f16(1 + 1 / 4096)", "1.0"}, {"bf16(tensor([257]))", "tensor((1), [256])"}, {"i32(-1.5)", "-1.0"},
		{"u8(tensor([257]))", "tensor((1), [1])"},
		{"rsqrt(tensor([4]))", "tensor((1), [0.5])"}, {"round(2.5)", "2.0"}, {"sigmoid(0)", "0.5"}, {"relu(-1)", "0"},
		{"sign(-3)", "-1"},
		{"scan(lambda s, x: (s + x, s), 0, tensor([1, 2, 3]))", "(6, tensor((3), [0, 1, 3]))"},
		{"scan(lambda s, x: s, 0, tensor([1]))",
			"scan: the function returns int, want the next state and what it gives"},
		{"zeros([1 << 20, 1 << 20])", "the shape (1048576, 1048576) has more than 16777216 elements"},
		{"[ones([100]) for _ in range(11)]", "more than 1000 elements have been computed"},
	} {
		thread := newThread("test", newMeter(&Limits{values: [limits]int64{Elements: 1000}}))
		got, err := evaluate(thread, test.expression, ofFiles)
		text := ""
		if err != nil {
			text = err.Error()
		} else if got != nil {
			text = got.String()
		}
		if !strings.Contains(text, test.want) || err == nil && text != test.want {
			t.Errorf("%s = %s, want %s", test.expression, text, test.want)
		}
	}
}

// evaluate is the value of an expression.
func evaluate(thread *starlark.Thread, text string, of func(name string) starlark.Value) (starlark.Value, error) {
	f, err := callable(thread, text, nil, of)
	if err != nil {
		return nil, err
	}
	v, err := starlark.Call(thread, f, nil, nil)
	return v, described(err)
}

// TestEndlessLists: a list that holds itself, or another one so often that nobody can count, becomes no tensor.
func TestEndlessLists(t *testing.T) {
	endless := starlark.NewList(nil)
	wide := starlark.NewList([]starlark.Value{starlark.MakeInt(1)})
	for range 60 {
		wide = starlark.NewList([]starlark.Value{wide, wide})
	}
	if err := endless.Append(endless); err != nil {
		t.Fatal(err)
	}
	for _, list := range []*starlark.List{endless, wide} {
		if _, err := fromValue(list); err == nil || !strings.Contains(err.Error(), "cannot become a tensor") {
			t.Errorf("got %v", err)
		}
	}
}

// TestPowersInTrials: operations of a trial err, but powers of integers are places of bits.
func TestPowersInTrials(t *testing.T) {
	in := oracles.F32
	for expression, exact := range map[string]bool{"power(2, arange(8))": true, "2 ** arange(8)": true,
		"exp2(arange(8))": true, "power(3.3, arange(8))": false, "exp(arange(8))": false} {
		var values [2][]float64
		for trial := range values {
			m := newMeter(new(Limits))
			m.trial(uint64(trial), &in)
			v, err := evaluate(newThread("test", m),
				strings.Replace(expression, "2 ** arange(8)", "power_(2, arange(8))", 1), ofFiles)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := operand(v)
			values[trial] = got.Data()
		}
		if same := slices.Equal(values[0], values[1]); same != exact {
			t.Errorf("%s: %v as it is, %v in a trial", expression, values[0], values[1])
		}
	}
}

// TestRecurrenceIsFast runs 1,024 tokens of a state of 128 × 128: its steps and elements fit the
// limits of a definition.
func TestRecurrenceIsFast(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	thread := newThread("test", newMeter(new(Limits)))
	_, err := evaluate(thread,
		`scan(lambda s, k, v: (s * 0.9 + outer(k, v - matmul(k, s)), matmul(k, s)), zeros([128, 128]), ones([1024, `+
			`128]), ones([1024, 128]))`, ofFiles)
	if err != nil {
		t.Error(err)
	}
}

// TestOperators evaluates what files say and Starlark does not: products of matrices, comparisons of
// elements, indices of several axes. Errors stand where the file has them.
func TestOperators(t *testing.T) {
	const x, x2 = "tensor([[1, 2, 3], [4, 5, 6]])", "tensor((2, 3), [1, 2, 3, 4, 5, 6])"
	for _, test := range []struct{ expression, want string }{
		{x + " @ tensor([1, 0, 1])", "tensor((2), [4, 10])"},
		{x + " @ " + x + ".T * 2 + 1", "tensor((2, 2), [29, 65, 65, 155])"},
		{"2 * " + x + "@" + x + ".T", "tensor((2, 2), [28, 64, 64, 154])"},
		{`"a@b" + 'c@' + """@""" # @`, `"a@bc@@"`},
		{x + " @ " + x, "f.star:1:36: matmul: (2, 3) and (2, 3): 3 columns and 2 rows"},
		{x + " @ 2", "f.star:1:36: @: got int, want a tensor"},
		{"[" + x + " @ tensor([1, 0, 1]), " + x + " @ y]", "f.star:1:91: undefined: y"},
		{x + " @", "f.star:1:37: got end of file"},
		{x + " < 3", "tensor((2, 3), [1, 1, 0, 0, 0, 0])"}, {"2 <= tensor([1, 2])", "tensor((2), [0, 1])"},
		{x + " == tensor([1, 5, 3])", "tensor((2, 3), [1, 0, 1, 0, 1, 0])"}, {x + " != None", "True"},
		{"1 < 2", "True"}, {`"a" < 1`, "string < int not implemented"},
		{"where(" + x + " > 4, 0, 1)", "tensor((2, 3), [1, 1, 1, 1, 0, 0])"},
		{"1 if tensor([1, 2]) > 0 else 2", "a tensor of shape (2,) is neither true nor false: where(condition, x, y)"},
		{"not tensor([1, 2])", "neither true nor false"}, {"tensor([1, 2]) and 1", "neither true nor false"},
		{"1 if tensor([3]) else 2", "1"},
		{x + "[1, 0]", "4"}, {x + "[span(None), 1]", "tensor((2), [2, 5])"},
		{x + "[0, span(1, 3)]", "tensor((2), [2, 3])"}, {x + "[-1]", "tensor((3), [4, 5, 6])"},
		{x + "[tensor([1, 0, -1]), 2]", "tensor((3), [6, 3, 6])"}, {"tensor([1, 2])[None, span(None)].shape", "(1, 2)"},
		{x + "[2]", "take: index 2 of axis 0, which is 2 long"},
		{x + "[0, 0, 0]", "has no axis 0"},
		{x + "[:, 1]", "tensor((2), [2, 5])"}, {x + "[0, 1:]", "tensor((2), [2, 3])"},
		{x + "[1, :2]", "tensor((2), [4, 5])"}, {x + "[:, ::2]", "tensor((2, 2), [1, 3, 4, 6])"},
		{x + "[1, 0:3:2]", "tensor((2), [4, 6])"},
		{x + "[..., 2]", "tensor((2), [3, 6])"}, {x + "[..., None].shape", "(2, 3, 1)"}, {x + "[None, ...].shape",
			"(1, 2, 3)"}, {x + "[:, :, None].shape", "(2, 3, 1)"}, {x + "[1, ...]", "tensor((3), [4, 5, 6])"},
		{x + "[[0, 1], [2, 0]]", "tensor((2), [3, 4])"}, {x + "[[False, True], [0, 2]]", "tensor((2), [4, 6])"},
		{x + "[arange(2)[:, None], [2, 0]]", "tensor((2, 2), [3, 1, 6, 4])"}, {x + "[[1, 0], [-1]]",
			"tensor((2), [6, 3])"}, {x + "[[0, 1], [0, 3]]", "index 3 of axis 1, which is 3 long"},
		{"arange(24).reshape(2, 3, 4)[:, [0, 2], [3, 1]]", "tensor((2, 2), [3, 9, 15, 21])"},
		{"arange(24).reshape(2, 3, 4)[[0, 1], :, [3, 1]]", "tensor((2, 3), [3, 7, 11, 13, 17, 21])"},
		{"arange(24).reshape(2, 3, 4)[[0, 1], 2, [3, 1]]", "tensor((2), [11, 21])"},
		{x + "[:, [5, 1][1]:2 ** 2]", "tensor((2, 2), [2, 3, 5, 6])"}, {"[1, 2, 3][1:2]", "[2]"}, {"{1: 2, 3: 4}[3]",
			"4"}, {"(lambda a, **b: b)(1, c = 2)", `{"c": 2}`}, {`"x[:, 1] ** 2 ..."`, `"x[:, 1] ** 2 ..."`},
		{"2 ** 10", "1024"}, {"-tensor([3]) ** 2", "tensor((1), [-9])"}, {"2 * tensor([3]) ** 2 * 2",
			"tensor((1), [36])"}, {"4 ** -0.5", "0.5"}, {"2 ** 3 ** 2", "512"}, {"(1 + 1) ** (1 + 2)", "8"},
		{x + "[0] ** 2", "tensor((3), [1, 4, 9])"}, {x + ".T[0] ** -1 ** 2", "tensor((2), [1, 0.25])"},
		{"sum(" + x + " ** 2 @ tensor([1, 0, 0]))", "17"}, {"2 ** 100000", "**: an integer of more than 65536 bits"},
		{"1 ** ", "got '**'"},
		{"[2 ** 3, tensor([1, 2]) ** tensor([1, 2, 3])]", "f.star:1:14: **: (2) and (3) do not broadcast"},
		{"[" + x + "[:, 1], y]", "f.star:1:44: undefined: y"},
		{x + ".reshape(3, 2)", "tensor((3, 2), [1, 2, 3, 4, 5, 6])"},
		{"reshape(" + x + ", -1)", "tensor((6), [1, 2, 3, 4, 5, 6])"}, {x + ".sum(axis = 1)", "tensor((2), [6, 15])"},
		{x + ".max()", "6"}, {x + ".astype(u8)", x2}, {"transpose(zeros([2, 3, 4]), 2, 0, 1).shape", "(4, 2, 3)"},
		{x + ".mean(-1, keepdims = True).shape", "(2, 1)"},
		{x + ".repeat_", "has no .repeat_ field or method"}, {"arange(2, 5)", "tensor((3), [2, 3, 4])"},
		{"arange(0, 32, 8)", "tensor((4), [0, 8, 16, 24])"}, {"arange(3, 0, -2)", "tensor((2), [3, 1])"},
		{"arange(1, 1)", "tensor((0), [])"}, {"arange(0, 1, 0)", "a step of 0"},
		{"eye(2)", "tensor((2, 2), [1, 0, 0, 1])"}, {"tile(tensor([1, 2]), 2)", "tensor((4), [1, 2, 1, 2])"},
		{"squeeze(zeros([1, 2, 1])).shape", "(2,)"}, {"squeeze(zeros([1, 2, 1]), axis = -1).shape", "(1, 2)"},
		{"squeeze(zeros([2]), axis = 0)", "axis 0 of tensor((2), [0, 0]) is 2 long"},
		{"cumprod(tensor([2, 3, 4]))", "tensor((3), [2, 6, 24])"}, {"log_softmax(tensor([0, 0])) == -log(2)",
			"tensor((2), [1, 1])"}, {x + "[..., ...]", "an index of type ..."},
		{"clip(tensor([-2, 0, 7]), -1, 1)", "tensor((3), [-1, 0, 1])"},
		{"pad(tensor([1]), 1, 2, value = 9)", "tensor((4), [9, 1, 9, 9])"},
		{"pad(tensor([[3]]), [[0, 1], (2, 0)])", "tensor((2, 3), [0, 0, 3, 0, 0, 0])"},
		{`pad(tensor([1, 2, 3]), 1, 4, mode = "edge")`, "tensor((8), [1, 1, 2, 3, 3, 3, 3, 3])"},
		{`pad(tensor([1, 2, 3]), 1, 4, mode = "wrap")`, "tensor((8), [3, 1, 2, 3, 1, 2, 3, 1])"},
		{`pad(tensor([1, 2, 3]), 1, 4, mode = "reflect")`, "tensor((8), [2, 1, 2, 3, 2, 1, 2, 3])"},
		{`pad(tensor([[1, 2]]), [[1, 0], [0, 1]], mode = "edge")`, "tensor((2, 3), [1, 2, 2, 1, 2, 2])"},
		{`pad(tensor([1]), 1, 1, mode = "mirror")`, `no mode "mirror": there are edge, reflect and wrap`},
		{`pad(zeros([0]), 1, 0, mode = "edge")`, "has no element for what is beyond it"},
		{"rint(tensor([0.5, 1.5, -2.5]))", "tensor((3), [0, 2, -2])"},
		{"flip(" + x + ")", "tensor((2, 3), [3, 2, 1, 6, 5, 4])"},
		{"roll(tensor([1, 2, 3]), 1)", "tensor((3), [3, 1, 2])"},
		{"var(tensor([1, 3]))", "1.0"}, {"std(tensor([[1, 5]]), axis = 1)", "tensor((1), [2])"},
		{"logsumexp(tensor([0, 0])) == log(2)", "True"},
		{"any(tensor([0, 1]))", "1"}, {"all([True, False])", "False"}, {"all(tensor([2, 1]))", "1"},
		{"f8e4m3(tensor([1.1, 500]))", "tensor((2), [1.125, NaN])"}, {"f8e5m2(1.1)", "1.0"},
		{"i8(tensor([200]))", "tensor((1), [-56])"}, {"u64(-1)", "18446744073709551615"},
		{"from_bits(tensor([0x3c00]), f16)", "tensor((1), [1])"}, {"from_bits(tensor([0x38]), f8e4m3)",
			"tensor((1), [1])"}, {"from_bits(tensor([200]), i8)", "tensor((1), [-56])"},
		{"to_bits(tensor([1, -2]), bf16)", "tensor((2), [16256, 49152])"},
		{"to_bits(tensor([-1]), i8)", "tensor((1), [255])"},
		{"bool(tensor([0, 3]))", "tensor((2), [0, 1])"}, {"bool([])", "False"}, {"all(1.0)", "1.0"}, {"any(0)", "0"},
		{"abs(-2)", "2"},

		// Places that go together, and truths that choose.
		{x + "[tensor([0, 1]), tensor([2, 0])]", "tensor((2), [3, 4])"}, {x + "[[0, 1][0], tensor([2, 0])]",
			"tensor((2), [3, 1])"}, {x + "[tensor([[0], [1]]), tensor([2, 0])]", "tensor((2, 2), [3, 1, 6, 4])"},
		{"arange(24).reshape(2, 3, 4)[tensor([0, 1]), :, tensor([3, 0])]", "tensor((2, 3), [3, 7, 11, 12, 16, 20])"},
		{"arange(24).reshape(2, 3, 4)[:, tensor([0, 2]), tensor([-1, 0])]", "tensor((2, 2), [3, 8, 15, 20])"},
		{"arange(24).reshape(2, 3, 4)[1, :, tensor([3, 0])]",
			"a place and a tensor of places with an axis between: take the place first"},
		{x + "[tensor([0, 1]), tensor([3, 0])]", "index 3 of axis 1, which is 3 long"},
		{x + "[tensor([0, 1]), tensor([0, 1, 2])]", "(2) and (3) do not broadcast"},
		{x + "[" + x + " > 4]", "tensor((2), [5, 6])"},
		{x + "[:, tensor([1, 0, 1]) > 0]", "tensor((2, 2), [1, 3, 4, 6])"}, {x + "[tensor([0, 1]) == 1, ...]",
			"tensor((1, 3), [4, 5, 6])"}, {x + "[~(" + x + " > 2)]", "tensor((2), [1, 2])"},
		{x + "[(" + x + " > 2) & (" + x + " != 5)]", "tensor((3), [3, 4, 6])"},
		{x + ".T[reshape(tensor([1, 0, 0]) > 0, -1)]", "tensor((1, 2), [1, 4])"},
		{x + "[(" + x + " > 4) * 1, 0].shape", "(2, 3)"},
		{x + "[tensor([1, 1, 1]) > 0]",
			"truths of shape (3,) choose from axes of that length: those of the tensor are [2 3]"},
		{"tensor([4, 5])[bool(tensor([0, 2]))]", "tensor((1), [5])"},
		{"~tensor([0, 5])", "tensor((2), [-1, -6])"},
		{"tensor([1, 7, 1]) // tensor([0.1, -2, 0])", "tensor((3), [9, -4, +Inf])"},

		// Where NaN stands, and what no integer holds.
		{"argmax(tensor([1, nan, 3, nan]))", "1.0"}, {"argmin(tensor([1, nan, 0]))", "1.0"},
		{"sort(tensor([3, nan, 1]))", "tensor((3), [1, 3, NaN])"},
		{"sort(tensor([3, nan, 1]), descending = True)", "tensor((3), [NaN, 3, 1])"},
		{"argsort(tensor([3, nan, 1, nan]))", "tensor((4), [2, 0, 1, 3])"},
		{"top_k(tensor([3, nan, 1]), 2)[1]", "tensor((2), [1, 0])"},
		{"i64(tensor([1e30, -1e30, nan]))", "tensor((3), [9.22337e+18, -9.22337e+18, 0])"}, {"u64(1e19)", "1e+19"},

		{`einsum("...ij,...jk->...ik", ones([5, 1, 2, 3]), ones([4, 3, 6])).shape`, "(5, 4, 2, 6)"},
		{`einsum("...i,...i", ` + x + ", " + x + ")", "tensor((2), [14, 77])"},
		{`einsum("i...->...", ` + x + ")", "tensor((3), [5, 7, 9])"},
		{`einsum("...i->i", ` + x + ")", "the result of operands with ... has to have it, too, once"},
		{`einsum("...ijk->...", ` + x + ")", `"...ijk" names 3 axes, (2, 3) has 2`},
		{`einsum("...i...->...", ` + x + ")", "has ... twice"},
	} {
		got := ""
		if file, _, err := parse("f.star", "", []byte("v = "+test.expression)); err != nil {
			got = positioned(err).Error()
		} else if program, err := starlark.FileProgram(file, predeclared.Has); err != nil {
			got = positioned(err).Error()
		} else if globals, err := program.Init(newThread("f.star", newMeter(new(Limits))), predeclared); err != nil {
			got = positioned(err).Error()
		} else {
			got = globals["v"].String()
		}
		if !strings.Contains(got, test.want) ||
			!strings.HasPrefix(got, "f.star") && !strings.Contains(test.want, "neither") && got != test.want {
			t.Errorf("%s = %s, want %s", test.expression, got, test.want)
		}
	}
}

// A pack has a hundred thousand expressions: one takes what its own names do, and not what the language has.
func TestExpressionsTakeLittle(t *testing.T) {
	axes := []suite.Axis{"n", "rows"}
	for _, text := range []string{"n", "2 * n + 1", "ceil_div(n, 32) * rows"} {
		e, err := newExpression("here", starlark.String(text), axes)
		if err != nil {
			t.Fatal(err)
		}
		const times = 1000
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range times {
			if _, err := e.evaluate(suite.Shape{"n": 3, "rows": 5}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / times; each > 10_000 {
			t.Errorf("%s takes %d bytes", text, each)
		}
	}
}

// A name is an axis where the point has it, and what the language has elsewhere; a formula keeps what it was for each.
func TestFormula(t *testing.T) {
	f := newFormula("max(n, 2) * (k if n > 3 else 1) + len([n for n in range(2)])")
	for _, test := range []struct {
		point suite.Shape
		want  string
	}{
		{suite.Shape{"n": 5, "k": 7}, "37"},
		{suite.Shape{"n": 1, "k": 7}, "4"},
		{suite.Shape{"n": 6, "k": 1}, "8"},
		{suite.Shape{"n": 5}, "undefined: k"},
		{suite.Shape{"n": 5, "k": 7, "max": 1}, "invalid call of non-function (int)"},
		{suite.Shape{"n": 5, "k": 7}, "37"},
	} {
		v, err := f.at(test.point, "threads")
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = v.String()
		}
		if got != test.want {
			t.Errorf("at %v: %s, want %s", test.point, got, test.want)
		}
	}
	if _, err := newFormula("n +").at(suite.Shape{"n": 1}, "threads"); err == nil {
		t.Error("a syntax error has a value")
	}
}
