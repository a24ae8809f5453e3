package metal

import (
	"testing"

	"metalconform/metalrun"
)

// unitOf is a preprocessed source.
func unitOf(t *testing.T, files map[string]string) metalrun.Unit {
	t.Helper()
	p, err := metalrun.Analyse(metalrun.Source{Name: "main.metal", Files: files}, metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	u, err := p.Unit()
	if err != nil {
		t.Fatal(err)
	}
	return u
}
