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
		[]string{"x[i] % 3 < 0 ? q - 1 : q => q", "int q = x[i] / 3 => int q = int(float(x[i]) / 3.0f)"}},
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
	{"next_unsigned", `input("x", u64, "n"), output("y", u64, "n")`, "y[i] = x[i] / 10;", "lambda x: x // 10",
		[]string{"x[i] / 10 => mulhi(x[i], 0xcccccccccccccccdul) >> 3"},
		[]string{"x[i] / 10 => ulong(long(x[i]) / 10)", "x[i] / 10 => (x[i] & ~3ul) / 10"}},
	{"copy", `input("x", i32, "n"), output("y", i32, "n")`, "y[i] = x[i];", "lambda x: x", nil,
		[]string{"y[i] = x[i] => y[i] = int(float(x[i]))"}},
	{"low_half", `input("x", u32, "n"), output("y", u32, "n")`, "y[i] = x[i] & 0xffff;", "lambda x: x & 0xffff",
		[]string{"x[i] & 0xffff => uint(float(x[i] & 0xffff))"},
		[]string{"x[i] & 0xffff => uint(half(x[i] & 0xffff))"}},
	{"high_half_of_a_product", `input("x", u32, "n"), input("z", u32, "n"), output("y", u32, "n")`,
		"y[i] = mulhi(x[i], z[i]);", "lambda x, z: (x * z) >> 32",
		[]string{"mulhi(x[i], z[i]) => uint((ulong(x[i]) * z[i]) >> 32)"},
		[]string{"mulhi(x[i], z[i]) => uint(mulhi(int(x[i]), int(z[i])))",
			"mulhi(x[i], z[i]) => uint(float(x[i]) * float(z[i]) * 0x1p-32f)"}},
	{"signed_product", `input("x", i32, "n"), input("z", i32, "n"), output("y", i64, "n")`,
		"y[i] = long(x[i]) * z[i];", "lambda x, z: x * z", nil,
		[]string{"long(x[i]) * z[i] => long(x[i] * z[i])", "long(x[i]) * z[i] => long(uint(x[i])) * z[i]"}},
	{"murmur", `input("x", u32, "n"), output("y", u32, "n")`,
		"uint k = x[i] * 0xcc9e2d51u; k = (k << 15) | (k >> 17); uint h = 42u ^ (k * 0x1b873593u); " +
			"h = ((h << 13) | (h >> 19)) * 5u + 0xe6546b64u; h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; " +
			"h *= 0xc2b2ae35u; y[i] = h ^ (h >> 16);",
		"murmur", []string{"(k << 15) | (k >> 17) => rotate(k, 15u)"}, []string{"h >> 13; => h >> 12;", "5u => 6u"}},
	{"splitmix", `input("x", u64, "n"), output("y", u64, "n")`,
		"ulong z = x[i] + 0x9e3779b97f4a7c15ul; z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul; " +
			"z = (z ^ (z >> 27)) * 0x94d049bb133111ebul; y[i] = z ^ (z >> 31);",
		"splitmix", nil, []string{"z >> 27 => z >> 28", "z >> 31 => z >> 63"}},
	{"sums_of_rows", `input("x", i32, "n", 5), output("y", i64, "n")`,
		"long s = 0; for (int j = 0; j < 5; j++) s += x[5 * i + j]; y[i] = s;", "lambda x: sum(x, 1)", nil,
		[]string{"long s = 0 => int s = 0", "long s = 0 => float s = 0"}},
	{"last_of_the_running_largest", `input("x", i64, "n", 4), output("y", i64, "n")`,
		"long s = x[4 * i]; for (int j = 1; j < 4; j++) s = max(s, x[4 * i + j]); y[i] = s;",
		"lambda x: cummax(x)[:, 3]", nil, []string{"max(s, x[4 * i + j]) => long(max(float(s), float(x[4 * i + j])))"}},
	{"copy_of_bytes", `input("x", i8, "n"), output("y", i32, "n")`, "y[i] = x[i];", "lambda x: x", nil,
		[]string{"y[i] = x[i] => y[i] = uchar(x[i])"}},
}

// hashes are definitions of several lines.
const hashes = `def murmur(x):
    k = u32(x * 0xcc9e2d51)
    k = u32(k << 15) | (k >> 17)
    h = 42 ^ u32(k * 0x1b873593)
    h = u32((u32(h << 13) | (h >> 19)) * 5 + 0xe6546b64)
    h = u32((h ^ (h >> 16)) * 0x85ebca6b)
    h = u32((h ^ (h >> 13)) * 0xc2b2ae35)
    return h ^ (h >> 16)
def splitmix(x):
    z = u64(x + 0x9e3779b97f4a7c15)
    z = u64((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9)
    z = u64((z ^ (z >> 27)) * 0x94d049bb133111eb)
    return z ^ (z >> 31)
`

// TestIntegers judges them.
func TestIntegers(t *testing.T) {
	for _, k := range ofIntegers {
		file := hashes + fmt.Sprintf(`kernel(name = "k", args = [%s], threads = "n", threads_per_threadgroup = 32, `+
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
	family, err := new(spec.Limits).Read(fstest.MapFS{"integers.star": {Data: []byte(file)}}, "integers.star")
	if err != nil {
		t.Fatal(err)
	}
	return family
}
