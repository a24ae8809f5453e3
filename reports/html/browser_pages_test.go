package html_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/attack"
	"metalconform/reports/html"
	"metalconform/reports/plot"
	"metalconform/suite"
	"metalconform/suite/metrics"
	"metalconform/suite/mutate"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// write writes the pages of a run with its plots.
func write(t *testing.T, run reports.Run) string {
	t.Helper()
	return writeSite(t, siteOf(run))
}

// siteOf is a report of a run beside one in which a case passed that fails now.
func siteOf(run reports.Run) html.Site {
	before := run
	before.Commit, before.Results = "fedcba9", append([]suite.Result(nil), run.Results...)
	before.Results[3].Status = suite.Pass
	against := reports.Compare(reports.Set{Run: before}, reports.Set{Run: run}, reports.DefaultPolicy())
	return html.Site{View: reports.View{Run: run, Against: against}, Figures: plot.All(run, nil), Trends: html.Month()}
}

func writeSite(t *testing.T, site html.Site) string {
	t.Helper()
	dir := t.TempDir()
	if err := html.Write(dir, site); err != nil {
		t.Fatal(err)
	}
	return dir
}

// small is the run that the other formats of reports are tested with.
func small(t *testing.T) reports.Run {
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
	return run
}

// long leaves a test out of a short run, for which the others are enough.
func long(t *testing.T) {
	if testing.Short() {
		t.Skip("a short run looks at every page once")
	}
}

// What a page may not do is seen: errors, and requests that leave the report.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	const page = `<!DOCTYPE html><title>x</title><img src="http://report.example/a.png"><script>console.error("b"); ` +
		`throw new Error("c")</script>`
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, dir)
	b.open("index.html")
	seen := strings.Join(b.flaws(), "\n")
	for _, want := range []string{"index.html: request: http://report.example/a.png", "index.html: console: error",
		"index.html: exception: "} {
		if !strings.Contains(seen, want) {
			t.Errorf("no %q in\n%s", want, seen)
		}
	}
}

// Every page opens in both themes with a heading and something to read, and the
// page is as light or dark as was asked.
func TestEveryPage(t *testing.T) {
	b := newBrowser(t, write(t, small(t)))
	look := fmt.Sprintf(`({
		Heading: document.querySelector('h1').innerText,
		Paper: %s, Text: %s,
		Wide: document.documentElement.scrollWidth - innerWidth,
		Faint: %s,
		Lost: [...document.querySelectorAll('.v')].filter(v => v.checkVisibility() && v.getBoundingClientRect().left < 0).map(v => v.innerText).join(', '),
	})`, luminance("document.documentElement", "backgroundColor"), luminance("document.querySelector('h1')", "color"),
		faint)
	shown := map[string]string{"index.html": "front", "cases.html": "cases", "compare.html": "compare",
		"trend.html": "trend", "kernels/scale.html": "kernel"}
	for _, theme := range []string{"light", "dark"} {
		b.prefer(theme)
		for _, page := range b.pages() {
			b.open(page)
			seen := ask[struct {
				Heading, Lost     string
				Faint             []string
				Paper, Text, Wide float64
			}](b, look)
			if seen.Heading == "" {
				t.Errorf("%s has no heading", page)
			}
			if (seen.Paper < 0.5) != (theme == "dark") {
				t.Errorf("%s: the luminance of the page is %g, and the theme %s", page, seen.Paper, theme)
			}
			if contrast := (max(seen.Text, seen.Paper) + 0.05) / (min(seen.Text, seen.Paper) + 0.05); contrast < 7 {
				t.Errorf("%s, %s: a contrast of %.1f", page, theme, contrast)
			}
			for _, text := range seen.Faint {
				t.Errorf("%s, %s: %s", page, theme, text)
			}
			if seen.Wide > 0 {
				t.Errorf("%s is %g pixels wider than the window", page, seen.Wide)
			}
			if seen.Lost != "" {
				t.Errorf("%s: verdicts are out of sight: %s", page, seen.Lost)
			}
			switch name := shown[page]; {
			case name != "":
				b.picture(name + "-" + theme)
			case strings.HasPrefix(page, "cases/scale"):
				b.picture(strings.NewReplacer("/", "-", ".html", "").Replace(page) + "-" + theme)
			}
		}
	}
}

// faint is an expression for the texts whose contrast with what is behind them is less than
// WCAG demands at level AA: 4.5, or 3 for large ones. What is transparent shows what is
// below, and in drawings a text lies on the page.
const faint = `(() => {
	const parse = c => { const n = c.match(/[\d.]+/g).map(Number), unit = c.startsWith('color(') ? 1 : 255; return [n[0] / unit, n[1] / unit, n[2] / unit, n[3] ?? 1]; };
	const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
	const luminance = c => { const [r, g, b] = c.map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const behind = e => e ? over(parse(getComputedStyle(e).backgroundColor), behind(e.parentElement)) : [1, 1, 1];
	const opacity = e => e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1;
	const list = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; n = walk.nextNode();) {
		const e = n.parentElement, style = getComputedStyle(e);
		if (!n.data.trim() || !e.checkVisibility({visibilityProperty: true}) || e.closest('.hidden, script, style, title, noscript')) continue;
		const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
		const paint = parse(e.closest('svg') ? style.fill : style.color), paper = behind(e);
		paint[3] *= opacity(e);
		const [a, b] = [luminance(over(paint, paper)), luminance(paper)], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < (large ? 3 : 4.5)) list.add('a contrast of ' + ratio.toFixed(2) + ': ' + n.data.trim().slice(0, 40) + ' in ' + e.tagName + '.' + (e.getAttribute('class') || '') + ' of ' + (e.parentElement.getAttribute('class') || ''));
	}
	return [...list];
})()`

// luminance is an expression for that of a colour, as WCAG defines it, from 0 to 1.
func luminance(element, property string) string {
	return fmt.Sprintf(`(c => { const [r, g, b] = c.match(/[\d.]+/g).map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b; })(getComputedStyle(%s).%s)`, element, property)
}

// The button changes the theme, and pages that links lead to keep it.
func TestThemeButton(t *testing.T) {
	long(t)
	b := newBrowser(t, write(t, small(t)))
	b.prefer("light")
	b.open("index.html")
	dark := luminance("document.documentElement", "backgroundColor") + " < 0.5"
	expect(b, dark, false)
	b.follow("#theme")
	expect(b, dark, true)
	b.follow(`a[href="cases.html"]`)
	expect(b, "location.pathname.endsWith('cases.html')", true)
	expect(b, dark, true)
}

// A failure on the front leads to its page, which shows the element.
func TestFromFailureToElement(t *testing.T) {
	b := newBrowser(t, write(t, small(t)))
	b.open("index.html")
	b.follow("#failures tbody tr:nth-child(4) th a")
	expect(b, "location.pathname.includes('/cases/')", true)
	expect(b, "document.querySelector('#failure0 table.element .big').innerText", "out[0]")
	expect(b, "document.querySelector('#failure0').getBoundingClientRect().top < innerHeight", true)
}

const (
	rows = `[...document.querySelectorAll('#kernels tbody tr:not([hidden]) th')].map(x => ` +
		`x.innerText.split('\n')[0]).join(' ')`
	names = `[...document.querySelectorAll('#all tbody th')].map(x => x.innerText).join(' ')`
	count = `document.querySelector('#all output').innerText`
)

// The table of kernels is filtered and sorted in its page.
func TestTable(t *testing.T) {
	long(t)
	b := newBrowser(t, write(t, small(t)))
	b.open("index.html")
	expect(b, rows, "scale sum copy zip") // those that fail first
	b.do(chromedp.SendKeys(chromedp.CSS("#kernels input"), "sc"))
	expect(b, rows, "scale")
	expect(b, "document.querySelector('#kernels output').innerText", "1 of 4")
	b.open("index.html#q=")
	b.do(chromedp.Click(chromedp.CSS("#kernels th[data-key=cases] button")))
	expect(b, "document.querySelector('#kernels th[data-key=cases]').getAttribute('aria-sort')", "descending")
	expect(b, "[...document.querySelectorAll('#kernels tbody tr')].map(x => +x.cells[2].innerText).every((n, i, all) "+
		"=> i === 0 || all[i - 1] >= n)", true)
	b.do(chromedp.Click(chromedp.CSS("#kernels th[data-key=name] button")))
	expect(b, rows, "copy scale sum zip")
	b.do(chromedp.Click(chromedp.CSS("#kernels th[data-key=name] button")))
	expect(b, rows, "zip sum scale copy")
	onPhone(b)
}

// onPhone: no page is wider than the screen, since wide tables scroll by themselves and
// failures stand one below the other. Bars begin below each other whatever the figures.
func onPhone(b *browser) {
	b.Helper()
	b.open("index.html")
	expect(b,
		"new Set([...document.querySelectorAll('#kernels td:nth-child(4) .bar')].map(x => "+
			"Math.round(x.getBoundingClientRect().left))).size", 1)
	_, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{Width: 380, Height: 800, DeviceScaleFactor: 1, Mobile: true})
	if err != nil {
		b.Fatal(err)
	}
	for _, page := range b.pages() {
		b.open(page)
		expect(b, "document.documentElement.scrollWidth <= 380", true)
		// A command has the width that its surroundings have, and a label of a plot can be read.
		expect(b, `[...document.querySelectorAll('.replay code')].filter(x => x.checkVisibility() &&
			x.getBoundingClientRect().width < 0.9 * x.parentElement.getBoundingClientRect().width).length`, 0)
		expect(b, `[...document.querySelectorAll('figure.plot svg')].every(x => x.getBoundingClientRect().width >= 500)`,
			true)
	}
	b.open("cases/scale,n=1,input=normal.html")
	expect(b, `document.querySelectorAll('table.element .replay code').length > 0 &&
		[...document.querySelectorAll('table.element .replay code')].every(x => x.getBoundingClientRect().width > 280)`, true)
	b.picture("phone-case")
	b.open("index.html")
	expect(b, "[...document.querySelectorAll('table.failures td')].every(x => x.getBoundingClientRect().right <= 380)",
		true)
	b.picture("phone-front")
}

// The list of all cases is filtered by words and by verdict and walked through by
// keys; the address keeps what is shown.
func TestList(t *testing.T) {
	long(t)
	b := newBrowser(t, write(t, small(t)))
	b.open("cases.html")
	expect(b, count, "12 of 12")
	b.do(chromedp.SendKeys(chromedp.CSS("#all input"), "copy n=2"))
	expect(b, names, "copy/n=2/input=normal")
	expect(b, count, "1 of 12")
	b.open("cases.html#status=fail&sort=error_ratio&dir=up")
	expect(b, names, "scale/n=1/input=normal scale/n=2/input=normal scale/n=3/input=normal")
	b.do(chromedp.Click(chromedp.CSS("#all th[data-key=name] button")))
	b.do(chromedp.Click(chromedp.CSS("#all th[data-key=name] button")))
	expect(b, names, "scale/n=3/input=normal scale/n=2/input=normal scale/n=1/input=normal")
	b.do(chromedp.KeyEvent("j"), chromedp.KeyEvent("j"))
	expect(b, "document.querySelector('#all tr.selected th').innerText", "scale/n=2/input=normal")
	expect(b, "document.querySelector('#all p.selected code').innerText.includes('scale/n=2/input=normal')", true)
	b.do(chromedp.Reload())
	expect(b, "document.querySelector('#all tr.selected th').innerText", "scale/n=2/input=normal")
	if _, err := chromedp.RunResponse(b.ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		t.Fatal(err)
	}
	expect(b, "location.pathname.includes('/cases/scale')", true)
}

// many is a run of so many cases of four kernels, of which one in a thousand
// fails.
func many(n int) reports.Run {
	const kernels = 4
	h := reports.Header{
		Schema: reports.Schema, Version: reports.Version, Conform: "test",
		Device:  reports.Device{Backend: "simulator", Name: "conform simulator", Clock: metalrun.HostClock},
		Options: reports.Options{Sweep: "full", Seed: 1}, Planned: n,
	}
	for k := range kernels {
		h.Kernels = append(h.Kernels, reports.Kernel{Name: fmt.Sprintf("kernel_%d", k),
			Family: fmt.Sprintf("family_%d", k/2), Doc: "Computes.", Axes: []string{"dim"}})
	}
	results, indices := make([]suite.Result, n), make([]int, n)
	for i := range results {
		k := h.Kernels[i*kernels/n]
		ratio := math.Mod(float64(i)*0.6180339887, 1)
		failing := i%1000 == 500
		if failing {
			ratio = 2
		}
		r := suite.Result{
			Case: fmt.Sprintf("%s/dim=%d/input=normal", k.Name, i), Kernel: k.Name, Family: k.Family,
			Backend: "simulator", Status: suite.Pass,
			ErrorRatio: ratio, NS: int64(1000 + i), Seed: 1, Elements: 64,
			Replay: "conform run -run '^" + k.Name + "$'",
			Outputs: []metrics.Output{{Output: "out", Metrics: metrics.Values{
				{Key: metrics.ErrorRatio, Value: ratio}, {Key: metrics.Ulp, Value: 2 * ratio},
				{Key: metrics.Cosine, Value: 1 - 1e-9*ratio},
			}}},
		}
		if failing {
			r.Status = suite.Fail
			r.Failures = []suite.Failure{{Check: suite.CheckBound, Arg: "out", Index: []int{1},
				Got: new(suite.Value(1)), Want: new(suite.Value(2)), ErrorRatio: 2}}
		}
		results[i], indices[i] = r, i
	}
	return reports.NewRun(h, results, indices, &reports.Ending{Ended: n, ElapsedNS: 1e9})
}

// A list of many cases keeps few of them in the page, and is filtered and sorted as
// a whole. Plots would take longer to draw than all else.
func TestManyCases(t *testing.T) {
	long(t)
	b := newBrowser(t, manyPages(t, 20_000))
	listMany(b, "20,000", "5,000")
	b.picture("many")
	if most := ask[float64](b, "document.querySelectorAll('#all tbody tr').length"); most > 200 {
		t.Errorf("%g rows are in the page", most)
	}
	b.follow("#all tbody tr:nth-child(2) th a")
	expect(b, "document.querySelector('#failure0 table.element .big').innerText", "out[1]")
}

// BenchmarkManyCases is the time from asking for a list of 100,000 cases to its being
// filtered and sorted.
func BenchmarkManyCases(b *testing.B) {
	browser := newBrowser(b, manyPages(b, 100_000))
	for b.Loop() {
		listMany(browser, "100,000", "25,000")
	}
}

func manyPages(t testing.TB, cases int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := html.Write(dir, html.Site{View: reports.View{Run: many(cases)}}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// listMany opens the list of many cases, all of them, keeps those of a kernel, a part,
// and puts the worst first.
func listMany(b *browser, all, part string) {
	b.Helper()
	b.open("index.html")
	b.open("cases.html")
	expect(b, count, all+" of "+all)
	b.do(chromedp.SetValue(chromedp.CSS("#all input"), "kernel_2"))
	ask[bool](b, `document.querySelector('#all input').dispatchEvent(new Event('input'))`)
	expect(b, count, part+" of "+all)
	b.do(chromedp.Click(chromedp.CSS("#all th[data-key=error_ratio] button")))
	expect(b, "document.querySelector('#all tbody tr:not(.spacer)').innerText.includes('fail')", true)
}

// Whatever texts a run, its mutants and its trends have, in whatever field, no page does anything but say them.
func TestAttackedPages(t *testing.T) {
	run := small(t)
	full := run.Results[5]
	full.Unusable, full.Crash = nil, nil
	attack.Fill(&full)
	full.Case, full.Unusable = "full/n=1/input=wide", nil
	run.Results[5] = full
	attack.Fill(&run.Header)
	run.Shard = nil
	mutation := html.Mutation{Mutants: make([]mutate.Mutant, 2)}
	attack.Fill(&mutation)
	mutation.Mutants[0].Fate, mutation.Mutants[1].Fate = mutate.Survived, mutate.Killed

	with := func(s string) string { return s + strings.Join(attack.Texts, "") }
	for i := range run.Results {
		if i != 5 {
			with := func(s string) string { return s + attack.Texts[i%len(attack.Texts)] }
			attack.Spread(&run.Results[i], with, suite.Status(""), metalrun.Clock(""))
		}
	}
	attack.Spread(&run.Results[5], with, suite.Status(""), metalrun.Clock(""))
	attack.Spread(&run.Header, with, metalrun.Clock(""))
	attack.Spread(&mutation, with, mutate.Fate(""))
	site := siteOf(run)
	site.Mutants = &mutation
	attack.Spread(&site.Trends, with)
	b := newBrowser(t, writeSite(t, site))
	for _, page := range b.pages() {
		b.open(page)
		if ask[bool](b, `"pwned" in window`) {
			t.Errorf("%s ran what a text says", page)
		}
	}
}
