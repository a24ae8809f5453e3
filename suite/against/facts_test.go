package against_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite/adhoc"
)

var update = flag.Bool("update", false, "write testdata/facts.json anew, of the libraries of CONFORM_METALLIBS")

// facts are what is known of a library of another project, which is no part of this repository.
type facts struct {
	Compiler   string `json:"compiler"`
	Kernels    int    `json:"kernels"`
	Executed   int    `json:"executed"`   // that are supported
	Launched   int    `json:"launched"`   // whose first launch with generated arguments ends
	Signatures string `json:"signatures"` // digest of names, arguments and layouts
	Results    string `json:"results"`    // digest of what the launches leave
}

// TestFacts holds the front end to what it has made of libraries that Apple's compiler wrote.
func TestFacts(t *testing.T) {
	dir := os.Getenv("CONFORM_METALLIBS")
	if dir == "" {
		t.Skip("CONFORM_METALLIBS names no folder of libraries")
	}
	golden := filepath.Join("testdata", "facts.json")
	known := map[string]facts{}
	if data, err := os.ReadFile(golden); err == nil {
		if err := json.Unmarshal(data, &known); err != nil {
			t.Fatal(err)
		}
	}
	made := maps.Clone(known)
	paths, err := filepath.Glob(filepath.Join(dir, "*.metallib"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has no libraries: %v", dir, err)
	}
	for _, path := range paths {
		text := read(t, path)
		digest := sha256.Sum256([]byte(text))
		name := hex.EncodeToString(digest[:8])
		got := factsOf(t, text)
		if want, ok := known[name]; ok && got != want && !*update {
			t.Errorf("%s: %+v, want %+v (-update writes it anew)", path, got, want)
		}
		made[name] = got
	}
	if !*update {
		return
	}
	data, err := json.MarshalIndent(made, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(golden, append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func factsOf(t *testing.T, text string) (f facts) {
	t.Helper()
	p, err := metalrun.Analyse(metalrun.SourceText("k.metallib", text), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	about, _ := p.Library()
	f.Compiler = about.Compiler
	signatures, results := sha256.New(), sha256.New()
	for _, s := range p.Signatures() {
		f.Kernels++
		for i := range s.Args {
			s.Args[i].Tail = nil // a pointer, to what the fields say too
		}
		fmt.Fprintf(signatures, "%s %+v\n", s.Name, s.Args)
	}
	kernels, p, err := adhoc.Kernels(p, &adhoc.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	library, err := sim.New(sim.Semantics{Steps: 1 << 20, ThreadSteps: 1 << 16}).Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kernels {
		f.Executed++
		if launchFirst(library, k, results) {
			f.Launched++
		}
	}
	f.Signatures, f.Results = short(signatures), short(results)
	return f
}

func short(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:8]) }

// launchFirst adds what the first launch of a kernel leaves to a digest, and reports whether it ends.
func launchFirst(library metalrun.Library, k adhoc.Kernel, results hash.Hash) bool {
	kernel, err := library.Kernel(k.Info.Name)
	if err != nil || k.Unfilled() != "" {
		return false
	}
	l := k.Launches(k.Threadgroups(kernel.MaxThreads())[0])[0]
	for range 12 {
		d := l.Again().Dispatch()
		var fault *metalrun.Fault
		if _, err = kernel.Run(d); err == nil {
			fmt.Fprintln(results, k.Info.Name)
			for _, b := range d.Bindings {
				results.Write(b.Data)
			}
			return true
		}
		if !errors.As(err, &fault) || !k.Grow(fault) {
			return false
		}
	}
	return false
}
