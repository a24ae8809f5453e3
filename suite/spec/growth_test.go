package spec

import (
	"fmt"
	"strings"
	"testing"
)

// What a file may try to exhaust its reader is an error at its line, before the memory or the time
// is spent.
func TestGrowth(t *testing.T) {
	loop := func(n int, init, body string) string {
		return fmt.Sprintf("def f():\n    x = %s\n    for i in range(%d):\n        %s\n    return x\ny = f()\n", init,
			n, body)
	}
	if testing.Short() {
		t.Skip("it takes as much as it may")
	}
	for name, test := range map[string]struct{ text, want string }{
		"string":     {`s = "a" * 1000000000`, "f.star:1:9: more than"},
		"doubled":    {loop(60, `"a"`, "x = x + x"), "f.star:4:15: more than"},
		"doubled +=": {loop(60, `"a"`, "x += x"), "f.star:4:11: more than"},
		"element":    {loop(60, `["a"]`, "x[0] += x[0]"), "f.star:4:14: more than"},
		"list":       {`l = [0] * 100000000`, "f.star:1:9: more than"},
		"extend":     {loop(60, "[0]", "x.extend(x)"), "f.star:4:17: more than"},
		"getattr":    {loop(60, "[0]", `getattr(x, "extend")(x)`), "more than"},
		"range":      {`l = list(range(1000000000))`, "f.star:1:9: more than"},
		"max":        {`l = max(range(1000000000))`, "more than"},
		"join":       {`s = ("a" * 100000).join(["b"] * 100000)`, "more than"},
		"replace":    {`s = ("a" * 100000).replace("a", "b" * 100000)`, "more than"},
		"format":     {`s = ("{0}" * 10000).format("a" * 100000)`, "more than"},
		"square":     {loop(60, "3", "x = x * x"), "f.star:4:15: an integer of more than 65536 bits"},
		"shift":      {loop(1000, "1 << 500", "x = x << 511"), "an integer of more than"},
		"hash":       {loop(60, "(1,)", "x = (x, x)") + "d = {y: 1}", "a value of more than"},
		"equal":      {loop(60, "[1]", "x = [x, x]") + "d = y == y", "a value of more than"},
		"text":       {loop(60, "[1]", "x = [x, x]") + "d = str(y)", "a value of more than"},
		"percent":    {loop(60, "[1]", "x = [x, x]") + `d = "%s" % y`, "a value of more than"},
		"deep":       {loop(5000, "[1]", "x = [x]") + "d = str(y)", "nested more than"},
		"slices":     {"l = list(range(100000))\n" + loop(100000, "l", "z = x[1:]"), "more than"},
		"spread": {"l = list(range(100000))\ndef g(*a):\n    return 1\n" + loop(100000, "l", "z = g(*x)"),
			"more than"},
		"search":      {"l = list(range(100000))\n" + loop(100000, "l", "z = -1 in x"), "more than"},
		"dictionary":  {"d = {i: i for i in range(10000)}\n" + loop(10000, "d", "z = x | {1: 2}"), "more than"},
		"chain":       {"x = " + strings.Repeat("1+", 300000) + "1", "nest deeper than"},
		"lambdas":     {"x = " + strings.Repeat("lambda: ", 100000) + "1", "excessive nesting"},
		"index chain": {"x = [0]\ny = x" + strings.Repeat("[0]", 300000), "nest deeper than"},
		"tensors": {loop(10000, "ones(1 << 20)", "x = x + x"),
			"f.star:4:15: more than 67108864 elements have been computed: take a smaller point, or fewer " +
				"operations, which -definition-limit elements=N can raise"},
		"scan":    {"y = scan(lambda s, x: (s, 1), 0, zeros(1 << 22))", "more than"},
		"failure": {`fail("a\n" + "b" * 100000)`, `f.star:1:5: fail: a\n` + strings.Repeat("b", 4000)},
		"steps": {loop(100000000, "1", "x = 2"),
			"more than 8388608 steps, which -definition-limit steps=N can raise"},
	} {
		if _, err := read(test.text); err == nil || !strings.Contains(err.Error(), test.want) ||
			len(err.Error()) > 5000 {
			t.Errorf("%s: %.200v, want %.200s", name, err, test.want)
		}
	}
	for _, text := range []string{"l = []\nfor i in range(10000):\n    l.append(i)",
		"d = {}\nfor i in range(100):\n    for j in range(100):\n        d[i, j] = 1",
		"x = ones(1 << 20)\nfor i in range(50):\n    x = x + 1\n    y = x[3:5]", `x = "ab" + "c" * 100`,
		`x = [1] + [2, 3]`, `x = {"a": 1} | {"b": 2}`, `x = 7 % 3 << 100`, `x = "%s, %d" % ("a", 3)`,
		`x = ",".join([str(i) for i in range(1000)])`} {
		if _, err := read(text + "\n" + simple); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestLimits: whatever an evaluation does, makes or holds counts before much of it is done, and says which limit it
// was.
func TestLimits(t *testing.T) {
	loop := func(init, body string) string {
		return fmt.Sprintf("def f():\n    x = %s\n    for i in range(100000):\n        %s\n    return x\ny = f()\n",
			init, body)
	}
	few := &Limits{values: [limits]int64{Steps: 10_000, Operations: 1 << 18, Elements: 1 << 16, Held: 1 << 14,
		Bytes: 1 << 16}}
	const (
		operations = "more than 262144 operations on elements: take a smaller point, or fewer of them, which " +
			"-definition-limit operations=N can raise"
		elements = "more than 65536 elements have been computed: take a smaller point, or fewer operations, which " +
			"-definition-limit elements=N can raise"
		held = "tensors in use come to more than 16384 elements: take a smaller point, or hold fewer, which " +
			"-definition-limit held=N can raise"
		inBytes = "more than 65536 bytes have been computed: strings, lists and dictionaries grow too large, " +
			"which -definition-limit bytes=N can raise"
	)
	for name, test := range map[string]struct{ text, want string }{
		"steps": {"while True: pass",
			"f.star:1:7: more than 40000 steps, which -definition-limit steps=N can raise"},
		"sums":     {loop("ones(1 << 12)", "x = x + x"), "f.star:4:15: " + elements},
		"products": {loop("ones((64, 64))", "matmul(x, x)"), "f.star:4:15: " + operations},
		"matrices": {"ones((1, 8192)) @ ones((8192, 1)); ones((1024, 8)) @ ones((8, 1024))", operations},
		"einsum": {`einsum("i,j,k->", ones(200), ones(200), ones(200))`,
			`f.star:1:7: einsum: "i,j,k->": ` + operations},
		"sorting":      {"sort(ones(8192))", operations},
		"powers":       {loop("ones(1 << 11)", "x = x ** 1.000001"), operations},
		"lists":        {"l = [[1] * 100] * 10\nfor i in range(1000):\n    x = tensor(l)", operations},
		"reductions":   {loop("ones(1 << 13)", "sum(x)"), "f.star:4:12: " + operations},
		"kept":         {"l = [ones(1 << 12) for i in range(30)]", "f.star:1:10: " + held},
		"kept small":   {"l = [ones(100) for i in range(10000)]", "f.star:1:10: " + inBytes},
		"kept rows":    {"l = [ones((2, 1 << 11))[0] for i in range(30)]", held},
		"turned":       {loop("ones((1, 1 << 12))", "x.T"), "f.star:4:10: " + elements},
		"parts":        {loop("ones((1, 1 << 12))", "x[0]"), "f.star:4:10: " + elements},
		"parts inside": {loop("ones((8, 1 << 9))", "x[:, 1:500, ...][0]"), elements},
		"steps apart":  {loop("ones(1 << 12)", "x[::2]"), elements},
		"negated":      {loop("ones(1 << 12)", "-x"), "f.star:4:9: " + elements},
		"divided":      {loop("ones(1 << 12)", "x / x"), elements},
		"augmented":    {loop("ones(1 << 12)", "x //= 3"), elements},
		"in a list":    {loop("[ones(1 << 12)]", "x[0] += x[0]"), elements},
		"of a call":    {"l = [ones(1 << 12)]\ndef g():\n    return l\n" + loop("1", "g()[0] *= 2"), elements},
		"axes":         {"ones([1] * 65)", "a shape of 65 axes: at most 64 are possible"},
		"no rows": {"softmax(zeros((0, 1 << 30)))\nzeros((0, 1 << 30)).sum(axis = 0)",
			"f.star:2:24: the shape (1073741824) has more than 16777216 elements"},
		"tiles":       {"tile(ones(1), 1 << 30)", "tile: (1,) 1073741824 times"},
		"parsed":      {`int("9" * 50000)`, "int: 50000 digits: an integer of more than 65536 bits"},
		"taken apart": {`("a," * 10000).split(",")`, inBytes},
		"keys":        {loop("{}", `x["a" * 10000] = 1`), inBytes},
		"one hash":    {"{i << 32: 1 for i in range(1000)}", "f.star:1:4: " + inBytes},
		"ranges":      {"list(range(1 << 62))", inBytes},
		"extent": {strings.Replace(simple, `"n")]`, `"('a' * 1000000000) and n")]`, 1),
			"('a' * 1000000000) and n\": more than 67108864 bytes"},
		"extent's list": {strings.Replace(simple, `"n")]`, `"len(list(range(1000000000)))")]`, 1),
			"more than 67108864 bytes"},
		"extent's loop": {strings.Replace(simple, `"n")]`, `"[n for i in range(1000000000)][0]")]`, 1),
			"more than 2097152 steps"},
	} {
		if _, err := few.Read(ofText(test.text), "f.star"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %.300v, want %s", name, err, test.want)
		}
	}
	for _, text := range []string{
		"l = []\nfor i in range(500):\n    l.append(i)",
		"d = {}\nfor i in range(10):\n    for j in range(10):\n        d[i, j] = 1",
		// what is not in use any more is not held
		"x = ones(1 << 12)\nfor i in range(7):\n    x = x + 1\n    y = x[3:5]\n    for z in x.reshape(2, 2048): pass",
	} {
		if _, err := few.Read(ofText(text+"\n"+simple), "f.star"); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSetLimits: limits are set by their names, to what they may be.
func TestSetLimits(t *testing.T) {
	l := new(Limits)
	for text, want := range map[string]string{"steps=5": "", "held=7": "", "steps": "want steps=N",
		"steps=0": "want steps=N", "bytes=99999999999999999": "want bytes=N", "x=1": "want NAME=N"} {
		if err := l.Set(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if got := l.String(); got != "steps=5 held=7" {
		t.Errorf("got %s", got)
	}
}
