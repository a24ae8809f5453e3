package spec_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// ofIntegers are kernels of integers, each with other texts of the same and with faults: what is put in place of a part
// of the body, as FROM => TO. No input has a fill: the suite draws integers by their types.
var ofIntegers = []struct {
	name, args   string
	body, oracle string
	same, faults []string
}{
	{"floor_division", `input("x", i32, "n"), output("y", i32, "n")`,
		"int q = x[i] / 3; y[i] = x[i] % 3 < 0 ? q - 1 : q;", "lambda x: x // 3",
		[]string{"int q = x[i] / 3; y[i] = x[i] % 3 < 0 ? q - 1 : q; => " +
			"y[i] = x[i] >= 0 ? x[i] / 3 : -((-(x[i] + 1)) / 3) - 1;"},
		[]string{"x[i] % 3 < 0 ? q - 1 : q => q"}},
	{"divisors", `input("x", i32, "n"), input("z", i32, "n"), output("y", i32, "n")`,
		"int q = x[i] / z[i], r = x[i] % z[i]; y[i] = r != 0 && (r < 0) != (z[i] < 0) ? q - 1 : q;",
		"lambda x, z: x // z", nil, []string{"r != 0 && (r < 0) != (z[i] < 0) ? q - 1 : q => q"}},
	{"shift", `input("x", i32, "n"), output("y", i32, "n")`, "y[i] = x[i] >> 4;", "lambda x: x >> 4",
		[]string{"x[i] >> 4 => (x[i] - (x[i] & 15)) / 16"}, []string{"x[i] >> 4 => int(uint(x[i]) >> 4)"}},
	{"relu", `input("x", i32, "n"), output("y", i32, "n")`, "y[i] = max(x[i], 0);", "lambda x: maximum(x, 0)",
		[]string{"max(x[i], 0) => x[i] & ~(x[i] >> 31)"},
		[]string{"max(x[i], 0) => x[i]", "max(x[i], 0) => int(fmax(float(x[i]), 0.0f))"}},
	{"magnitude", `input("x", i32, "n"), output("y", i32, "n")`, "y[i] = x[i] < 0 ? -x[i] : x[i];", "lambda x: abs(x)",
		nil, []string{"x[i] < 0 ? -x[i] : x[i] => x[i] & 0x7fffffff"}},
	{"larger", `input("x", i32, "n"), input("z", i32, "n"), output("y", i32, "n")`, "y[i] = max(x[i], z[i]);",
		"lambda x, z: maximum(x, z)", []string{"max(x[i], z[i]) => x[i] > z[i] ? x[i] : z[i]"},
		[]string{"max(x[i], z[i]) => uint(x[i]) > uint(z[i]) ? x[i] : z[i]",
			"max(x[i], z[i]) => x[i] - z[i] > 0 ? x[i] : z[i]"}},
	{"larger_unsigned", `input("x", u32, "n"), input("z", u32, "n"), output("y", u32, "n")`, "y[i] = max(x[i], z[i]);",
		"lambda x, z: maximum(x, z)", nil, []string{"max(x[i], z[i]) => uint(max(int(x[i]), int(z[i])))"}},
	{"next", `input("x", i64, "n"), output("y", i64, "n")`, "y[i] = x[i] + 1;", "lambda x: x + 1", nil,
		[]string{"x[i] + 1 => long(uint(x[i])) + 1", "x[i] + 1 => long(int(x[i])) + 1"}},
	{"copy_of_bytes", `input("x", i8, "n"), output("y", i32, "n")`, "y[i] = x[i];", "lambda x: x", nil,
		[]string{"y[i] = x[i] => y[i] = uchar(x[i])"}},
}

// TestIntegers judges them.
func TestIntegers(t *testing.T) {
	for _, k := range ofIntegers {
		file := fmt.Sprintf(`kernel(name = "k", args = [%s], threads = "n", threads_per_threadgroup = 32, `+
			`base = {"n": 200}, oracle = %s)`, k.args, k.oracle)
		for _, change := range append([]string{" => "}, k.same...) {
			for _, r := range decided(t, integerFamily(t, file), k.args, changed(k.body, change)) {
				if r.Status != suite.Pass {
					t.Errorf("%s, %s: %s is rejected: %s", k.name, change, r.Case, r.Text())
				}
			}
		}
		for _, change := range k.faults {
			failed := 0
			for _, r := range decided(t, integerFamily(t, file), k.args, changed(k.body, change)) {
				if r.Status == suite.Fail {
					failed++
				}
			}
			if failed == 0 {
				t.Errorf("%s, %s: passes", k.name, change)
			}
		}
	}
}

func integerFamily(t *testing.T, file string) suite.Family {
	t.Helper()
	family, err := spec.Read(fstest.MapFS{"integers.star": {Data: []byte(file)}}, "integers.star")
	if err != nil {
		t.Fatal(err)
	}
	return family
}
