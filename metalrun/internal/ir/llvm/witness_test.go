package llvm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"metalconform/metalrun/differential"
	"metalconform/metalrun/internal/ir"
)

var (
	address = regexp.MustCompile(`^(%\S+) = getelementptr inbounds (?:nuw )?(float|i8), (?:float\*|ptr) (%\d), ` +
		`i64 (\d+)`)
	loading   = regexp.MustCompile(`^(%\S+) = load float, (?:float\*|ptr) (%\d+)`)
	storing   = regexp.MustCompile(`^store float (\S+), (?:float\*|ptr) (%\d+)`)
	operation = regexp.MustCompile(`^(%\S+) = (fadd|fsub|fmul|fdiv) fast float (\S+), (\S+)`)
	negation  = regexp.MustCompile(`^(%\S+) = fneg fast float (\S+)`)
)

// theirs are the expressions that each function of clang's output stores.
func theirs(t *testing.T, bodies []string) [][]string {
	t.Helper()
	var c strings.Builder
	for i, b := range bodies {
		fmt.Fprintf(&c, "void k%d(const float *restrict p, float *restrict q) {\n%s}\n", i, b)
	}
	file := filepath.Join(t.TempDir(), "k.c")
	if err := os.WriteFile(file, []byte(c.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(differential.Clang(), "-x", "c", "-O2", "-ffast-math", "-fno-vectorize",
		"-fno-slp-vectorize",
		"-w", "-S", "-emit-llvm", "-o", "-", file).CombinedOutput()
	if err != nil {
		t.Fatal(string(out))
	}
	var all [][]string
	names := map[string]string{}
	values := map[string]signed{}
	operand := func(s string) signed {
		if v, ok := values[s]; ok {
			return v
		}
		if bits, ok := strings.CutPrefix(s, "0x"); ok {
			n, _ := strconv.ParseUint(bits, 16, 64)
			return number(math.Float64frombits(n))
		}
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("operand %q", s)
		}
		return number(x)
	}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "define") {
			all = append(all, nil)
			names, values = map[string]string{"%0": "p0", "%1": "q0"}, map[string]signed{}
		}
		if m := address.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[4])
			if m[2] == "i8" {
				n /= 4 // counted in bytes
			}
			names[m[1]] = map[string]string{"%0": "p", "%1": "q"}[m[3]] + strconv.Itoa(n)
		} else if m := loading.FindStringSubmatch(line); m != nil {
			values[m[1]] = signed{false, names[m[2]]}
		} else if m := storing.FindStringSubmatch(strings.ReplaceAll(line, ", align", " ")); m != nil {
			all[len(all)-1] = append(all[len(all)-1], operand(strings.TrimSuffix(m[1], ",")).String())
		} else if m := operation.FindStringSubmatch(line); m != nil {
			a, b := operand(m[3]), operand(strings.TrimSuffix(m[4], ","))
			switch m[2] {
			case "fadd":
				values[m[1]] = combined(ir.Add, a, b)
			case "fsub":
				values[m[1]] = combined(ir.Add, a, signed{!b.minus, b.text})
			case "fmul":
				values[m[1]] = combined(ir.Mul, a, b)
			default:
				values[m[1]] = combined(ir.Div, a, b)
			}
		} else if m := negation.FindStringSubmatch(line); m != nil {
			e := operand(m[2])
			values[m[1]] = signed{!e.minus, e.text}
		}
	}
	return all
}

// scribble writes a program of straight lines.
func scribble(r *rand.Rand, operations string) string {
	var b strings.Builder
	var names []string
	n := 4 + r.IntN(6)
	for i := range n {
		fmt.Fprintf(&b, "float x%d = p[%d];\n", i, i)
		names = append(names, fmt.Sprintf("x%d", i))
	}
	var pool []string
	var e func(depth int) string
	e = func(depth int) string {
		if depth == 0 || r.IntN(6) == 0 {
			if r.IntN(6) == 0 {
				return []string{"2.0f", "0.5f", "3.0f", "1.0f", "6.0f", "0.1f"}[r.IntN(6)]
			}
			if len(pool) == 0 {
				pool = append(pool, names...)
				r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
			}
			name := pool[0]
			pool = pool[1:]
			return name
		}
		if r.IntN(12) == 0 {
			return "-" + "(" + e(depth-1) + ")"
		}
		return "(" + e(depth-1) + " " + string(operations[r.IntN(len(operations))]) + " " + e(depth-1) + ")"
	}
	statements := 1 + r.IntN(4)
	for i := range statements {
		fmt.Fprintf(&b, "float y%d = %s;\n", i, e(1+r.IntN(4)))
		names = append(names, fmt.Sprintf("y%d", i))
	}
	fmt.Fprintf(&b, "q[0] = %s;\n", names[len(names)-1])
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "q[1] = %s;\n", e(2))
	}
	return b.String()
}

// TestWitnessOrder asks clang what it makes of random programs of straight lines in fast math. Where signs
// go, and so which of two sums of one rank is subtracted, differs in some.
func TestWitnessOrder(t *testing.T) {
	witnessed(t, 96, func(body string) string { return body })
}

// TestWitnessSink asks about programs that store under a condition: what they compute in front of it goes where it is
// read.
func TestWitnessSink(t *testing.T) {
	sinks(t)
	witnessed(t, 89, func(body string) string {
		at := strings.Index(body, "q[0]")
		return body[:at] + "if (p[20] > 0.0f) {\n" + body[at:] + "}\n"
	})
}

// TestWitnessEarly asks about programs that return early between what they load and what they compute of it, or
// between that and what they store.
func TestWitnessEarly(t *testing.T) {
	sinks(t)
	for _, behind := range []string{"q[0]", "float y0"} {
		witnessed(t, 89, func(body string) string {
			at := strings.Index(body, behind)
			return body[:at] + "if (p[20] > 0.0f) return;\n" + body[at:]
		})
	}
}

// TestWitnessBoth asks about programs that store under two conditions at once, or return under either.
func TestWitnessBoth(t *testing.T) {
	for _, form := range []string{"if (p[20] > 0.0f && p[21] < 1.0f) {\n%s}\n",
		"if (p[20] > 0.0f || p[21] < 1.0f) return;\n%s"} {
		witnessed(t, 95, func(body string) string {
			at := strings.Index(body, "q[0]")
			return body[:at] + fmt.Sprintf(form, body[at:])
		})
	}
}

// sinks skips a test where clang moves less behind a branch than later versions do.
func sinks(t *testing.T) {
	t.Helper()
	if out, err := exec.Command(differential.Clang(), "-dumpversion").Output(); err == nil &&
		strings.HasPrefix(string(out), "14.") {
		t.Skip("clang 14 sinks by other rules: 15 or later is needed")
	}
}

// witnessed compares 400 programs with clang's, of which so many in a hundred have to be the same.
func witnessed(t *testing.T, share int, form func(body string) string) {
	t.Helper()
	if os.Getenv("CONFORM_WITNESS") == "" {
		t.Skip("CONFORM_WITNESS=1 asks clang")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var bodies []string
	for range 400 {
		bodies = append(bodies, form(scribble(r, "+-*")))
	}
	same := 0
	for i, want := range theirs(t, bodies) {
		f := newFunction(ir.Values(lowered(t, bodies[i])))
		f.simplifyAll()
		if got := stored(f); fmt.Sprint(got) == fmt.Sprint(want) {
			same++
		} else if testing.Verbose() {
			t.Logf("\n%s got %v\nwant %v", bodies[i], got, want)
		}
	}
	t.Logf("%d of %d programs are ordered as clang does", same, len(bodies))
	if same*100 < len(bodies)*share {
		t.Errorf("clang orders the sums and products of %d of %d programs otherwise", len(bodies)-same, len(bodies))
	}
}
