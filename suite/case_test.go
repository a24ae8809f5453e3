package suite

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
	"metalconform/oracles"
)

func names(cases []Case) []string {
	var n []string
	for _, c := range cases {
		n = append(n, c.Set.String()+" "+c.Name)
	}
	return n
}

func TestCases(t *testing.T) {
	k := Kernel{
		Name: "k", Axes: []Axis{"b", "a"},
		Sweep: Sweep{
			Shapes:  Around(Shape{"a": 1, "b": 2}, Vary("a", 1, 3)),
			Full:    Cross(Shape{"a": 7}, Vary("b", 8)),
			Probes:  []Shape{{"a": 1, "b": 2}},
			Refused: []Shape{{"a": 0, "b": 0}},
			Inputs:  []Input{{Name: "x"}, {Name: "y", Only: func(s Shape) bool { return s["a"] == 1 }}},
		},
	}
	families := []Family{{Name: "f", Kernels: []Kernel{k}}}
	quick := []string{
		"quick k/b=2/a=1/input=x", "quick k/b=2/a=3/input=x",
		"quick k/b=2/a=1/input=y",
		"quick k/b=0/a=0/input=refused",
	}
	if diff := cmp.Diff(quick, names(Cases(families, Quick))); diff != "" {
		t.Errorf("quick (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(append(quick, "full k/b=8/a=7/input=x"), names(Cases(families, Full))); diff != "" {
		t.Errorf("full (-want +got):\n%s", diff)
	}
}

func TestShapes(t *testing.T) {
	cross := Cross(Shape{"a": 1}, Vary("b", 1, 2), Vary("c", 3, 4))
	if diff := cmp.Diff([]Shape{{"a": 1, "b": 1, "c": 3}, {"a": 1, "b": 1, "c": 4}, {"a": 1, "b": 2, "c": 3},
		{"a": 1, "b": 2, "c": 4}}, cross); diff != "" {
		t.Errorf("Cross (-want +got):\n%s", diff)
	}
	around := Around(Shape{"a": 1, "b": 2}, Vary("a", 1, 5), Vary("b", 6))
	if diff := cmp.Diff([]Shape{{"a": 1, "b": 2}, {"a": 5, "b": 2}, {"a": 1, "b": 6}}, around); diff != "" {
		t.Errorf("Around (-want +got):\n%s", diff)
	}
	s := Shape{"a": 7}
	for _, test := range []struct {
		e    Extent
		want int
	}{{Axis("a"), 7}, {Fixed(3), 3}, {Ceil(Axis("a"), 4), 2}, {Ceil(Axis("a"), 7), 1},
		{Product(Axis("a"), Fixed(3)), 21}, {Product(), 1}} {
		if got := test.e.Size(s); got != test.want {
			t.Errorf("%v: got %d, want %d", test.e, got, test.want)
		}
	}
}

// TestInputsDependOnNameAndSeedOnly draws the same buffers again, and others
// for another case, argument or seed.
func TestInputsDependOnNameAndSeedOnly(t *testing.T) {
	k := product()
	c := Cases([]Family{{Kernels: []Kernel{k}}}, Quick)[0]
	draw := func(c Case, a Arg, seed uint64) []float64 {
		b, err := newBuffer(c, a, seed)
		if err != nil {
			t.Fatal(err)
		}
		return b.values()
	}
	x := draw(c, k.Args[argX], 1)
	if diff := cmp.Diff(x, draw(c, k.Args[argX], 1)); diff != "" {
		t.Errorf("the same case differs:\n%s", diff)
	}
	other, renamed := c, k.Args[argX]
	other.Name += "2"
	renamed.Name = "x2"
	for what, y := range map[string][]float64{
		"seed": draw(c, k.Args[argX], 2), "case": draw(other, k.Args[argX], 1), "argument": draw(c, renamed, 1),
	} {
		if cmp.Equal(x, y) {
			t.Errorf("another %s has the same inputs", what)
		}
	}
	// The first numbers are part of every recorded result: they must not move.
	if x[0] != -0.3253730237483978 {
		t.Errorf("the first input of %s is %v", c.Name, x[0])
	}
}

// TestFills holds each family to what its name says.
func TestFills(t *testing.T) {
	const n = 1000
	draw := func(f Fill) []float64 {
		x := make([]float64, n)
		f(Generator("case", "x", 1), nil, x)
		return x
	}
	every := func(x []float64, ok func(float64) bool) bool {
		for _, v := range x {
			if !ok(v) {
				return false
			}
		}
		return true
	}
	sum := func(x []float64) (s, a float64) {
		for _, v := range x {
			s += v
			a += math.Abs(v)
		}
		return s, a
	}
	if s, a := sum(draw(Normal)); math.Abs(s) > 0.15*n || a < 0.7*n || a > 0.9*n {
		t.Errorf("normal: sum %g, sum of magnitudes %g", s, a)
	}
	if s, a := sum(draw(Cancelling)); math.Abs(s) > 1e-4*a {
		t.Errorf("cancelling: sum %g of magnitudes %g", s, a)
	}
	if !every(draw(Positive), func(v float64) bool { return 0.5 <= v && v < 1.5 }) {
		t.Error("positive leaves [0.5, 1.5)")
	}
	var extreme float64
	for _, v := range draw(Extremes) {
		extreme += v
		if m := math.Abs(v); m != 1 && m != 0x1p-126 && m != oracles.BF16.Max() {
			t.Errorf("an extreme is %g", v)
		}
	}
	if math.Abs(extreme) < 0.999*oracles.BF16.Max() || math.Abs(extreme) > oracles.F32.Max() {
		t.Errorf("extremes add up to %g", extreme)
	}
	if !every(draw(Integers), func(v float64) bool { return v == math.Trunc(v) && math.Abs(v) <= 4 }) {
		t.Error("integers are not small integers")
	}
	small := 0
	for _, v := range draw(Subnormal) {
		if math.Abs(v) < 0x1p-126 && F32.Round(v) != 0 {
			small++
		}
	}
	if small < n/2 {
		t.Errorf("%d of %d are subnormal", small, n)
	}
	if !every(draw(Zeros), func(v float64) bool { return v == 0 }) {
		t.Error("zeros are not zero")
	}
	low, high := math.Inf(1), 0.0
	for _, v := range draw(Wide) {
		low, high = min(low, math.Abs(v)), max(high, math.Abs(v))
	}
	if low > 0x1p-18 || high < 0x1p18 {
		t.Errorf("wide goes from %g to %g", low, high)
	}
	odd := 0
	for _, v := range draw(OneOf(Every(2), math.NaN())) {
		if math.IsNaN(v) {
			odd++
		} else if v != 2 {
			t.Errorf("OneOf left %v, want 2", v)
		}
	}
	if odd != 1 {
		t.Errorf("%d elements are NaN, want 1", odd)
	}
}

func TestIntegerFillsWrap(t *testing.T) {
	for _, typ := range []Type{U8, U16, U32, I32} {
		b, err := newBuffer(Case{Name: "c", Kernel: &Kernel{}, Shape: Shape{}}, In("a", typ, Fixed(100)), 1)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[uint32]bool{}
		for _, w := range b.words() {
			seen[w] = true
		}
		if len(seen) < 70 {
			t.Errorf("%s: %d different words of 100", typ, len(seen))
		}
	}
}

func TestScalars(t *testing.T) {
	a := Params("p", Field{Name: "a", Type: U8, Value: Fixed(200)}, Field{Name: "b", Type: U32},
		Field{Name: "c", Type: F16, Value: Number(1.5)}, Field{Name: "d", Type: I32, Value: Fixed(-2)})
	got := a.inline(Shape{}, Launch{Set: map[string]float64{"b": 1 << 31}})
	want := []byte{200, 0, 0, 0, 0, 0, 0, 0x80, 0x00, 0x3e, 0, 0, 0xfe, 0xff, 0xff, 0xff}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, f := range []Field{{Name: "a", Type: U8, Value: Fixed(256)}, {Name: "a", Type: U32, Value: Fixed(-1)},
		{Name: "a", Type: U32}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is accepted", f)
				}
			}()
			Params("p", f).inline(Shape{}, Launch{})
		}()
	}
}

// Every file is compiled, and those that the front end or the device refuses are listed
// with their positions.
func TestCompileShaders(t *testing.T) {
	s := shadersOf(t, map[string]string{
		"a.metal": "kernel product", "b.metal": "\n  oops", "c.metal": "kernel other",
	})
	compiled := func(r metalrun.Runner) (list []string) {
		broken, err := s.Compile(r, []Case{{Kernel: &Kernel{}}})
		for _, b := range broken {
			list = append(list, b.Error())
		}
		if err != nil {
			list = append(list, err.Error())
		}
		return list
	}
	const b = `b.metal does not compile: b.metal:2:3: unknown type name 'oops'`
	if diff := cmp.Diff([]string{b}, compiled(&runnertest.Runner{})); diff != "" {
		t.Errorf("refused by the front end (-want +got):\n%s", diff)
	}
	want := []string{"a.metal does not compile: too old", b, "c.metal does not compile: too old"}
	if diff := cmp.Diff(want, compiled(&runnertest.Runner{Refuse: errors.New("too old")})); diff != "" {
		t.Errorf("refused by the device (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{b}, compiled(&runnertest.Runner{Refuse: metalrun.ErrUnsupported})); diff != "" {
		t.Errorf("a device that lacks what they need (-want +got):\n%s", diff)
	}
	s = shadersOf(t, map[string]string{"a.metal": "kernel product"})
	if diff := cmp.Diff([]string{"a.metal: device unusable"},
		compiled(&runnertest.Runner{Refuse: metalrun.ErrUnusable})); diff != "" {
		t.Errorf("a device that does not answer (-want +got):\n%s", diff)
	}
}

func TestOpenShaders(t *testing.T) {
	s, err := OpenShaders(files(map[string]string{
		"b/two.metal": "kernel two", "one.metal": "kernel one\nkernel zero", "notes.txt": "kernel no",
		"bad.metal": "oops",
	}), analyseNames)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"one", "two", "zero"}, s.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	file, info, err := s.Find("zero")
	if err != nil || file != "one.metal" || info.Position.Line != 2 {
		t.Errorf("zero is in %s:%d, %v", file, info.Position.Line, err)
	}
	if _, _, err := s.Find("no"); !errors.Is(err, ErrAbsent) {
		t.Errorf("no: %v, want %v", err, ErrAbsent)
	}
	var broken *BrokenFile
	if _, _, err := s.Find("oops"); !errors.As(err, &broken) || broken.File != "bad.metal" ||
		broken.Diagnostics[0].Line != 1 {
		t.Errorf("oops: %v, want the diagnostics of its file", err)
	}
	if _, err := OpenShaders(files(nil), analyseNames); err == nil ||
		!strings.Contains(err.Error(), "no .metal files") {
		t.Errorf("an empty directory: %v", err)
	}
}

// Of files that are trusted, those that may have a kernel are analysed when it is asked for.
func TestOpenTrusted(t *testing.T) {
	var asked []string
	s, err := OpenTrusted(files(map[string]string{
		"a.metal": "kernel one", "b.metal": "kernel two", "c.metal": "kernel twofold\nkernel a_two",
	}), func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
		asked = append(asked, src.Name)
		return analyseNames(src, opts)
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if file, _, err := s.Find("two"); err != nil || file != "b.metal" {
			t.Errorf("two is in %s, %v", file, err)
		}
	}
	if _, _, err := s.Find("tw"); !errors.Is(err, ErrAbsent) {
		t.Errorf("tw: %v, want %v", err, ErrAbsent)
	}
	if diff := cmp.Diff([]string{"b.metal"}, asked); diff != "" {
		t.Errorf("analysed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a_two", "one", "two", "twofold"}, s.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
