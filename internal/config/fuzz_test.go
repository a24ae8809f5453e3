package config

import (
	"testing"
	"time"

	"metalconform/suite"
)

// A file of declarations is read, or refused with a line.
func FuzzConfig(f *testing.F) {
	f.Add("require = \"all\"\n[[waive]]\ncase = \"k/.*\"\nfactor = 2\nreason = \"x\"\nexpires = 2026-12-01\n")
	f.Add("[[compile]]\nfile = \".*\"\nmatrix = { A = [1, 2] }\nconstants = { b = true }\n[policy]\nalpha = 0.01\n")
	f.Add("[[contract]]\nkernel = \"k\"\nsums = { s = \"256 lanes\" }\n")
	cases := suite.Listed([]suite.Family{{Name: "f", Kernels: []suite.Kernel{{Name: "k"}}}})
	today := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(nil, "c.toml", []byte(text), today, cases)
		if err == nil && d == nil {
			t.Error("neither declarations nor an error")
		}
	})
}
