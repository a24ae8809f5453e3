package structure

import (
	"flag"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/architecture.svg")

// TestPicture draws the rooms with the packages and imports that they have.
func TestPicture(t *testing.T) {
	m := loadModule(t, filepath.Join("..", ".."))
	p, err := newPicture(m.imports("cmd/conform", "conform/conformtest"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("..", "..", "docs", "architecture.svg")
	if *update {
		if err := os.WriteFile(name, []byte(p.svg()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(p.svg(), "\n")); diff != "" {
		t.Errorf("docs/architecture.svg is not what the imports are (-update draws it) (-picture +now):\n%s", diff)
	}
}

// TestPictureRefuses has packages that no picture can be made of.
func TestPictureRefuses(t *testing.T) {
	for _, test := range []struct {
		imports map[string][]string
		want    string
	}{
		{map[string][]string{"cmd/conform": {"elsewhere"}, "elsewhere": nil},
			"rooms_test.go has no room for elsewhere"},
		{map[string][]string{"suite": {"cmd/conform"}, "cmd/conform": nil},
			"suite imports cmd/conform: an arrow from Command up to Suite"},
	} {
		if _, err := newPicture(test.imports); err == nil || err.Error() != test.want {
			t.Errorf("%v: %v, want %s", test.imports, err, test.want)
		}
	}
}

// imports are those between packages of the module that some packages need, without tests. Generators and packages
// for tests are not among them.
func (m *module) imports(roots ...string) map[string][]string {
	byDir := map[string]*pkg{}
	for _, p := range m.packages {
		byDir[p.dir] = p
	}
	found := map[string][]string{}
	for len(roots) > 0 {
		p := byDir[roots[0]]
		roots = roots[1:]
		if _, ok := found[p.dir]; ok {
			continue
		}
		found[p.dir] = nil
		for _, f := range p.sources() {
			for _, spec := range f.syntax.Imports {
				target, _ := strconv.Unquote(spec.Path.Value)
				if inside, ok := strings.CutPrefix(target, m.name+"/"); ok {
					found[p.dir] = append(found[p.dir], inside)
					roots = append(roots, inside)
				}
			}
		}
	}
	return found
}

// picture is the graph of rooms.
type picture struct {
	packages map[int][]string     // of each room
	feeds    map[int]map[int]bool // rooms that import each room
}

// newPicture takes the imports of each package. Two packages may import each other's room only within a row.
func newPicture(imports map[string][]string) (*picture, error) {
	p := &picture{packages: map[int][]string{}, feeds: map[int]map[int]bool{}}
	for _, importer := range slices.Sorted(maps.Keys(imports)) {
		to := roomOf(importer)
		if to < 0 {
			return nil, fmt.Errorf("rooms_test.go has no room for %s", importer)
		}
		p.packages[to] = append(p.packages[to], importer)
		for _, imported := range imports[importer] {
			from := roomOf(imported)
			if from < 0 || from == to || rooms[from].name == used {
				continue
			}
			if rooms[from].row > rooms[to].row {
				return nil, fmt.Errorf("%s imports %s: an arrow from %s up to %s", importer, imported,
					rooms[from].name, rooms[to].name)
			}
			if p.feeds[from] == nil {
				p.feeds[from] = map[int]bool{}
			}
			p.feeds[from][to] = true
		}
	}
	return p, nil
}

// arrows are the imports between rooms without those that follow from others.
func (p *picture) arrows() [][2]int {
	var arrows [][2]int
	for _, from := range slices.Sorted(maps.Keys(p.feeds)) {
		for _, to := range slices.Sorted(maps.Keys(p.feeds[from])) {
			follows := false
			for by := range p.feeds[from] {
				follows = follows || by != to && p.reaches(by, to, map[int]bool{})
			}
			if !follows {
				arrows = append(arrows, [2]int{from, to})
			}
		}
	}
	return arrows
}

func (p *picture) reaches(from, to int, seen map[int]bool) bool {
	if p.feeds[from][to] {
		return true
	}
	seen[from] = true
	for by := range p.feeds[from] {
		if !seen[by] && p.reaches(by, to, seen) {
			return true
		}
	}
	return false
}

// Sizes in pixels.
const (
	margin     = 28
	padding    = 16
	titleSize  = 17
	textSize   = 13.0
	codeSize   = 12.0
	lineHeight = 18
	between    = 46 // rows
	pill       = 34 // height of the ends
)

// box is a room with its place.
type box struct {
	room
	top, height float64
	rules, code []string // lines
}

// layout places the rooms: a row is as high as its highest room.
func (p *picture) layout() (boxes []box, height float64) {
	boxes = make([]box, len(rooms))
	last := rooms[len(rooms)-1].row
	top := float64(margin + pill + between)
	for row := range last + 1 {
		highest := 0.0
		if row == last {
			top += pill + between/2 // the verdict stands above the room without arrows
		}
		for i, r := range rooms {
			if r.row != row {
				continue
			}
			b := &boxes[i]
			b.room, b.top = r, top
			b.rules = wrapped(strings.Fields(r.rule), " ", (r.width-2*padding)/(textSize*0.55))
			b.code = wrapped(shortened(p.packages[i]), "  ", (r.width-2*padding)/(codeSize*0.602))
			b.height = 2*padding + titleSize + lineHeight*float64(len(b.rules)+len(b.code)) + 14
			highest = max(highest, b.height)
		}
		for i, r := range rooms {
			if r.row == row {
				boxes[i].height = highest
			}
		}
		top += highest + between
	}
	return boxes, top - between + margin
}

// shortened are paths without the directory that the rooms of metalrun share.
func shortened(packages []string) []string {
	var short []string
	for _, p := range packages {
		short = append(short, strings.TrimPrefix(p, "metalrun/internal/"))
	}
	slices.Sort(short)
	return short
}

// wrapped breaks words into lines of so many characters.
func wrapped(words []string, space string, width float64) []string {
	var lines []string
	for _, w := range words {
		if n := len(lines); n > 0 && float64(len([]rune(lines[n-1]+space+w))) <= width {
			lines[n-1] += space + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}

// style has the colours of light and of dark pages.
const style = `  <style>
    .page { fill: #ffffff }
    text { font-family: system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; fill: #1f2933 }
    .title { font-size: 17px; font-weight: 600 }
    .rule { font-size: 13px }
    .code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12px;
      fill: #52606d; white-space: pre }
    .room { stroke-width: 1.5; rx: 10px }
    .metalrun { fill: #e8f1fb; stroke: #3b78b8 }
    .oracles { fill: #e9f6ec; stroke: #3f8f57 }
    .suite { fill: #fdf3e1; stroke: #b98328 }
    .readers { fill: #f4ecf8; stroke: #8b5aa8 }
    .used { fill: #f3f4f6; stroke: #9aa5b1; stroke-dasharray: 5 4 }
    .end { fill: #1f2933; stroke: none; rx: 17px }
    .ends { font-size: 14px; font-weight: 600; fill: #ffffff; text-anchor: middle }
    .arrow { stroke: #52606d; stroke-width: 1.8; fill: none; marker-end: url(#head) }
    .head { fill: #52606d }
  </style>
  <defs>
    <marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">
      <path class="head" d="M0 0.6L10 5L0 9.4z"/>
    </marker>
  </defs>
`

// colour is the class of a room: what runs kernels, what says what is right, what judges, and what is for readers.
func (b box) colour() string {
	switch b.name {
	case "Oracles", "Kernels and data":
		return "oracles"
	case "Suite", "Library":
		return "suite"
	case "Reports", "Command":
		return "readers"
	case used:
		return "used"
	}
	return "metalrun"
}

func (p *picture) svg() string {
	boxes, height := p.layout()
	width := float64(third + column + 2*margin)
	var s strings.Builder
	fmt.Fprintf(&s, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" role=\"img\">\n", width, height)
	s.WriteString("  <title>How a Metal source becomes a verdict: rooms, their packages, and who imports " +
		"whom</title>\n")
	s.WriteString(style)
	fmt.Fprintf(&s, "  <rect class=\"page\" width=\"%g\" height=\"%g\"/>\n", width, height)
	for _, a := range p.arrows() {
		arrow(&s, connection(boxes, boxes[a[0]], boxes[a[1]]))
	}
	for _, b := range boxes {
		b.draw(&s)
		switch b.name {
		case "Front end":
			end(&s, b.middle(), margin, "a Metal source")
			arrow(&s, fmt.Sprintf("M%g %dV%g", b.middle(), margin+pill, b.top))
		case "Command":
			end(&s, b.middle(), b.top+b.height+between, "a verdict")
			arrow(&s, fmt.Sprintf("M%g %gV%g", b.middle(), b.top+b.height, b.top+b.height+between))
		}
	}
	s.WriteString("</svg>\n")
	return s.String()
}

func arrow(s *strings.Builder, path string) { fmt.Fprintf(s, "  <path class=\"arrow\" d=%q/>\n", path) }

// end draws where the way begins or ends.
func end(s *strings.Builder, x, y float64, text string) {
	const width = 150
	fmt.Fprintf(s, "  <rect class=\"end\" x=\"%g\" y=\"%g\" width=\"%d\" height=\"%d\"/>\n", x-width/2, y, width, pill)
	fmt.Fprintf(s, "  <text class=\"ends\" x=\"%g\" y=\"%g\">%s</text>\n", x, y+pill/2+5, text)
}

func (b box) middle() float64 { return b.x() + b.width/2 }

func (b box) x() float64 { return margin + b.left }

// draw has the name of a room, its rule and its packages below each other.
func (b box) draw(s *strings.Builder) {
	fmt.Fprintf(s, "  <rect class=\"room %s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>\n", b.colour(), b.x(),
		b.top,
		b.width, b.height)
	x, y := b.x()+padding, b.top+padding+titleSize-3
	line := func(class, text string) {
		fmt.Fprintf(s, "  <text class=%q x=\"%g\" y=\"%g\">%s</text>\n", class, x, y, html.EscapeString(text))
	}
	line("title", b.name)
	y += 5
	for _, text := range b.rules {
		y += lineHeight
		line("rule", text)
	}
	y += 6
	for _, text := range b.code {
		y += lineHeight
		line("code", text)
	}
}

// connection is the path of an arrow: across within a row, and otherwise straight down where no other box lies.
func connection(boxes []box, from, to box) string {
	if from.row == to.row {
		y := from.top + min(from.height, to.height)/2
		if from.left < to.left {
			return fmt.Sprintf("M%g %gH%g", from.x()+from.width, y, to.x())
		}
		return fmt.Sprintf("M%g %gH%g", from.x(), y, to.x()+to.width)
	}
	left, right := max(from.x(), to.x()), min(from.x()+from.width, to.x()+to.width)
	places := []float64{(left + right) / 2}
	for x := right - padding; x > left; x -= padding {
		places = append(places, x)
	}
	for _, x := range places {
		if !slices.ContainsFunc(boxes, func(b box) bool {
			return from.row < b.row && b.row < to.row && b.x()-padding < x && x < b.x()+b.width+padding/2
		}) {
			return fmt.Sprintf("M%g %gV%g", x, from.top+from.height, to.top)
		}
	}
	x, y := from.middle(), from.top+from.height
	return fmt.Sprintf("M%g %gC%g %g %g %g %g %g", x, y, x, y+between, to.middle(), to.top-between, to.middle(), to.top)
}
