package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An element is sound XML, says what it shows, has no colour of text or paper of
// its own, and nothing that a page may forbid or that leads out of it.
func TestElement(t *testing.T) {
	for _, f := range data().Figures() {
		text := string(f.SVG)
		for _, want := range []string{`role="img"`, `width="100%"`, "viewBox=", "currentColor",
			"<title id=\"plot-" + f.Name + "\">", "<desc "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s", f.Name, want)
			}
		}
		for _, refused := range []string{" style=", "<?xml", "xlink", "Liberation", "NaN", "Inf", "url("} {
			if strings.Contains(text, refused) {
				t.Errorf("%s has %s", f.Name, refused)
			}
		}
		for _, colour := range regexp.MustCompile("#[0-9A-Fa-f]{6}").FindAllString(text, -1) {
			if !slices.ContainsFunc(palette[:], func(c color.NRGBA) bool { return near(colour, c) }) {
				t.Errorf("%s has %s, which is not of the palette", f.Name, colour)
			}
		}
		decoder := xml.NewDecoder(bytes.NewReader(f.SVG))
		decoder.Strict = true
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
				break
			}
		}
	}
}

// near reports whether a colour differs by a rounding at most.
func near(hex string, c color.NRGBA) bool {
	var r, g, b int
	if _, err := fmt.Sscanf(hex, "#%02X%02X%02X", &r, &g, &b); err != nil {
		return false
	}
	return max(abs(r-int(c.R)), abs(g-int(c.G)), abs(b-int(c.B))) <= 1
}

func abs(n int) int { return max(n, -n) }

// The same data give the same bytes.
func TestSameBytes(t *testing.T) {
	first, second := data().Figures(), data().Figures()
	for i := range first {
		if !bytes.Equal(first[i].SVG, second[i].SVG) {
			t.Errorf("%s differs", first[i].Name)
		}
	}
}

// A picture is as wide as was asked, on white, and drawn on.
func TestPNG(t *testing.T) {
	f := data().Figures()[0]
	for _, width := range []int{100, 333, 900} {
		var b bytes.Buffer
		if err := f.PNG(&b, width); err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		size := picture.Bounds()
		if size.Dx() != width {
			t.Errorf("%d pixels wide, want %d", size.Dx(), width)
		}
		white, drawn := color.RGBAModel.Convert(color.White), 0
		if picture.At(0, 0) != white {
			t.Errorf("the corner is %v", picture.At(0, 0))
		}
		for y := range size.Dy() {
			for x := range size.Dx() {
				if picture.At(x, y) != white {
					drawn++
				}
			}
		}
		if drawn < width {
			t.Errorf("width %d: %d pixels are drawn on", width, drawn)
		}
	}
	for _, width := range []int{0, 99, 10_001} {
		if err := f.PNG(io.Discard, width); err == nil {
			t.Errorf("width %d is taken", width)
		}
	}
}
