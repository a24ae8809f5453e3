package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalconform/internal/exit"
	"metalconform/internal/session"
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
	ctx := context.WithValue(t.Context(), session.FrontEndKey{}, suite.Analyse(analyse))
	var out, said strings.Builder
	args := []string{"run", "-backend", "simulator", "-shaders", dir, "-run",
		"^(residual_add|moe_softmax_topk)/.*input=zeros"}
	if status := conform(ctx, args, &out, &said); status != exit.Device {
		t.Errorf("status %d, want %d", status, exit.Device)
	}
	if !strings.Contains(out.String(), "panic: moe.metal: internal error: planted") ||
		!regexp.MustCompile(`(?m)^residual_add +\d.* pass$`).MatchString(out.String()) {
		t.Errorf("got %s", out.String())
	}
	line := regexp.MustCompile(`(?m)^conform run: moe.metal: internal error: planted; please report it with (.*)$`).
		FindStringSubmatch(said.String())
	if line == nil {
		t.Fatalf("said %s", said.String())
	}
	for _, args := range [][]string{{"list"}, {"list", "-json"}, {"list", "-cases"}} {
		out.Reset()
		said.Reset()
		if status := conform(ctx, append(args, "-shaders", dir), &out, &said); status != exit.Device ||
			!strings.Contains(said.String(), "conform list: moe.metal: internal error: planted") {
			t.Errorf("%v: status %d, want %d; said %s", args, status, exit.Device, said.String())
		}
		if !strings.Contains(out.String(), "residual_add") {
			t.Errorf("%v: the other file is not listed:\n%s", args, out.String())
		}
	}
	text, err := os.ReadFile(line[1])
	if err != nil || !strings.Contains(string(text), "TestCrash") || !strings.Contains(string(text), "planted") {
		t.Errorf("the file for a report: %v\n%s", err, text)
	}
}

// A mistake of this program that one kernel brings up is an error of its cases, whatever command
// judges them, and the other kernels of its file are judged.
func TestCrashOfAKernel(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	analyse := func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
		opts.Trace = func(pass, of string) {
			if pass == "ir" && of == "residual_add" {
				panic("planted")
			}
		}
		return metalrun.Analyse(src, opts)
	}
	ctx := context.WithValue(t.Context(), session.FrontEndKey{}, suite.Analyse(analyse))
	dir := t.TempDir()
	text, err := shaders.FS.ReadFile("norm.metal")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "norm.metal"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	const named = "residual_add/dim=32/input=normal"
	line := regexp.MustCompile(`(?m)^conform [a-z]+: residual_add(?:/dim=\d+/input=normal)?: internal error: ` +
		`planted(?s:.*); please report it with (.*)$`)
	for _, test := range []struct{ args, out string }{
		{"run -run ^(residual_add|residual_add_n_tokens)/.*input=normal",
			`(?m)^ERROR residual_add/.*: panic: norm.metal: residual_add: internal error: ` +
				`planted$(?s:.*)^residual_add_n_tokens .* pass$`},
		{"run -math all -run ^" + named, `residual_add +3 .* ERROR`},
		{"bench -run ^" + named, ""},
		{"explain " + named, `ERROR: panic: `},
		{"blame " + named, ""},
		{"mutate residual_add", ""},
		{"mutate -typical -operators arithmetic residual_add residual_add_n_tokens", "left out: residual_add: "},
		{"shrink " + named, ""},
		{"record -o " + filepath.Join(dir, "x") + " " + named, ""},
	} {
		var out, said strings.Builder
		args := append(strings.Fields(test.args), "-backend", "simulator", "-shaders", dir)
		if strings.HasPrefix(test.args, "blame") || strings.HasPrefix(test.args, "mutate") { // which need the simulator
			args = append(strings.Fields(test.args), "-shaders", dir)
		}
		status := conform(ctx, args, &out, &said)
		if status != exit.Device || !regexp.MustCompile(test.out).MatchString(out.String()) {
			t.Errorf("%s: status %d\n%s", test.args, status, out.String())
		}
		match := line.FindStringSubmatch(said.String())
		if match == nil {
			t.Errorf("%s: said %s", test.args, said.String())
			continue
		}
		if text, err := os.ReadFile(match[1]); err != nil || !strings.Contains(string(text), "planted") {
			t.Errorf("%s: the file for a report: %v\n%s", test.args, err, text)
		}
	}
}
