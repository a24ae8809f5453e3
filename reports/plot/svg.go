package plot

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

var (
	styleAttribute = regexp.MustCompile(`\s+style="([^"]*)"`)
	prelude        = regexp.MustCompile(`(?s)\A.*?<svg width="([^"]*)pt" height="([^"]*)pt"[^>]*>\n`)
	textElement    = regexp.MustCompile(`(<text [^>]*font-size="(\d+)px"[^>]*)>([^<]*)</text>`)
	inPages        = strings.NewReplacer(
		`"`+hex(standIn)+`"`, `"currentColor"`,
		`"`+hex(faintStandIn)+`"`, `"currentColor" stroke-opacity="0.25"`)
)

// hex is a colour as the drawing spells it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// themed makes an element for a page of what gonum has drawn: with a name for
// those who hear the page, as wide as there is room for, in the colour and the
// kind of font of the text round it, and without style attributes, which a page
// may not allow.
func themed(drawn []byte, f Figure) []byte {
	body := prelude.ReplaceAllFunc(drawn, func(head []byte) []byte { return opening(head, f) })
	body = styleAttribute.ReplaceAllFunc(body, func(style []byte) []byte {
		return presentation(string(styleAttribute.FindSubmatch(style)[1]))
	})
	body = textElement.ReplaceAllFunc(body, measured)
	return []byte(inPages.Replace(string(body)))
}

// measured gives a text the width for which there is room, whatever the reader's
// font is.
func measured(element []byte) []byte {
	part := textElement.FindSubmatch(element)
	size, err := strconv.ParseFloat(string(part[2]), 64)
	if err != nil {
		panic(err) // the pattern has digits alone
	}
	width := textStyle(standIn, vg.Length(size)).Width(html.UnescapeString(string(part[3])))
	return fmt.Appendf(nil, `%s textLength="%.4g" lengthAdjust="spacingAndGlyphs">%s</text>`, part[1], width.Points(),
		part[3])
}

// opening is the beginning of the element.
func opening(head []byte, f Figure) []byte {
	size := prelude.FindSubmatch(head)
	var b bytes.Buffer
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" class="plot" width="100%%" viewBox="0 0 %s %s" role="img" `+
			`aria-labelledby="plot-%[3]s plot-%[3]s-text" font-family="sans-serif">`+"\n",
		size[1], size[2], html.EscapeString(f.Name))
	fmt.Fprintf(&b, "<title id=\"plot-%s\">%s</title>\n", html.EscapeString(f.Name), html.EscapeString(f.Title))
	fmt.Fprintf(&b, "<desc id=\"plot-%s-text\">%s</desc>\n", html.EscapeString(f.Name),
		html.EscapeString(strings.Join(append([]string{f.Caption}, f.Notes...), " ")))
	return b.Bytes()
}

// presentation writes the properties of a style attribute as attributes. The font
// is that of the element.
func presentation(style string) []byte {
	var b bytes.Buffer
	for property := range strings.SplitSeq(style, ";") {
		name, value, ok := strings.Cut(strings.TrimSpace(property), ":")
		if !ok || strings.HasPrefix(name, "font-") && name != "font-size" {
			continue
		}
		fmt.Fprintf(&b, ` %s="%s"`, name, value)
	}
	return b.Bytes()
}
