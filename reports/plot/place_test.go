package plot

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"metalconform/reports"
	"metalconform/suite"
)

// Parts of a drawing.
var (
	strokePath = regexp.MustCompile(`<path d="([^"]*)" fill="none" stroke="#[0-9A-F]{6}"[^>]* stroke-width="1.5"`)
	strokes    = regexp.MustCompile(`M([\d.-]+),([\d.-]+)L([\d.-]+),([\d.-]+)`)
	gridPath   = regexp.MustCompile(
		`<path d="(M[^"]*)" fill="none" stroke="currentColor" stroke-opacity="0.25"`)
	dashedPath = regexp.MustCompile(`<path d="(M[^"]*)" fill="none" stroke="currentColor"[^>]*stroke-dasharray="4, ?3"`)
	tickText   = regexp.MustCompile(`<text x="([\d.-]+)" y="-([\d.-]+)"[^>]*>([^<]*)</text>`)
)

// TestRatioPlaces reads the drawing: each ratio stands at its own place on the logarithmic axis, the line of the bound
// at 1, and what is infinite or too small in rows beyond the decades.
func TestRatioPlaces(t *testing.T) {
	draws := rand.New(rand.NewPCG(1, 2))
	sets := [][]float64{
		{1124, 5432, 4.11e9}, {1e-6, 1e10}, {1e-6, 1e10, math.Inf(1)}, {1, 2}, {0.5, 1, 10}, {3e11, 0.25},
		{1124, 5432, math.Inf(1)}, {1e-6, 2e-6}, {0, 1124, 4e9}, {1e10}, {math.Inf(1)}, {1e-9, 3},
	}
	for range 30 {
		var set []float64
		for range 1 + draws.IntN(8) {
			set = append(set, math.Pow(10, 16*draws.Float64()-6))
		}
		sets = append(sets, set)
	}
	for _, ratios := range sets {
		drawn := readPlaces(t, ratios)
		pitch := drawn.pitch()
		if off := drawn.bound - drawn.labels["1"]; math.Abs(off) > 0.1 {
			t.Errorf("%g: the line of the bound is %.2f points from 1", ratios, off)
		}
		for i, r := range ratios {
			want := drawn.labels["1"] + math.Log10(r)*pitch
			switch {
			case r == 0:
				want = drawn.labels["0"]
			case r < 1e-6:
				want = drawn.labels["less"]
			case math.IsInf(r, 1):
				want = drawn.labels["∞"]
			}
			if math.Abs(drawn.marks[i]-want) > 0.2 {
				t.Errorf("%g: %g stands at %.2f, want %.2f", ratios, r, drawn.marks[i], want)
			}
		}
	}
}

// places are heights in a drawing, in points.
type places struct {
	bound  float64
	labels map[string]float64 // of the lines of the grid
	marks  []float64
}

// pitch is the height of a decade.
func (p places) pitch() float64 {
	for name, y := range p.labels {
		if x, err := strconv.ParseFloat(name, 64); err == nil && x > 1 && !math.IsInf(x, 0) {
			return (y - p.labels["1"]) / math.Log10(x)
		}
	}
	return math.NaN()
}

// readPlaces draws cases that fail with these errors over bounds, and reads where they are.
func readPlaces(t *testing.T, ratios []float64) places {
	t.Helper()
	var results []suite.Result
	for i, r := range ratios {
		results = append(results, suite.Result{Case: fmt.Sprintf("k/n=%d/input=normal", 1<<i), Kernel: "k",
			Status: suite.Fail, Elements: 4, Outputs: outputs(r, 1, 1)})
	}
	h := reports.Header{Kernels: []reports.Kernel{{Name: "k", Axes: []string{"n"},
		Bindings: []reports.Binding{{Name: "out", Role: "out", Type: "f32", Extents: []string{"n"}}}}}}
	figures := Data{Run: reports.NewRun(h, results, nil, nil), Bench: NewBench()}.Figures()
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == "k-error_ratio" })
	if i < 0 {
		t.Fatal("no figure of errors over bounds")
	}
	svg := string(figures[i].SVG)
	p := places{labels: map[string]float64{}}
	for _, path := range strokePath.FindAllStringSubmatch(svg, -1) {
		p.marks = nil // the first is the legend's
		for n, s := range strokes.FindAllStringSubmatch(path[1], -1) {
			if n%2 == 0 { // each cross has two
				p.marks = append(p.marks, (parsed(t, s[2])+parsed(t, s[4]))/2)
			}
		}
	}
	var grid []float64
	for _, path := range gridPath.FindAllStringSubmatch(svg, -1) {
		if s := strokes.FindStringSubmatch(path[1]); s[2] == s[4] {
			grid = append(grid, parsed(t, s[2]))
		}
	}
	var texts []string
	heights := map[string]float64{}
	for _, text := range tickText.FindAllStringSubmatch(svg, -1) {
		// Labels of the vertical axis stand in front of the horizontal one, above its own.
		if x, y := parsed(t, text[1]), parsed(t, text[2]); y > 30 && x < 60 && y < 316 {
			texts, heights[text[3]] = append(texts, text[3]), y
		}
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(heights[a], heights[b]) })
	slices.Sort(grid)
	if len(texts) != len(grid) || len(p.marks) != len(ratios) {
		t.Fatalf("%g: %d labels %q, %d lines of the grid, %d marks\n%s", ratios, len(texts), texts, len(grid),
			len(p.marks), svg)
	}
	for i, name := range texts {
		p.labels[name] = grid[i]
	}
	dashed := strokes.FindStringSubmatch(dashedPath.FindStringSubmatch(svg)[1])
	p.bound = parsed(t, dashed[2])
	return p
}

func parsed(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
