package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"metalconform/suite"
	"metalconform/suite/packs"
)

var packUsage = "judge kernels of a project by the specifications that come with Conform: `" + strings.Join(packs.Names(), "|") + "`; repeatable"

// packFlag is -pack, which stands for the files of a pack.
type packFlag struct{ of *specifications }

// String is the packs, for help.
func (f packFlag) String() string {
	if f.of == nil {
		return ""
	}
	var names []string
	for _, p := range f.of.packs {
		names = append(names, p.Name)
	}
	return strings.Join(names, ",")
}

// Type names the value in help.
func (packFlag) Type() string { return "pack" }

// Set reads one more pack.
func (f packFlag) Set(name string) error {
	if slices.ContainsFunc(f.of.packs, func(p packs.Pack) bool { return p.Name == name }) {
		return errors.New("given twice")
	}
	p, err := packs.Read(name)
	if err != nil {
		return err
	}
	f.of.packs = append(f.of.packs, p)
	return nil
}

// printCoverage says which kernels of the shaders the packs cover, which not, and which they leave out for a reason.
func (s specifications) printCoverage(w io.Writer, shaders *suite.Shaders) {
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
