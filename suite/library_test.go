package suite_test

import (
	"os"
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"
)

// TestLibraries opens a directory whose kernels are in a compiled library, and one that has a source too, which counts.
func TestLibraries(t *testing.T) {
	data, err := os.ReadFile("../metalrun/internal/air/testdata/fixture.metallib")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"k.metallib": string(data), "notes.h": ""}
	s, err := suite.NewShaders(files, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	if names := s.Names(); len(names) != 4 {
		t.Errorf("the library exports %v", names)
	}
	axpy, tile := s.Contents("axpy")["k.metallib"], s.Contents("tile")["k.metallib"]
	if len(axpy) < 64 || len(axpy) > 100 || axpy == tile {
		t.Errorf("kernels are made of %q and %q, want the digests of their modules", axpy, tile)
	}
	files["k.metal"] = "kernel void other() {}"
	if s, err = suite.NewShaders(files, metalrun.Analyse); err != nil {
		t.Fatal(err)
	}
	if names := s.Names(); len(names) != 1 || names[0] != "other" {
		t.Errorf("beside a source the directory exports %v, want other alone", names)
	}
}
