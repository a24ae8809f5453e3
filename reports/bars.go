package reports

import (
	"fmt"
	"math"
	"strings"

	"metalconform/reports/statistics"
)

// barWidth is the length of the longest bar of a picture, in characters.
const barWidth = 32

// eighths are the ends of bars, by eighths of a character.
var eighths = []rune(" ▏▎▍▌▋▊▉")

// bar is a value as a bar: as many eighths of a character as its share of what the whole width stands for.
func bar(value, most float64) string {
	if !(value > 0) || !(most > 0) {
		return strings.Repeat(" ", barWidth)
	}
	n := int(math.Round(min(value/most, 1) * 8 * barWidth))
	text := strings.Repeat("█", n/8)
	if rest := n % 8; rest > 0 {
		text += string(eighths[rest])
	}
	return text + strings.Repeat(" ", barWidth-(n+7)/8)
}

// pictures show the accuracy and the counted work of kernels before and after, where they have become better or worse:
// of each measure two bars to one scale.
func (c *Comparison) pictures() (list []string) {
	for _, r := range c.Rows {
		if r.Aspect != Accuracy && r.Aspect != Counted ||
			r.Verdict != statistics.Regressed && r.Verdict != statistics.Improved {
			continue
		}
		for _, m := range r.Measures {
			if m.Verdict == r.Verdict && m.Factor() {
				list = append(list, m.picture(r.Name))
			}
		}
	}
	return list
}

// picture shows a measure of a kernel in both runs.
func (m Measure) picture(kernel string) string {
	unit := ""
	if m.Of == "error" {
		unit = " of bound"
	}
	most := max(m.Base, m.Head)
	return fmt.Sprintf("%s: %s × %s\n  before %s %s%s\n  after  %s %s%s\n", strings.ReplaceAll(kernel, "`", "'"),
		m.Name(),
		Figure(float64(m.Change)), bar(m.Base, most), m.Text(m.Base), unit, bar(m.Head, most), m.Text(m.Head), unit)
}
