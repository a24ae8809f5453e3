package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalconform/crash"
	"metalconform/metalrun"
	"metalconform/shaders"
	"metalconform/suite"
)

// A mistake of this program that one file brings up is a line with a file for a report, and the
// rest is judged.
func TestCrash(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"norm.metal", "moe.metal"} {
		text, err := shaders.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	analyse := func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
		if src.Name == "moe.metal" {
			panic("planted")
		}
		return metalrun.Analyse(src, opts)
	}
	ctx := context.WithValue(t.Context(), frontEnd{}, suite.Analyse(analyse))
	var out, said strings.Builder
	args := []string{"run", "-backend", "simulator", "-shaders", dir, "-run", "^(residual_add|moe_softmax_topk)/.*input=zeros"}
	if status := conform(ctx, args, &out, &said); status != exitDevice {
		t.Errorf("status %d, want %d", status, exitDevice)
	}
	if !strings.Contains(out.String(), "moe.metal does not compile") || !regexp.MustCompile(`(?m)^residual_add +\d.* pass$`).MatchString(out.String()) {
		t.Errorf("got %s", out.String())
	}
	line := regexp.MustCompile(`(?m)^conform run: moe.metal: internal error: planted; please report it with (.*)$`).FindStringSubmatch(said.String())
	if line == nil {
		t.Fatalf("said %s", said.String())
	}
	text, err := os.ReadFile(line[1])
	if err != nil || !strings.Contains(string(text), "TestCrash") || !strings.Contains(string(text), "planted") {
		t.Errorf("the file for a report: %v\n%s", err, text)
	}
}

// A launch that this program fails to make is no finding in the kernel.
func TestCrashOfALaunch(t *testing.T) {
	q := &inquiry{execution: &execution{}}
	_, err := q.launch(t.Context(), metalrun.KernelInfo{Name: "k"}, launched{}, func() ([]metalrun.Finding, error) {
		return nil, fmt.Errorf("case: %w", crash.New("planted"))
	})
	var internal *crash.Crash
	if !errors.As(err, &internal) {
		t.Errorf("got %v", err)
	}
}
