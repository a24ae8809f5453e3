package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"metalconform/internal/session"
	"metalconform/suite"
	"metalconform/suite/packs"
)

func total(name string, cases []suite.Case) {
	var sum, most int64
	var which string
	for _, c := range cases {
		if c.Input.Name == "refused" { continue }
		var n int64
		for _, a := range c.Kernel.Args {
			if a.Buffer() {
				n += int64(a.Count(c.Shape))
			}
		}
		sum += n
		if n > most { most, which = n, c.Name }
	}
	fmt.Printf("%-30s cases %7d elements %12d largest %10d %s\n", name, len(cases), sum, most, which)
}

func TestZZ(t *testing.T) {
	total("catalogue quick", session.OwnCases()(suite.Quick))
	total("catalogue full", session.OwnCases()(suite.Full))
	for _, n := range packs.Names() {
		p, err := packs.Read(n)
		if err != nil { t.Fatal(err) }
		total(p.Name+" quick", suite.Cases(p.Families, suite.Quick))
		total(p.Name+" full", suite.Cases(p.Families, suite.Full))
	}
	files, _ := filepath.Glob("../../examples/*/*.star")
	for _, f := range files {
		var s session.Specifications
		if err := s.Set(f); err != nil { fmt.Println(f, err); continue }
		total(f+" full", s.Cases(suite.Full))
	}
}
