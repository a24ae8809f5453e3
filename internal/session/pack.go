package session

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

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
		names = append(names, p.name)
	}
	return strings.Join(names, ",")
}

// Type names the value in help.
func (PackFlag) Type() string { return "pack" }

// Set reads one more pack.
func (f PackFlag) Set(name string) error {
	if slices.ContainsFunc(f.Of.packs, func(p *pack) bool { return p.name == name }) {
		return errors.New("given twice")
	}
	if !slices.Contains(packs.Names(), name) {
		return fmt.Errorf("no pack is called %q: there are %s", name, strings.Join(packs.Names(), ", "))
	}
	f.Of.packs = append(f.Of.packs, newPack(name))
	return nil
}

// pack is a pack that a flag names. It is read when it is first needed: of thousands of kernels a run may want one.
type pack struct {
	name  string
	whole func() packs.Pack // with all kernels
	some  *packs.Pack       // what was read of it for some kernels
}

func newPack(name string) *pack {
	return &pack{name: name, whole: sync.OnceValue(func() packs.Pack { return readPack(name, nil) })}
}

// readPack reads specifications that are part of this program.
func readPack(name string, wanted func(kernel string) bool) packs.Pack {
	p, err := packs.Read(name, wanted)
	if err != nil {
		panic(fmt.Errorf("pack %s: %w", name, err)) // a test reads it
	}
	return p
}

// families are those of the wanted kernels; nil wants all.
func (p *pack) families(wanted func(kernel string) bool) []suite.Family {
	if wanted == nil {
		return p.whole().Families
	}
	some := readPack(p.name, wanted)
	p.some = &some
	return some.Families
}

// kernels are the names of all kernels.
func (p *pack) kernels() []string {
	if p.some != nil {
		return p.some.Kernels
	}
	return p.whole().Kernels
}

// PrintCoverage says which kernels of the shaders the packs cover, which not, and which they leave out for a reason.
func (s Specifications) PrintCoverage(w io.Writer, shaders *suite.Shaders) {
	for _, of := range s.packs {
		p := of.whole()
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
