package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/shaders"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// watched is a front end that counts what it does.
type watched struct {
	mu     sync.Mutex
	passes map[string]int // by pass and file or kernel
	files  map[string]int // analysed, but for those with mutants
}

func (w *watched) analyse(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
	if ours, err := fs.ReadFile(shaders.FS, src.Name); err == nil && string(ours) == src.Files[src.Name] {
		opts.Trace = func(pass, of string) { w.count(w.passes, pass+" "+of) }
		w.count(w.files, src.Name)
	}
	return metalrun.Analyse(src, opts)
}

func (w *watched) count(of map[string]int, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	of[key]++
}

// TestFilesAreAnalysedOnce runs commands that ask for kernels in many ways: no
// pass of the front end sees a file or a kernel twice.
func TestFilesAreAnalysedOnce(t *testing.T) {
	for _, test := range []struct {
		name    string
		args    []string
		checked int    // how often each pass checks a file that is needed
		files   string // that are needed
	}{
		{"list", []string{"list"}, 1, "attention delta_net kv_quant mla moe norm quant"},
		{"run", []string{"run", "-q", "-backend", "simulator", "-check", "-run",
			"^(swiglu_fused|rms_norm_qk|moe_layer)/.*input=normal"}, 1, "moe norm quant"},
		{"adversarial", []string{"run", "-q", "-semantics", "adversarial", "-vs-plain", "-run",
			"^(swiglu_fused|rms_norm_qk)/"}, 1, "moe norm"},
		{"fast", []string{"run", "-q", "-backend", "simulator", "-math", "fast", "-run", "^swiglu_fused/"}, 2, "moe"},
		{"mutate", []string{"mutate", "-sample", "6", "-adversaries", "1", "-typical", "swiglu_fused",
			"repeat_tiled_f32"}, 1, "attention delta_net kv_quant mla moe norm quant"},
		{"explain", []string{"explain", "-backend", "simulator", "swiglu_fused/dim=256/input=normal"}, 1, "moe"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.name != "fast" {
				t.Skip("one command is enough for a short run")
			}
			w := &watched{passes: map[string]int{}, files: map[string]int{}}
			var stdout, stderr bytes.Buffer
			ctx := context.WithValue(t.Context(), session.FrontEndKey{}, suite.Analyse(w.analyse))
			if status := conform(ctx, test.args, &stdout, &stderr); status > exit.Fails {
				t.Fatalf("status %d\n%s%s", status, &stdout, &stderr)
			}
			var names []string
			most := 0
			for name, n := range w.files {
				names = append(names, strings.TrimSuffix(name, ".metal"))
				if n != 1 {
					t.Errorf("%s is analysed %d times", name, n)
				}
				if n := w.passes["tree "+name]; n != 1 {
					t.Errorf("%s is parsed %d times", name, n)
				}
				most = max(most, w.passes["types "+name])
			}
			slices.Sort(names)
			if diff := cmp.Diff(strings.Fields(test.files), names); diff != "" {
				t.Errorf("files that are analysed (-want +got):\n%s", diff)
			}
			if most != test.checked {
				t.Errorf("a file is checked %d times, want %d", most, test.checked)
			}
			for key, n := range w.passes {
				if n > test.checked {
					t.Errorf("%s: %d times", key, n)
				}
			}
			if len(w.passes) <= 3*len(names) {
				t.Error(fmt.Sprint("passes are not counted: ", w.passes))
			}
		})
	}
}

// TestInterruptedReading: of a directory under test no file is analysed after an interrupt, and none is taken for
// broken.
func TestInterruptedReading(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("k%d.metal", i)), []byte("kernel void k() {}"),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	ctx = context.WithValue(ctx, session.FrontEndKey{},
		suite.Analyse(func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
			t.Errorf("%s is analysed", src.Name)
			return metalrun.Analyse(src, opts)
		}))
	var out, said strings.Builder
	status := conform(ctx, []string{"run", "-backend", "simulator", "-shaders", dir}, &out, &said)
	if want := "conform run: interrupted while the files of " + dir + " were read\n"; status != exit.Device ||
		said.String() != want || out.Len() > 0 {
		t.Errorf("status %d, %q, %q, want %d, %q", status, out.String(), said.String(), exit.Device, want)
	}
}
