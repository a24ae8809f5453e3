package html

import "html/template"

// picture is a figure as a page shows it.
type picture struct {
	Title, Caption string
	SVG            template.HTML // an element svg in the colour of the text around it
}

// pictures are the figures of a kernel, or those of the whole run for no name.
func (s *site) pictures(kernel string) []picture {
	var list []picture
	for _, f := range s.Figures {
		if f.Kernel == kernel {
			list = append(list, picture{f.Title, f.Caption, template.HTML(f.SVG)})
		}
	}
	return list
}
