package html

import (
	"html/template"
	"slices"
	"strings"
)

// picture is a figure as a page shows it.
type picture struct {
	Title, Caption string
	SVG            template.HTML // an element svg in the colour of the text around it
}

// pictures are the figures of a kernel, or those of the whole run for no name:
// those of times, or all others.
func (s *site) pictures(kernel string, times bool) []picture {
	var list []picture
	for _, f := range s.Figures {
		if f.Kernel == kernel && ofTimes(f.Name) == times {
			list = append(list, picture{f.Title, f.Caption, template.HTML(f.SVG)})
		}
	}
	return list
}

// ofTimes reports whether a figure of the whole run is about times or rates.
func ofTimes(name string) bool {
	return slices.Contains([]string{"bandwidth", "roofline", "comparison-time"}, name) || strings.HasPrefix(name, "alternatives-")
}
