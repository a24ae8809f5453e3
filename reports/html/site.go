package html

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
	"time"

	"metalconform/internal/crash"
	"metalconform/internal/regular"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/plot"
	"metalconform/reports/trend"
	"metalconform/suite"
	"metalconform/suite/metrics"
	"metalconform/suite/mutate"
)

// Site is what the pages are made of.
type Site struct {
	reports.View
	Figures []plot.Figure // in the order in which they are shown
	Mutants *Mutation     // nil for no page of mutants
	Trends  []trend.Trend // nil for no page of trends
	Most    int           // kernels that have a page, those that fail first; 0 means [plot.MostKernels]
	Live    bool          // the run may be going on: what is not there yet is no flaw

	// Generation is where a server that makes pages again tells which ones it has, and what it
	// tells of these: a page's script loads a newer one. "" is for pages that stay.
	Generation string
}

// Mutation is a log of mutants.
type Mutation struct {
	reports.MutationHeader
	Mutants []mutate.Mutant
}

// Write writes the pages into a directory, which it makes. Pages of an earlier
// report that this one does not have are left.
func Write(dir string, s Site) error {
	return newSite(s).write(func(name string, text []byte) error {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return regular.Write(name, text)
	})
}

//go:embed templates style.css app.js
var assets embed.FS

// site is a report on its way to its pages.
type site struct {
	Site
	table     reports.Table
	shown     []reports.Row             // of it: kernels that have a page
	kernels   map[string]reports.Kernel // by name
	families  []string                  // in order of first appearance
	cases     map[string][]int          // of a kernel: indices in Results
	rows      map[string][]int          // those of them that its page lists
	unlisted  map[int]bool              // indices of the others
	names     names
	limit     int                       // of pages for the cases of a kernel that did not pass
	findings  map[string]map[int][]mark // by file and line
	heat      map[string]map[int]*heat  // likewise
	templates *template.Template
	style     template.CSS
	script    template.JS
	crashed   []error // of pages that are left out
}

func newSite(s Site) *site {
	s.Results = s.Judged()
	p := &site{
		Site: s, table: s.Table(), kernels: map[string]reports.Kernel{}, cases: map[string][]int{},
		rows: map[string][]int{}, unlisted: map[int]bool{},
		style: template.CSS(asset("style.css")), script: template.JS(asset("app.js")),
	}
	for _, k := range s.Kernels {
		p.kernels[k.Name] = k
	}
	p.Most = cmp.Or(s.Most, plot.MostKernels)
	p.shown = plot.Shown(p.table.Rows, p.Most, func(r reports.Row) bool { return fails(r.Status()) })
	seen := map[string]bool{}
	for _, row := range p.shown {
		if !seen[row.Family] {
			seen[row.Family] = true
			p.families = append(p.families, row.Family)
		}
	}
	for i, r := range s.Results {
		p.cases[r.Kernel] = append(p.cases[r.Kernel], i)
	}
	p.listRows()
	p.names = p.allot()
	p.findings, p.heat = p.marks(), p.heats("")
	p.templates = template.Must(template.New("").Funcs(template.FuncMap{
		"figure": reports.Figure, "cosine": reports.Cosine, "grouped": reports.Grouped, "count": reports.Number,
		"duration": func(ns int64) string { return reports.Duration(time.Duration(ns)) }, "position": position,
		"part":    newPart,
		"columns": func() metrics.Table { return p.columns(metrics.InTables) },
		"wide":    func() metrics.Table { return p.columns(metrics.InMatrix) },
		"timed":   p.timed, "join": strings.Join,
		"steps": func(name string) []string { return strings.Split(name, "/") },
	}).ParseFS(assets, "templates/*.html"))
	return p
}

// timed is what columns of times have.
func (s *site) timed() string {
	if s.Device.Clock == metalrun.HostClock {
		return "simulator's time"
	}
	return "time"
}

// asset is a file of the package, which is there.
func asset(name string) string {
	text, err := assets.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Policy lets a page run the script of this package and load what lies beside it, and nothing
// else, whatever the results put into it.
var Policy = func() string {
	sum := sha256.Sum256([]byte(asset("app.js")))
	return "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
}()

// page is what a template is given.
type page struct {
	Title      string
	Root       string // from the page to the front, with a slash at the end unless it is empty
	Style      template.CSS
	Script     template.JS
	Policy     string
	Generation string
	Nav        []link
	Trail      []link // to what the page is a part of
	Body       any
}

// link goes to a page of the site, by its name from the root.
type link struct {
	Text, To string
	Here     bool
}

// writer takes a page by its name, with slashes.
type writer func(name string, text []byte) error

// write writes every page.
func (s *site) write(w writer) error {
	for _, part := range []func(writer) error{s.frontPage, s.casesPage, s.familyPages, s.kernelPages, s.casePages,
		s.sourcePages, s.latencyPage, s.comparisonPage, s.trendPage, s.mutantsPage} {
		if err := s.apart("pages", func() error { return part(w) }); err != nil {
			return err
		}
	}
	if n := len(s.crashed) - mostCrashes; n > 0 {
		s.crashed = append(s.crashed[:mostCrashes], fmt.Errorf("and %d pages more", n))
	}
	return errors.Join(s.crashed...)
}

// mostCrashes are told one by one.
const mostCrashes = 10

// apart makes a page, or several. A mistake of this program that some results bring up there does not take the other
// pages with it.
func (s *site) apart(name string, make func() error) error {
	err := func() (err error) {
		defer crash.Catch(&err)
		return make()
	}()
	var internal *crash.Crash
	if errors.As(err, &internal) {
		s.crashed = append(s.crashed, fmt.Errorf("%s: %w", name, internal))
		return nil
	}
	return err
}

// render writes a page with the template of the given name.
func (s *site) render(w writer, name, layout, title string, trail []link, body any) error {
	p := page{Title: title, Style: s.style, Script: s.script, Policy: Policy, Generation: s.Generation, Trail: trail,
		Body: body}
	p.Root = strings.Repeat("../", strings.Count(name, "/"))
	p.Nav = []link{{Text: "Verdict", To: "index.html"}, {Text: "All cases", To: "cases.html"},
		{Text: "Times", To: "latency.html"}}
	if s.View.Against != nil {
		p.Nav = append(p.Nav, link{Text: "Changes", To: "compare.html"})
	}
	if s.Trends != nil {
		p.Nav = append(p.Nav, link{Text: "Trend", To: "trend.html"})
	}
	if s.Mutants != nil {
		p.Nav = append(p.Nav, link{Text: "Mutants", To: "mutants.html"})
	}
	for i := range p.Nav {
		p.Nav[i].Here = p.Nav[i].To == name
	}
	var b bytes.Buffer
	if err := s.templates.ExecuteTemplate(&b, layout, p); err != nil {
		return crash.New(err) // our own template, or what it calls
	}
	return w(name, b.Bytes())
}

// part is what a template for a part of a page is given.
type part struct {
	Root string // as of the page
	Of   any
}

func newPart(p page, of any) part { return part{p.Root, of} }

// verdict is a status as it is shown: never by its colour alone.
type verdict struct{ Class, Glyph, Word string }

func newVerdict(s suite.Status) verdict {
	glyph := map[suite.Status]string{
		suite.Pass: "✓", suite.Fail: "✗", suite.Error: "!", suite.Skip: "–", suite.Expected: "≈", suite.Waived: "~",
		reports.Known: "=",
	}[s]
	return verdict{Class: string(s), Glyph: glyph, Word: string(s)}
}

// fails reports whether a verdict fails a run.
func fails(s suite.Status) bool { return s == suite.Fail || s == suite.Error }
