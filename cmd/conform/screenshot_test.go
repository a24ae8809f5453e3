package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalconform/internal/exit"

	gocmp "github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the screenshot of the README")

// TestScreenshot takes the README's picture again: a command of a kernel author,
// run on the kernels of testdata/readme. Only times may differ from the picture
// that is kept.
func TestScreenshot(t *testing.T) {
	const command = `conform run mine -backend simulator -run ` +
		`"(sum_sq|norm_apply|residual_add)/dim=257/input=normal"`
	kept := keptPicture(t, "screenshot.svg")
	t.Chdir("testdata/readme")
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "1")
	var output bytes.Buffer
	if status := conform(context.Background(), words(command)[1:], &output, &output); status != exit.Fails {
		t.Fatalf("exit status %d, want %d\n%s", status, exit.Fails, output.String())
	}
	comparePicture(t, kept, screenshot(command, output.String()))
}

// TestReportPicture makes the README's picture of a report again: the top of the page of a race.
func TestReportPicture(t *testing.T) {
	kept, dir := keptPicture(t, "report.svg"), t.TempDir()
	out, site := filepath.Join(dir, "out"), filepath.Join(dir, "site")
	t.Chdir("testdata/readme")
	for _, args := range [][]string{
		{"run", "mine", "-backend", "simulator", "-no-clocks", "-q", "-o", out, "-run", "sum_sq/dim=257/input=normal"},
		{"report", out, "-report", "html=" + site},
	} {
		var output bytes.Buffer
		if status := conform(context.Background(), args, &output, &output); status != exit.Fails {
			t.Fatalf("%v: exit status %d, want %d\n%s", args, status, exit.Fails, output.String())
		}
	}
	page, err := os.ReadFile(filepath.Join(site, "cases", "rms_norm_sum_sq,dim=257,input=normal.html"))
	if err != nil {
		t.Fatal(err)
	}
	picture := pictureOf(string(page))
	if err := xml.Unmarshal([]byte(picture), new(any)); err != nil {
		t.Fatalf("viewers of SVG cannot read the picture: %v", err)
	}
	comparePicture(t, kept, picture)
}

// The size of the picture of a page, in pixels: its verdict and its first finding.
const (
	pageWidth  = 1000
	pageHeight = 590
)

var (
	unseen = regexp.MustCompile(`(?s)<!DOCTYPE[^>]*>|<script.*?</script>|<header.*?</header>|` +
		`<meta [^>]*>|<a class="skip".*?</a>`)
	opened = regexp.MustCompile(`<html `)
)

// pictureOf puts a page into a picture. Browsers show it there like any page, without scripts.
func pictureOf(page string) string {
	page = strings.TrimSpace(unseen.ReplaceAllString(page, ""))
	page = strings.Replace(page, "</style>", "body { padding-top: 10px } * { scrollbar-width: none }\n</style>", 1)
	page = opened.ReplaceAllString(page, `<html xmlns="http://www.w3.org/1999/xhtml" style="height:100%" `)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" `+
		`height="%[2]d" role="img" aria-label="A page of the report">`+"\n"+
		`<foreignObject width="%[1]d" height="%[2]d">`+"\n%[3]s\n</foreignObject>\n"+
		"</svg>\n", pageWidth, pageHeight, page)
}

func keptPicture(t *testing.T, name string) string {
	t.Helper()
	kept, err := filepath.Abs(filepath.Join("../../.github", name))
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// comparePicture holds a picture against the one that is kept, or keeps it.
func comparePicture(t *testing.T, kept, picture string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(kept, []byte(picture), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(timeless(string(want)), timeless(picture)); diff != "" {
		t.Errorf("the README's picture is not what the command prints (-update takes it again) (-picture +now):\n%s",
			diff)
	}
}

// clock matches what depends on the machine and the day: times, with the columns that they
// make wider, dates of expiry, and the platform.
var clock = regexp.MustCompile(` *[\d.]+ (ns|µs|ms|s)\b|expires = [\d-]+| (linux|darwin)/(amd64|arm64)`)

func timeless(picture string) string {
	picture = spaces.ReplaceAllString(strings.ReplaceAll(picture, unbroken, " "), " ")
	return clock.ReplaceAllString(picture, " …")
}

// unbroken is a space that viewers of SVG do not fold.
const unbroken = "\u00a0"

// The picture's geometry in columns and pixels.
const (
	columns    = 110
	cellWidth  = 7.8
	lineHeight = 18
	margin     = 16
)

// screenshot draws a command and its output as a terminal would show them.
func screenshot(command, output string) string {
	lines := wrap("\x1b[36m$\x1b[0m " + command + "\n" + output)
	width, height := columns*cellWidth+2*margin, len(lines)*lineHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img" `+
			`aria-label="%s">`+"\n",
		width, height, width, height, html.EscapeString("Terminal: "+command))
	b.WriteString(`<rect width="100%" height="100%" rx="8" fill="#16181d"/>` + "\n")
	b.WriteString(`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" ` +
		`font-size="13" fill="#d7dae0">` + "\n")
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", margin, margin+13+i*lineHeight, spans(line))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// glyph is a character with its colour, "" for the terminal's own.
type glyph struct {
	char   rune
	colour string
}

// wrap lays text out in lines of the terminal's width. A line that is too long
// goes on indented as far as it began.
func wrap(text string) [][]glyph {
	var lines [][]glyph
	for line := range strings.Lines(strings.ReplaceAll(strings.TrimSpace(text), "\t", "    ")) {
		rest := glyphs(strings.TrimSuffix(line, "\n"))
		indent := 0
		for indent < len(rest) && rest[indent].char == ' ' {
			indent++
		}
		for len(rest) > columns {
			cut := columns
			for cut > indent+1 && rest[cut].char != ' ' {
				cut--
			}
			if cut == indent+1 {
				cut = columns
			}
			lines = append(lines, rest[:cut])
			next := make([]glyph, indent+2, len(rest))
			for i := range next {
				next[i].char = ' '
			}
			for cut < len(rest) && rest[cut].char == ' ' {
				cut++
			}
			rest = append(next, rest[cut:]...)
		}
		lines = append(lines, rest)
	}
	return lines
}

// paints are the colours of the escape sequences.
var paints = map[string]string{"31": "#ff6b6b", "32": "#5fd38d", "33": "#f2c14e", "36": "#6cb6ff", "0": ""}

var escape = regexp.MustCompile("\x1b\\[(\\d+)m")

// glyphs separates the characters of a line from its escape sequences.
func glyphs(line string) []glyph {
	var list []glyph
	colour := ""
	for line != "" {
		if m := escape.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, m[0]) {
			colour, line = paints[m[1]], line[len(m[0]):]
			continue
		}
		next := len(line)
		if at := escape.FindStringIndex(line); at != nil {
			next = at[0]
		}
		for _, c := range line[:next] {
			list = append(list, glyph{c, colour})
		}
		line = line[next:]
	}
	return list
}

// spans are the runs of one colour in a line.
func spans(line []glyph) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		end := i
		var run strings.Builder
		for ; end < len(line) && line[end].colour == line[i].colour; end++ {
			run.WriteRune(line[end].char)
		}
		text := strings.ReplaceAll(html.EscapeString(run.String()), " ", unbroken)
		if line[i].colour != "" {
			text = fmt.Sprintf(`<tspan fill="%s">%s</tspan>`, line[i].colour, text)
		}
		b.WriteString(text)
		i = end
	}
	return b.String()
}
