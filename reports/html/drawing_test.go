package html

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"strings"
	"testing"

	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/metrics"

	"github.com/google/go-cmp/cmp"
)

// Cells are where the output has them, in the ranges that they stand for.
func TestHeatMap(t *testing.T) {
	type want struct {
		Down, Across string
		Ticks, Sides string
		Worst        []worstCell
	}
	for _, test := range []struct {
		name    string
		m       metrics.Map
		extents []int
		axes    []string
		want    want
	}{
		{
			"two axes", metrics.Map{Rows: 2, Columns: 3, Groups: 2, Block: [2]int{1, 1}, Cells: "ABBBqu"}, []int{2, 3},
			[]string{"h (2)", "k (3)"},
			want{"h (2)", "k (3)", "0 1 2", "0|1", []worstCell{{"1", "2", "at most 2.00"}, {"1", "1", "at most 1.00"}}},
		},
		{
			"blocks that end early", metrics.Map{Rows: 2, Columns: 2, Groups: 1, Block: [2]int{2, 4}, Cells: "BBB/"},
			[]int{3, 6}, []string{"h", "k"},
			want{"h", "k", "0 4", "0|2", []worstCell{{"2", "4 to 5", "more than 30"}}},
		},
		{
			"groups of slabs", metrics.Map{Rows: 4, Columns: 1, Groups: 2, Block: [2]int{4, 2}, Cells: "BBqB"},
			[]int{2, 3, 2, 2}, []string{"b", "t", "h", "k"},
			want{"b, t, h", "k", "0", "0, 0, 0|0, 2, 0|1, 0, 0|1, 2, 0",
				[]worstCell{{"1, 0, 0 to 1, 1, 1", "0 to 1", "at most 1.00"}}},
		},
		{
			"one axis by lanes", metrics.Map{Rows: 3, Columns: 32, Groups: 1, Block: [2]int{1, 1},
				Cells: strings.Repeat("B", 33) + "q" + strings.Repeat("B", 62)}, []int{70}, []string{"dim"},
			want{"dim, 32 to a row", "lane", "0 4 8 12 16 20 24 28", "0|32|64",
				[]worstCell{{"32", "1", "at most 1.00"}}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newHeatMap(&test.m, test.extents, test.axes)
			texts := func(ticks []tick) []string {
				var list []string
				for _, x := range ticks {
					list = append(list, x.Text)
				}
				return list
			}
			got := want{d.Down, d.Across, strings.Join(texts(d.Ticks), " "), strings.Join(texts(d.Sides), "|"), d.Worst}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if drawn := cellsOf(t, d.Layers); drawn != test.m.Rows*test.m.Columns {
				t.Errorf("%d of %d cells are drawn", drawn, test.m.Rows*test.m.Columns)
			}
		})
	}
	if d := newHeatMap(&metrics.Map{Rows: 2, Columns: 2, Groups: 1, Block: [2]int{1, 1}, Cells: "BB"}, []int{2, 2},
		[]string{"a", "b"}); d != nil {
		t.Error("a map without all of its cells is drawn")
	}
}

// cellsOf counts the cells of paths.
func cellsOf(t *testing.T, layers []layer) int {
	t.Helper()
	n := 0
	for _, l := range layers {
		for _, run := range strings.Split(l.Path, "M")[1:] {
			var x, y, width, back int
			if _, err := fmt.Sscanf(run, "%d %dh%dv1h-%dz", &x, &y, &width, &back); err != nil || width != back {
				t.Fatalf("%q: %v", run, err)
			}
			n += width
		}
	}
	return n
}

// A shade holds what its legend says, and errors beyond the bound have others than
// those within.
func TestShades(t *testing.T) {
	for c, want := range map[byte]string{'A': "none", 'B': "a", 'S': "b", 'a': "c", 'i': "d", 'm': "e", 'q': "f",
		'u': "g", 'v': "h", '3': "i", '/': "i"} {
		if got := shadeOf(c); got != want {
			ratio, judged := metrics.Level(c)
			t.Errorf("%c (%g, %v) has the shade %q, want %q", c, ratio, judged, got, want)
		}
	}
}

func TestHistogram(t *testing.T) {
	d := newHistogram(metrics.Histogram{-24: 1, -7: 3, 0: 100, 24: 5})
	var got []string
	for _, b := range d.Bars {
		got = append(got, fmt.Sprintf("%s to %s: %d", b.Near, b.Far, b.Count))
	}
	want := []string{"−∞ to −2^20: 1", "−16 to −8: 3", "0 to 0: 100", "2^20 to ∞: 5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	for _, b := range d.Bars {
		if b.X < 0 || b.X+b.Width > d.Width || b.Y < 0 || b.Y+b.Height != d.Height {
			t.Errorf("%+v is out of the drawing", b)
		}
		if b.Exact != (b.Count == 100) || b.Exact != (b.Height == d.Height) {
			t.Errorf("%+v: the highest is that of no error", b)
		}
	}
	if newHistogram(nil) != nil {
		t.Error("a histogram of nothing is drawn")
	}
}

// A term has its share of the bound, and one that vanishes is not shown.
func TestTerms(t *testing.T) {
	sum, rounding := suite.Term{Label: "sum", Value: 0.3}, suite.Term{Label: "rounding to bf16", Value: 0.1}
	want := []term{{sum, 75}, {rounding, 25}}
	if diff := cmp.Diff(want,
		terms(suite.Bound{Value: 0.4, Terms: []suite.Term{sum, {Label: "exp"}, rounding}})); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
	if got := terms(suite.Bound{Value: 1}); got != nil {
		t.Errorf("a bound of unknown origin has the terms %v", got)
	}
}

// Errors are in units of the format of their output, at what the element should be.
func TestInUlps(t *testing.T) {
	r := suite.Result{Outputs: []metrics.Output{{Output: "a", Type: "bf16"}, {Output: "b", Type: "f32"},
		{Output: "i", Type: "i32"}}}
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		arg             string
		want, err, ulps float64
	}{
		{"a", 1.5, 1. / 128, 1}, {"b", 1.5, 1. / 128, 65536}, {"a", -3, 1. / 64, 1}, {"i", 3, 1, 0}, {"a", nan, 1, 0},
		{"a", inf, 1, 0}, {"other", 1, 1, 0}, {"a", 1, math.MaxFloat64, 0},
	} {
		if got := inUlps(r, suite.Failure{Arg: test.arg, Want: new(suite.Value(test.want)), Error: test.err}); got !=
			test.ulps {
			t.Errorf("%g at %g of %s is %g ulp, want %g", test.err, test.want, test.arg, got, test.ulps)
		}
	}
	if got := inUlps(suite.Result{}, suite.Failure{Type: "f16", Want: new(suite.Value(1)), Error: 0x1p-11}); got != 1 {
		t.Errorf("an error of a failure with its type is %g ulp, want 1", got)
	}
}

// A painted line says what the line says, with comments across lines.
func TestPaint(t *testing.T) {
	lines := strings.Split(shader+"a /* b */ c // d\nx / y / 2.5e3f\n/*/ open */ int\n// \"é\"\n", "\n")
	tags := regexp.MustCompile(`<[^>]*>`)
	painted := paint(lines)
	for i, line := range lines {
		if got := html.UnescapeString(tags.ReplaceAllString(string(painted[i]), "")); got != line {
			t.Errorf("%q is shown as %q", line, got)
		}
	}
	for line, want := range map[int]string{
		0:  `<span class="directive">#include &lt;metal_stdlib&gt;</span>`,
		2:  `<span class="comment">   c */</span>`,
		6:  `    s[<span class="number">0</span>] = out[<span class="number">1</span>];`,
		10: `a <span class="comment">/* b */</span> c <span class="comment">// d</span>`,
		12: `<span class="comment">/*/ open */</span> <span class="keyword">int</span>`,
	} {
		if string(painted[line]) != want {
			t.Errorf("line %d is %s, want %s", line+1, painted[line], want)
		}
	}
}

func TestEntryPoint(t *testing.T) {
	lines := strings.Split("}\n\n// Scales.\nkernel void a(\n  int x)\n{\n  }\n}\nkernel void b() {\n}", "\n")
	for at, want := range map[int][2]int{4: {3, 8}, 9: {9, 10}, 0: {1, 0}, 99: {1, 0}} {
		if first, last := entryPoint(lines, at); [2]int{first, last} != want {
			t.Errorf("of line %d it is %d to %d, want %v", at, first, last, want)
		}
	}
}

// TestMeaning: pages show no figure that says nothing: the zeros of an output of which nothing was measured, the cosine
// of integers, or an error that is infinitely many times its bound.
func TestMeaning(t *testing.T) {
	values := func(ratio, cosine float64) metrics.Values {
		return metrics.Values{{Key: metrics.ErrorRatio, Value: ratio}, {Key: metrics.Cosine, Value: cosine}}
	}
	for _, test := range []struct {
		name   string
		output metrics.Output
		want   string
	}{
		{"floats", metrics.Output{Type: "f32", Elements: 4, Metrics: values(0.5, 0.25)}, "0.500 0.250000000"},
		{"integers", metrics.Output{Type: "i32", Elements: 4, Metrics: values(0.5, 0.25)}, "0.500"},
		{"exact", metrics.Output{Type: "f32", Elements: 4, Metrics: values(math.MaxFloat64, 0.25)}, "0.250000000"},
		{"nothing measured", metrics.Output{Type: "f32", Metrics: values(0, 1)}, ""},
		{"nothing finite", metrics.Output{Type: "f32", Metrics: values(3, 1)}, "3.00 1.000000000"},
	} {
		r := suite.Result{Status: suite.Fail, Elements: 4, Outputs: []metrics.Output{test.output}}
		var got []string
		for _, o := range reports.Meaningful(r) {
			for _, x := range readings(o, metrics.All()) {
				got = append(got, x.Text)
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %q, want %q", test.name, text, test.want)
		}
		for _, c := range cells(metrics.All().Shown(metrics.InTables), worst(r)) {
			if c.Known && strings.Contains(c.Text, "∞") {
				t.Errorf("%s: a table has %q", test.name, c.Text)
			}
		}
	}
}
