package html

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"html/template"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/metalrun/forecast"
	"metalconform/reports"
	"metalconform/reports/plot"
	"metalconform/suite"
	"metalconform/suite/metrics"
	"metalconform/suite/mutate"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the pages that are kept in testdata")

// handMade is the run that the other formats are tested with, against one in which
// some of it was otherwise, with a map, a finding within a shader and mutants.
func handMade(t *testing.T) Site {
	t.Helper()
	file := filepath.Join("..", "testdata", "report.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	run, ok, err := reports.Read(bytes.NewReader(text), file)
	if err != nil || !ok {
		t.Fatalf("%v, %v", run.Flaws, err)
	}
	run.Shaders = map[string]reports.Shader{"b.metal": {SHA256: "f00d", Text: shader}}
	for i := range run.Kernels {
		if run.Kernels[i].Name == "scale" {
			run.Kernels[i].Line = 4
		}
	}
	run.Kernels = append(run.Kernels, reports.Kernel{Name: "zip", Family: "c", Pipeline: []string{"copy", "scale"}})
	r := &run.Results[3]
	r.Outputs = []metrics.Output{{
		Output: "out", Type: "f32", Extents: []int{2, 5}, Elements: 10,
		Metrics: metrics.Values{{Key: metrics.ErrorRatio, Value: 2, At: []int{0, 3}},
			{Key: metrics.Scaled, Value: 9, At: []int{0, 3}}, {Key: metrics.Cosine, Value: 0.5}},
		Histogram: metrics.Histogram{-7: 1, 0: 9},
		Slices: []metrics.Slices{
			{By: "row", Of: 2, Metrics: metrics.Values{{Key: metrics.Cosine, Value: 0.25, At: []int{1, 0}}}},
		},
		Map: &metrics.Map{Rows: 2, Columns: 5, Groups: 1, Block: [2]int{1, 1}, Cells: "BBBuBBBBBB",
			Lanes: "BBBu" + strings.Repeat("B", 6) + strings.Repeat("A", 22), Tile: strings.Repeat("B", 64)},
	}}
	if f := r.Failures[0]; f.Index != nil {
		r.Explained = &suite.Background{
			Scalars: []suite.NamedScalar{{Name: "n", Type: "u32", Value: 1}},
			Inputs: []suite.Summary{{Arg: "x<", Type: "f32", Axes: []string{"n"}, Extents: []int{1},
				Origin: suite.Origin{Inputs: "normal"}, Elements: 1, Min: 2, Max: 2}},
			Element: &suite.Account{Output: f.Arg, Type: "f32", Index: f.Index, Want: 2, Check: f.Check},
		}
	}
	before := run
	before.Commit = "fedcba9"
	before.Results = append([]suite.Result(nil), run.Results...)
	before.Results[3].Status, before.Results[6].Status = suite.Pass, suite.Fail
	return Site{
		View: reports.View{Run: run, Against: reports.Compare(reports.Set{Run: before}, reports.Set{Run: run},
			reports.DefaultPolicy()), Metrics: few()}, Figures: plot.All(run, &before), Trends: Month(),
		Mutants: &Mutation{
			MutationHeader: reports.MutationHeader{Rule: "verdict", Sweep: "quick", Mutants: 2},
			Mutants: []mutate.Mutant{
				{ID: "b.metal:4:1 <x>", File: "b.metal", Line: 4, Family: "b", Function: "scale",
					Kernels: []string{"scale"}, Operator: "relational", Diff: "-a < b\n+a > b\n",
					Fate: mutate.Survived},
				{ID: "b.metal:5:1", File: "b.metal", Line: 5, Family: "b", Function: "scale",
					Kernels: []string{"scale"}, Operator: "relational", Fate: mutate.Killed, Check: suite.CheckBound},
			},
		},
	}
}

// few are the metrics that the run has: the pages in testdata are of no others.
func few() metrics.Table {
	return slices.DeleteFunc(metrics.All(), func(m metrics.Metric) bool {
		return m.Key != metrics.ErrorRatio && m.Key != metrics.Scaled && m.Key != metrics.Cosine
	})
}

// shader is one with what has to be escaped.
const shader = `#include <metal_stdlib>
/* a < b &&
   c */
kernel void scale(device float* out [[buffer(0)]]) // "out"
{
    threadgroup float s[2];
    s[0] = out[1];

    out[0] = s[1] < 1.5f ? 1.0f : s[0];
}
`

// pages writes a site into memory.
func pages(t *testing.T, s Site) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := newSite(s).write(func(name string, text []byte) error {
		if _, there := all[name]; there {
			t.Errorf("%s is written twice", name)
		}
		all[name] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A mistake of this program that one page brings up leaves out that page, whatever it is a page of, and no other: the
// error names it. What keeps pages from being written ends the rest.
func TestPagesApart(t *testing.T) {
	all := pages(t, handMade(t))
	for broken := range all {
		written := map[string]bool{}
		err := newSite(handMade(t)).write(func(name string, _ []byte) error {
			if name == broken {
				panic("planted")
			}
			written[name] = true
			return nil
		})
		var internal *crash.Crash
		if !errors.As(err, &internal) || len(written) != len(all)-1 || written[broken] {
			t.Errorf("without %s: %d pages of %d, %v", broken, len(written), len(all), err)
		}
		if path.Dir(broken) != "." && !strings.Contains(err.Error(), broken+": internal error: planted") {
			t.Errorf("without %s: %v", broken, err)
		}
	}
	site, n := newSite(handMade(t)), 0
	template.Must(site.templates.Parse(`{{define "kernel"}}{{.Body.Nothing}}{{end}}`))
	err := site.write(func(string, []byte) error { n++; return nil })
	if kernels := len(site.table.Rows); n != len(all)-kernels || err == nil ||
		strings.Count(err.Error(), "internal error") != min(kernels, mostCrashes) {
		t.Errorf("with a template that fails: %d pages of %d, %v", n, len(all), err)
	}
	full, n := errors.New("full"), 0
	if err := newSite(handMade(t)).write(func(string, []byte) error { n++; return full }); !errors.Is(err, full) ||
		n != 1 {
		t.Errorf("on a full disk: %d pages, %v", n, err)
	}
}

// foreign is what is the same in every page, and plots.
var foreign = regexp.MustCompile(`(?s)<(style|script|svg xmlns)[^>]*>.*?</(?:style|script|svg)>`)

// The front page and that of a failure are as they are kept in testdata, but for
// the style, the script and plots.
func TestPages(t *testing.T) {
	all := pages(t, handMade(t))
	for golden, name := range map[string]string{"front.html": "index.html",
		"case.html": "cases/scale,n=1,input=normal.html"} {
		golden = filepath.Join("testdata", golden)
		got := foreign.ReplaceAllString(all[name], "<$1/>")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got; -update writes it):\n%s", golden, diff)
		}
	}
}

// The same run gives the same bytes.
func TestSameBytes(t *testing.T) {
	if diff := cmp.Diff(pages(t, handMade(t)), pages(t, handMade(t))); diff != "" {
		t.Errorf("pages (-first +second):\n%s", diff)
	}
}

// document is what tests ask of a page.
type document struct {
	ids   map[string]bool
	links []string // of a elements
	text  string   // without the script's data
	names map[string]int
}

// apart are elements whose text is no markup.
var apart = regexp.MustCompile(`(?s)(<(?:style|script)[^>]*>).*?(</(?:style|script)>)`)

// parse reads a page, which has to be well formed as XML.
func parse(t *testing.T, name, text string) document {
	t.Helper()
	d := document{ids: map[string]bool{}, names: map[string]int{}}
	var said strings.Builder
	x := xml.NewDecoder(strings.NewReader(apart.ReplaceAllString(text, "$1$2")))
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			d.text = said.String()
			return d
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch token := token.(type) {
		case xml.CharData:
			said.Write(token)
		case xml.StartElement:
			d.element(t, name, token)
		}
	}
}

func (d *document) element(t *testing.T, name string, e xml.StartElement) {
	t.Helper()
	d.names[e.Name.Local]++
	for _, a := range e.Attr {
		switch key := a.Name.Local; {
		case key == "id":
			if d.ids[a.Value] {
				t.Errorf("%s: two elements are called %q", name, a.Value)
			}
			d.ids[a.Value] = true
		case key == "href":
			d.links = append(d.links, a.Value)
		case key == "src", strings.HasPrefix(key, "on"), key == "href" && e.Name.Local != "a":
			t.Errorf("%s: <%s> has the attribute %s=%q", name, e.Name.Local, key, a.Value)
		}
	}
}

// The page of a pipeline leads to the kernels that it launches, and theirs back.
func TestPipelinePages(t *testing.T) {
	all := pages(t, handMade(t))
	for page, link := range map[string]string{"kernels/zip.html": "../kernels/copy.html",
		"kernels/scale.html": "../kernels/zip.html"} {
		if !slices.Contains(parse(t, page, all[page]).links, link) {
			t.Errorf("%s does not lead to %s", page, link)
		}
	}
}

// Every page is well formed and leads to nothing but pages that are there, and
// anchors in them.
func TestLinks(t *testing.T) {
	checkLinks(t, pages(t, handMade(t)))
}

func checkLinks(t *testing.T, all map[string]string) {
	t.Helper()
	documents := map[string]document{}
	for name, text := range all {
		documents[name] = parse(t, name, text)
		if strings.Contains(strings.ReplaceAll(text, `xmlns="http://www.w3.org/2000/svg"`, ""), "://") {
			t.Errorf("%s names something outside of the report", name)
		}
	}
	for name, d := range documents {
		for _, link := range d.links {
			to, anchor, _ := strings.Cut(link, "#")
			target := path.Join(path.Dir(name), to)
			if to == "" {
				target = name
			}
			switch other, there := documents[target]; {
			case !there:
				t.Errorf("%s leads to %s, which is not there", name, link)
			case anchor != "" && !strings.Contains(anchor, "=") && !other.ids[anchor]:
				t.Errorf("%s leads to %s, which has no such anchor", name, link)
			}
		}
	}
}

// Each failure is two links at most from the front page: its element with what it
// should be and the command that repeats it, or the positions of a finding.
func TestTwoClicks(t *testing.T) {
	s := handMade(t)
	all := pages(t, s)
	near := map[string]bool{"index.html": true}
	for range 2 {
		for name := range maps.Clone(near) {
			for _, link := range parse(t, name, all[name]).links {
				to, _, _ := strings.Cut(link, "#")
				if to != "" {
					near[path.Join(path.Dir(name), to)] = true
				}
			}
		}
	}
	site := newSite(s)
	for i, r := range s.Results {
		if !fails(r.Status) {
			continue
		}
		page := site.names.paged[i]
		if !near[page] {
			t.Errorf("%s is on %q, which is not near the front", r.Case, page)
			continue
		}
		text := parse(t, page, all[page]).text
		for _, f := range r.Failures {
			if f.Index != nil && !strings.Contains(text, f.Arg+position(f.Index)) {
				t.Errorf("%s: %s%v is not on its page", r.Case, f.Arg, f.Index)
			}
			if f.At != nil &&
				(!strings.Contains(text, f.At.Position.String()) ||
					!strings.Contains(text, f.Other.Position.String())) {
				t.Errorf("%s: the positions of the finding are not on its page", r.Case)
			}
		}
		if !strings.Contains(text, r.Replay) {
			t.Errorf("%s: its command is not on its page", r.Case)
		}
	}
}

// Whatever cases, kernels, files and messages are called, pages say it and do
// nothing else.
func TestHostileNames(t *testing.T) {
	const bad = `<script>alert(1)</script>"'><img src=x onerror=alert(2)> & ]]> {{.}} ../../x` + "\u2028"
	s := handMade(t)
	for i := range s.Results {
		r := &s.Results[i]
		r.Case, r.Reason, r.Replay, r.Notes = "scale"+bad+r.Case, bad+r.Reason, bad, []string{bad}
		r.Kernel, r.Family = r.Kernel+bad, r.Family+bad
		for j := range r.Failures {
			f := &r.Failures[j]
			f.Text, f.Kernel, f.Arg, f.Stage, f.Type, f.GotBits, f.WantBits = bad, bad, bad, bad, bad, bad, bad
			f.Bound = &suite.Bound{Value: 1, Terms: []suite.Term{{Label: bad, Value: 1}}}
			f.At = &metalrun.Party{Position: metalrun.Position{File: bad, Line: 1, Col: 1}, Does: bad}
		}
	}
	s.Shaders = map[string]reports.Shader{bad: {SHA256: bad, Text: bad + "\n" + bad}}
	for i := range s.Kernels {
		k := &s.Kernels[i]
		k.Name, k.Doc, k.Contract, k.File, k.Line, k.Axes = k.Name+bad, bad, bad, bad, 1, []string{bad}
		k.Bindings = []reports.Binding{{Name: bad, Role: bad, Type: bad, Extents: []string{bad}}}
	}
	s.Commit, s.Options.Flags, s.Figures = bad, bad, nil
	s.Against = reports.Compare(reports.Set{Run: s.Run}, reports.Set{Run: s.Run}, reports.DefaultPolicy())
	for i := range s.Mutants.Mutants {
		m := &s.Mutants.Mutants[i]
		m.ID, m.File, m.Function, m.Diff, m.Operator = bad+m.ID, bad, bad, bad, bad
	}
	all := pages(t, s)
	for name, text := range all {
		if path.Clean(name) != name || strings.HasPrefix(name, "..") || strings.ContainsAny(name, `<>"'&`) {
			t.Errorf("a page is called %q", name)
		}
		d := parse(t, name, text)
		if want := 1 + strings.Count(text, `<script type="application/json"`); d.names["script"] != want ||
			d.names["img"] != 0 {
			t.Errorf("%s has %d scripts and %d images", name, d.names["script"], d.names["img"])
		}
	}
	checkLinks(t, all)
	if text := parse(t, "index.html", all["index.html"]).text; !strings.Contains(text, "<script>alert(1)</script>") {
		t.Error("the front does not say what a case is called")
	}
}

// TestHeat: a line has the largest of its parts in the errors that were blamed.
func TestHeat(t *testing.T) {
	blamed := func(share, lost float64) suite.Result {
		return suite.Result{Case: "norm/n=1", Blame: &suite.Blame{Output: "out", Index: []int{0, 3},
			Lines: []suite.BlamedLine{{File: "n.metal", Line: 7, Share: share, Lost: lost}}}}
	}
	s := &site{}
	s.Results = []suite.Result{blamed(0.25, 0), {}, blamed(0.626, 5.2), blamed(0.5, 0)}
	want := map[string]map[int]*heat{
		"n.metal": {7: {Share: 63, Title: "63 % of what out[0, 3] of norm/n=1 may be off by; cancels 5 bits"}},
	}
	if diff := cmp.Diff(want, s.heats("")); diff != "" {
		t.Error(diff)
	}
}

// TestElsewhere: the parts of a kernel's error in functions that it calls stand beside their source,
// whole functions, and those of other kernels do not.
func TestElsewhere(t *testing.T) {
	text := "// Twice.\nfloat twice(\n    float x)\n{\n    float y = x + x;\n\n    return y;\n}\n\n" +
		"float none() { return 0; }\n\nkernel void k()\n{\n    twice(none());\n}\n"
	blamed := func(kernel string, line int, share float64) suite.Result {
		return suite.Result{Kernel: kernel, Case: kernel + "/n=1", Blame: &suite.Blame{Output: "out",
			Lines: []suite.BlamedLine{{File: "k.metal", Line: line, Share: share}}}}
	}
	s := &site{}
	s.Shaders = map[string]reports.Shader{"k.metal": {Text: text}}
	s.Results = []suite.Result{blamed("k", 5, 0.6), blamed("k", 7, 0.25), blamed("k", 14, 0.15), blamed("other", 10, 1)}
	s.heat = s.heats("")
	shown := s.source("k.metal", 12, 15, true)
	list := s.elsewhere("k.metal", shown, s.heats("k"), nil)
	if len(list) != 1 || list[0].Lines[0].Number != 1 || list[0].Lines[len(list[0].Lines)-1].Number != 8 {
		t.Fatalf("got %+v, want lines 1 to 8", list)
	}
	parts := map[int]int{}
	for _, l := range append(list[0].Lines, shown...) {
		if l.Heat == nil {
			t.Errorf("line %d has no column", l.Number)
		} else if l.Heat.Share != 0 {
			parts[l.Number] = l.Heat.Share
		}
	}
	if diff := cmp.Diff(map[int]int{5: 60, 7: 25, 14: 15}, parts); diff != "" {
		t.Error(diff)
	}
	if list := s.elsewhere("k.metal", shown, s.heats("unblamed"), nil); list != nil {
		t.Errorf("a kernel that nothing was blamed of has %+v", list)
	}

	f := forecastBody{shown: forecast.Forecast{Seconds: 1, Lines: []forecast.Line{
		{File: "k.metal", Line: 10, Seconds: 0.15}, {File: "k.metal", Line: 14, Seconds: 0.05},
		{File: "missing.metal", Line: 3, Seconds: 0.3},
	}}}
	costs := f.costs()
	f.list(s, costs)
	list = s.elsewhere("k.metal", shown, nil, costs)
	if len(list) != 1 || list[0].Lines[0].Number != 10 || list[0].Lines[0].Cost.Share != 30 ||
		list[0].Lines[0].Cost.Most != "arithmetic" || shown[2].Cost.Share != 10 {
		t.Errorf("got %+v and %+v, want line 10 with 30 %% of arithmetic, and line 14 with 10 %%", list, shown)
	}
	if len(f.Lines) != 1 || f.Lines[0].Text != "missing.metal:3" || f.Lines[0].Share != 60 {
		t.Errorf("got %+v, want the line without its source, with 60 %%", f.Lines)
	}
}

func TestResidence(t *testing.T) {
	for _, test := range []struct {
		residence forecast.Residence
		want      string
	}{
		{forecast.Residence{}, ""},
		{forecast.Residence{Threadgroups: 1, Threads: 256, Cores: 1, Of: 16, Simdgroups: 8, Room: 96,
			Limit: forecast.GridLimit, Registers: 9},
			"1 threadgroup of 256 threads on 1 of 16 cores: 8 of 96 simdgroups at the same time on a core, and the " +
				"launch has no more. A thread needs about 9 registers."},
		{forecast.Residence{Threadgroups: 1, Threads: 64, Cores: 1, Of: 16, Simdgroups: 2, Room: 96,
			Limit: forecast.GridLimit, Registers: 171, Spilled: 43},
			"1 threadgroup of 64 threads on 1 of 16 cores: 2 of 96 simdgroups at the same time on a core, and the " +
				"launch has no more. A thread needs about 171 registers, 43 of which it cannot have and keeps " +
				"in memory."},
		{forecast.Residence{Threadgroups: 128, Threads: 32, Cores: 16, Of: 16, Simdgroups: 3, Room: 96,
			Limit: forecast.MemoryLimit, Registers: 41, Memory: 16384},
			"128 threadgroups of 32 threads on 16 of 16 cores: 3 of 96 simdgroups at the same time on a core, and " +
				"threadgroup memory allows no more. A thread needs about 41 registers, a threadgroup 16,384 bytes of " +
				"threadgroup memory."},
	} {
		if diff := cmp.Diff(test.want, reports.Residence(test.residence)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
