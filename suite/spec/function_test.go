package spec

import (
	"strings"
	"testing"
)

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
		{x + ".shape", "(2, 3)"}, {x + ".size", "6"}, {x + ".ndim", "2"}, {x + ".T", "tensor((3, 2), [1, 4, 2, 5, 3, 6])"},
		{x + "[1]", "tensor((3), [4, 5, 6])"}, {x + "[-1][0]", "4.0"}, {x + "[0:1]", "tensor((1, 3), [1, 2, 3])"},
		{x + "[::-1]", "tensor((2, 3), [4, 5, 6, 1, 2, 3])"},
		{"slice(" + x + ", 1, 0, 3, 2)", "tensor((2, 2), [1, 3, 4, 6])"},
		{"sum(" + x + ")", "21.0"}, {"sum(" + x + ", axis = 0)", "tensor((3), [5, 7, 9])"},
		{"mean(" + x + ", axis = -1, keepdims = True)", "tensor((2, 1), [2, 5])"},
		{"sum(" + x + ", axis = 2)", "sum: (2, 3) has no axis 2"},
		{"max(" + x + ", axis = 1)", "tensor((2), [3, 6])"}, {"max(1, 3)", "3"}, {"min(tensor([2, 1]))", "1.0"}, {"abs(-2)", "2"},
		{"argmax(tensor([1, 3, 3]))", "1.0"}, {"prod(tensor([2, 3]))", "6.0"},
		{"cumsum(" + x + ", axis = 0)", "tensor((2, 3), [1, 2, 3, 5, 7, 9])"},
		{"softmax(tensor([0, 0]))", "tensor((2), [0.5, 0.5])"},
		{"sort(tensor([3, 1, 2]), descending = True)", "tensor((3), [3, 2, 1])"},
		{"argsort(tensor([3, 1, 1]))", "tensor((3), [1, 2, 0])"},
		{"top_k(tensor([1, 3, 3, 2]), 2)", "(tensor((2), [3, 3]), tensor((2), [1, 2]))"},
		{"matmul(" + x + ", tensor([1, 0, 1]))", "tensor((2), [4, 10])"},
		{"matmul(" + x + ", " + x + ".T)", "tensor((2, 2), [14, 32, 32, 77])"},
		{"matmul(" + x + ", " + x + ")", "matmul: (2, 3) and (2, 3): 3 columns and 2 rows"},
		{`einsum("ij,kj->ik", ` + x + ", " + x + ")", "tensor((2, 2), [14, 32, 32, 77])"},
		{`einsum("ii", tensor([[1, 2], [3, 4]]))`, "5.0"}, {`einsum("ij->j", ` + x + ")", "tensor((3), [5, 7, 9])"},
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
		{"tril(ones([2, 2]))", "tensor((2, 2), [1, 0, 1, 1])"}, {"triu(ones([2, 2]), 1)", "tensor((2, 2), [0, 1, 0, 0])"},
		{"where(less(tensor([1, 5]), 3), 0, 1)", "tensor((2), [0, 1])"},
		{"bits(tensor([0xa5]), 4, 4)", "tensor((1), [10])"}, {"bits(tensor([0xa5]), tensor([0, 4]), 4)", "tensor((2), [5, 10])"},
		{"f16(1 + 1 / 4096)", "1.0"}, {"bf16(tensor([257]))", "tensor((1), [256])"}, {"i32(-1.5)", "-1.0"}, {"u8(tensor([257]))", "tensor((1), [1])"},
		{"rsqrt(tensor([4]))", "tensor((1), [0.5])"}, {"round(2.5)", "2.0"}, {"sigmoid(0)", "0.5"}, {"relu(-1)", "0.0"}, {"sign(-3)", "-1.0"},
		{"scan(lambda s, x: (s + x, s), 0, tensor([1, 2, 3]))", "(6.0, tensor((3), [0, 1, 3]))"},
		{"scan(lambda s, x: s, 0, tensor([1]))", "scan: the function returns int, want the next state and what it gives"},
		{"zeros([1 << 20, 1 << 20])", "the shape (1048576, 1048576) has more than 16777216 elements"},
		{"[ones([100]) for _ in range(11)]", "more than 1000 elements have been computed"},
	} {
		thread := newThread("test", &meter{limit: 1000})
		got, err := evaluate(thread, test.expression, predeclared)
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

// TestRecurrenceIsFast runs 1,024 tokens of a state of 128 × 128: its steps and elements fit the
// limits of a definition.
func TestRecurrenceIsFast(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	thread := newThread("test", newMeter())
	_, err := evaluate(thread, `scan(lambda s, k, v: (s * 0.9 + outer(k, v - matmul(k, s)), matmul(k, s)), zeros([128, 128]), ones([1024, 128]), ones([1024, 128]))`, predeclared)
	if err != nil {
		t.Error(err)
	}
}
