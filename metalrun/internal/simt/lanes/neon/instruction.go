package main

import (
	"fmt"
	"strings"
)

// An instruction is an encoding whose register fields are zero, and the form of
// its operands: the destination, then the sources in the order of ARM's manual.
type instruction struct {
	base uint32
	form string
}

// Forms of operands that many instructions have.
const (
	ddd = "v%d.2d, v%d.2d, v%d.2d"
	dd  = "v%d.2d, v%d.2d"
	sss = "v%d.4s, v%d.4s, v%d.4s"
	ss  = "v%d.4s, v%d.4s"
	bbb = "v%d.16b, v%d.16b, v%d.16b"
)

// instructions are named by mnemonic and arrangement, that of the destination
// first where the sources have another.
var instructions = map[string]instruction{
	// Floats.
	"fadd.4s":     {0x4e20d400, sss},
	"fsub.4s":     {0x4ea0d400, sss},
	"fmul.4s":     {0x6e20dc00, sss},
	"fmul.4s.s":   {0x4f809000, "v%d.4s, v%d.4s, v%d.s[%d]"},
	"fdiv.4s":     {0x6e20fc00, sss},
	"fmla.4s":     {0x4e20cc00, sss},
	"fmla.4s.s":   {0x4f801000, "v%d.4s, v%d.4s, v%d.s[%d]"},
	"fcmeq.4s":    {0x4e20e400, sss},
	"fcmge.4s":    {0x6e20e400, sss},
	"fcmgt.4s":    {0x6ea0e400, sss},
	"fsqrt.4s":    {0x6ea1f800, ss},
	"fneg.4s":     {0x6ea0f800, ss},
	"fabs.4s":     {0x4ea0f800, ss},
	"frintm.4s":   {0x4e219800, ss},
	"frintp.4s":   {0x4ea18800, ss},
	"frintz.4s":   {0x4ea19800, ss},
	"frintn.4s":   {0x4e218800, ss},
	"scvtf.4s":    {0x4e21d800, ss},
	"ucvtf.4s":    {0x6e21d800, ss},
	"fcvtzs.4s":   {0x4ea1b800, ss},
	"fcvtzu.4s":   {0x6ea1b800, ss},
	"fcvtn.4h.4s": {0x0e216800, "v%d.4h, v%d.4s"},
	"fcvtl.4s.4h": {0x0e217800, "v%d.4s, v%d.4h"},

	// Integers.
	"add.4s":   {0x4ea08400, sss},
	"add.2d":   {0x4ee08400, ddd},
	"sub.4s":   {0x6ea08400, sss},
	"sub.2d":   {0x6ee08400, ddd},
	"mul.4s":   {0x4ea09c00, sss},
	"mla.4s":   {0x4ea09400, sss},
	"smin.4s":  {0x4ea06c00, sss},
	"smax.4s":  {0x4ea06400, sss},
	"umin.4s":  {0x6ea06c00, sss},
	"umax.4s":  {0x6ea06400, sss},
	"cmeq.4s":  {0x6ea08c00, sss},
	"cmge.4s":  {0x4ea03c00, sss},
	"cmgt.4s":  {0x4ea03400, sss},
	"cmhi.4s":  {0x6ea03400, sss},
	"cmhs.4s":  {0x6ea03c00, sss},
	"cmhs.2d":  {0x6ee03c00, ddd},
	"cmtst.4s": {0x4ea08c00, sss},
	"cmtst.2d": {0x4ee08c00, ddd},
	"sshl.4s":  {0x4ea04400, sss},
	"sshl.2d":  {0x4ee04400, ddd},
	"ushl.4s":  {0x6ea04400, sss},
	"ushl.2d":  {0x6ee04400, ddd},
	"neg.4s":   {0x6ea0b800, ss},
	"neg.2d":   {0x6ee0b800, dd},

	// Bits.
	"and.16b": {0x4e201c00, bbb},
	"bic.16b": {0x4e601c00, bbb},
	"orr.16b": {0x4ea01c00, bbb},
	"orn.16b": {0x4ee01c00, bbb},
	"eor.16b": {0x6e201c00, bbb},
	"bsl.16b": {0x6e601c00, bbb},
	"mvn.16b": {0x6e205800, "v%d.16b, v%d.16b"},

	// Widths.
	"ushr.4s":    {0x6f300400, "v%d.4s, v%d.4s, #16"},
	"shll.4s.4h": {0x2e613800, "v%d.4s, v%d.4h, #16"},
	"shrn.2s.2d": {0x0f208400, "v%d.2s, v%d.2d, #32"},
	"uxtl.8h.8b": {0x2f08a400, "v%d.8h, v%d.8b"},
	"uxtl.4s.4h": {0x2f10a400, "v%d.4s, v%d.4h"},
	"uxtl.2d.2s": {0x2f20a400, "v%d.2d, v%d.2s"},
	"sxtl.2d.2s": {0x0f20a400, "v%d.2d, v%d.2s"},
	"xtn.4h.4s":  {0x0e612800, "v%d.4h, v%d.4s"},
	"xtn.2s.2d":  {0x0ea12800, "v%d.2s, v%d.2d"},

	// Across and between registers.
	"addv.s.4s":  {0x4eb1b800, "s%d, v%d.4s"},
	"umaxv.s.4s": {0x6eb0a800, "s%d, v%d.4s"},
	"uminv.s.4s": {0x6eb1a800, "s%d, v%d.4s"},
	"zip1.4s":    {0x4e803800, sss},
	"zip2.4s":    {0x4e807800, sss},
	"uzp1.4s":    {0x4e801800, sss},
	"uzp2.4s":    {0x4e805800, sss},
}

// encode returns the word of an instruction and how the manual writes it. The
// fields are register numbers; a fourth one is the element of the last register.
func encode(name string, fields ...int) (word uint32, text string, err error) {
	in, ok := instructions[name]
	if !ok {
		return 0, "", fmt.Errorf("no instruction %s", name)
	}
	if want := strings.Count(in.form, "%d"); len(fields) != want {
		return 0, "", fmt.Errorf("%s has %d fields, got %d", name, want, len(fields))
	}
	word = in.base
	args := make([]any, len(fields))
	for i, f := range fields {
		args[i] = f
		switch bits := uint32(f); {
		case i == 3 && bits < 4:
			word |= bits&1<<21 | bits>>1<<11
		case i < 3 && bits < 32:
			word |= bits << [...]int{0, 5, 16}[i]
		default:
			return 0, "", fmt.Errorf("%s: field %d is %d", name, i, f)
		}
	}
	mnemonic, _, _ := strings.Cut(name, ".")
	return word, mnemonic + " " + fmt.Sprintf(in.form, args...), nil
}
