package html

import (
	"html/template"
	"slices"
	"strings"

	"metalconform/reports/plot"
)

// picture is a figure as a page shows it.
type picture struct {
	Title, Caption string
	SVG            template.HTML // an element svg in the colour of the text around it
}

// gallery are the figures of a page. What several have to note is said once.
type gallery struct {
	Shared []string
	List   []picture
}

// pictures are the figures of a kernel, or those of the whole run for no name:
// those of times, or all others; nil if there are none.
func (s *site) pictures(kernel string, times bool) *gallery {
	var g gallery
	notes := map[string]int{} // figures that have each
	var shown []plot.Figure
	for _, f := range s.Figures {
		if f.Kernel != kernel || ofTimes(f.Name) != times {
			continue
		}
		shown = append(shown, f)
		for _, n := range f.Notes {
			if notes[n]++; notes[n] == 2 {
				g.Shared = append(g.Shared, n)
			}
		}
	}
	if len(shown) == 0 {
		return nil
	}
	for _, f := range shown {
		caption := f.Caption
		for _, n := range f.Notes {
			if notes[n] == 1 {
				caption += " " + n
			}
		}
		g.List = append(g.List, picture{f.Title, caption, template.HTML(f.SVG)})
	}
	return &g
}

// ofTimes reports whether a figure of the whole run is about times or rates.
func ofTimes(name string) bool {
	return slices.Contains([]string{"bandwidth", "roofline", "comparison-time"}, name) ||
		strings.HasPrefix(name, "alternatives-")
}
