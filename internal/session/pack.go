package session

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"metalconform/suite"
	"metalconform/suite/packs"
)

// PackUsage is the help of -pack.
var PackUsage = "judge kernels of a project by the specifications that come with Conform: `" + strings.Join(
	packs.Names(), "|") + "`; repeatable"

// PackFlag is -pack, which stands for the files of a pack.
type PackFlag struct{ Of *Specifications }

// String is the packs, for help.
func (f PackFlag) String() string {
	if f.Of == nil {
		return ""
	}
	var names []string
	for _, p := range f.Of.packs {
		names = append(names, p.Name)
	}
	return strings.Join(names, ",")
}

// Type names the value in help.
func (PackFlag) Type() string { return "pack" }

// Set reads one more pack.
func (f PackFlag) Set(name string) error {
	if slices.ContainsFunc(f.Of.packs, func(p packs.Pack) bool { return p.Name == name }) {
		return errors.New("given twice")
	}
	p, err := packs.Read(name)
	if err != nil {
		return err
	}
	f.Of.packs = append(f.Of.packs, p)
	return nil
}

// PrintCoverage says which kernels of the shaders the packs cover, which not, and which they leave out for a reason.
func (s Specifications) PrintCoverage(w io.Writer, shaders *suite.Shaders) {
	for _, p := range s.packs {
		c := p.Cover(shaders.Names())
		fmt.Fprintf(w, "\npack %s, for %s: covers %d of %d kernels", p.Name, p.Version, len(c.Covered), c.All())
		if len(c.Absent) > 0 {
			fmt.Fprintf(w, "; %d of its own are not there: %s", len(c.Absent), some(c.Absent))
		}
		if len(c.Uncovered) > 0 {
			fmt.Fprintf(w, "\n\tnot covered: %s", some(c.Uncovered))
		}
		for _, o := range c.Left {
			fmt.Fprintf(w, "\n\tleft out, since %s: %s", o.Why, some(o.Names))
		}
		fmt.Fprintln(w)
	}
}

// some are the first few of a list.
func some(names []string) string {
	const most = 40
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
