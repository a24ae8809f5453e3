package plot

import (
	"image/color"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ink is what everything but the data is drawn with.
type ink struct {
	text, line, faint color.NRGBA
}

// In pages text and axes have the colour of the text round the plot, and the grid
// has a part of it. The drawing has colours in their place that nothing else has,
// see themed.
var (
	pageInk  = ink{text: standIn, line: standIn, faint: faintStandIn}
	paperInk = ink{text: dark, line: dark, faint: faded(dark, 0x30)}

	standIn      = color.NRGBA{0x01, 0x02, 0x03, 0xff}
	faintStandIn = color.NRGBA{0x01, 0x02, 0x04, 0xff}
	dark         = color.NRGBA{0x1a, 0x1a, 0x1a, 0xff}
)

// palette are the colours of Okabe and Ito but for their yellow, which does not
// show on white, and their black, which does not show on black.
var palette = [...]color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
}

// Places in the palette.
const (
	blue = iota
	vermillion
	green
	purple
	orange
	sky
)

// hue is a colour of the palette, from its beginning again after the last.
func hue(i int) color.NRGBA { return palette[i%len(palette)] }

// faded is a colour with another opacity.
func faded(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// textStyle is that of all text, in so many points.
func textStyle(c color.Color, size vg.Length) text.Style {
	return text.Style{
		Color: c, Font: font.From(typeface, size), Handler: handler(), YAlign: draw.YCenter,
	}
}

// typeface is that of all text.
var typeface = font.Font{Typeface: "Liberation", Variant: "Sans"}

// handler measures and draws text.
var handler = sync.OnceValue(func() text.Handler {
	face, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		panic(err) // the font is part of the program
	}
	return text.Plain{Fonts: font.NewCache(font.Collection{{Font: typeface, Face: face}})}
})
