package reports

import (
	"fmt"
	"io"
	"math"
	"strings"

	"metalconform/suite/shrink"
)

// Shrunk writes the smallest case that fails as another did.
func (s Style) Shrunk(w io.Writer, of string, x shrink.Shrunk) error {
	var b strings.Builder
	var shape []string
	for _, a := range x.Case.Kernel.Axes {
		shape = append(shape, fmt.Sprintf("%s=%d", a, x.Case.Shape[a]))
	}
	fmt.Fprintf(&b, "%s\nstill fails as %s with %s, found in %d tries:\n\t%s\n", of, x.Case.Kernel.Name,
		strings.Join(shape, " "), x.Tries, x.Failure)
	for _, in := range x.Inputs {
		fmt.Fprintf(&b, "\n%s %v\n", in.Arg, in.Extents)
		picture(&b, in.Extents, in.Values, nil)
	}
	for _, out := range x.Outputs {
		fmt.Fprintf(&b, "\n%s %v, got\n", out.Arg, out.Extents)
		picture(&b, out.Extents, out.Got, out.Want)
		if out.Want != nil {
			fmt.Fprintf(&b, "%s %v, want\n", out.Arg, out.Extents)
			picture(&b, out.Extents, out.Want, nil)
		}
	}
	language := "Go"
	if x.Starlark {
		language = "Starlark"
	}
	fmt.Fprintf(&b, "\nas %s, in place of the sweep of the specification:\n\n%s", language, x.Literal())
	if launch, err := x.LaunchFile(); err != nil {
		fmt.Fprintf(&b, "\nno launch file: %v; -record keeps what is launched\n", err)
	} else {
		fmt.Fprintf(&b, "\nas a launch file, for check -exec -launch:\n\n%s", launch)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Bounds of a picture: rows are along the last extent.
const (
	pictureRows    = 12
	pictureColumns = 12
)

// picture draws numbers by rows of the last extent, · for 0, rows of zeros left out; ! marks what is not as
// wanted, where that is given, to six digits.
func picture(b *strings.Builder, extents []int, x, want []float64) {
	width := len(x)
	if len(extents) > 0 {
		width = max(extents[len(extents)-1], 1)
	}
	shown := 0
	for first := 0; first < len(x); first += width {
		row := x[first:min(first+width, len(x))]
		var words []string
		matters := false
		for i, v := range row {
			word := fmt.Sprintf("%.6g", v)
			if v == 0 {
				word = "·"
			}
			if want != nil && !(math.Abs(v-want[first+i]) <= 1e-6*math.Abs(want[first+i])) &&
				!(v != v && want[first+i] != want[first+i]) && v != want[first+i] {
				word += "!"
				matters = true
			}
			matters = matters || v != 0
			words = append(words, word)
		}
		switch {
		case !matters:
			continue
		case shown == pictureRows:
			b.WriteString("\t…\n")
			return
		case len(words) > pictureColumns:
			words = append(compact(words), "…")
		}
		shown++
		fmt.Fprintf(b, "\t%8d  %s\n", first, strings.Join(words, " "))
	}
	if shown == 0 {
		b.WriteString("\tall 0\n")
	}
}

// compact are the words of a long row: runs of one word as one, and so many.
func compact(words []string) (list []string) {
	for i := 0; i < len(words) && len(list) < pictureColumns; {
		n := 1
		for i+n < len(words) && words[i+n] == words[i] {
			n++
		}
		if n > 1 {
			list = append(list, fmt.Sprintf("%s×%d", words[i], n))
		} else {
			list = append(list, words[i])
		}
		i += n
	}
	return list
}
