package main

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"testing"

	"metalconform/internal/exit"
	"metalconform/suite"
	"metalconform/suite/kernels"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"
)

// Every row can be read back under the name of its case.
func TestBenchRows(t *testing.T) {
	const some = "^(repeat_block_f32|rms_norm_apply|tq_dequantize_kv)/"
	var stdout, stderr bytes.Buffer
	args := []string{"bench", "-backend", "simulator", "-cpu", "1", "-max-time", "1ns", "-run", some}
	if status := conform(context.Background(), args, &stdout, &stderr); status != exit.Conforms {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	var got, want []string
	for rows := benchfmt.NewReader(&stdout, "stdout"); rows.Scan(); {
		switch r := rows.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(r)
		case *benchfmt.Result:
			got = append(got, r.Name.String())
			if r.Iters < 1 || len(r.Values) < 3 || r.GetConfig("goarch") == "" {
				t.Errorf("row %+v", r)
			}
		}
	}
	for _, c := range suite.Largest(suite.Cases(kernels.All(), suite.Quick)) {
		if regexp.MustCompile(some).MatchString(c.Name) {
			want = append(want, "Conform/"+c.Name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// A run that ends early says why and exits with status 3.
func TestBenchEndsEarly(t *testing.T) {
	args := []string{"bench", "-backend", "simulator", "-max-time", "1ns", "-run", "^(sigmoid_gate|swiglu_fused)/"}
	ctx, interrupt := context.WithCancel(context.Background())
	tests := []struct {
		stdout writerFunc
		want   string
	}{
		{func([]byte) (int, error) { return 0, errors.New("no room left") },
			"stopped after 1 of 2 cases: no room left"},
		{func(b []byte) (int, error) { interrupt(); return len(b), nil }, "interrupted after 1 of 2 cases"},
		{func(b []byte) (int, error) { return len(b), nil }, "interrupted after 0 of 2 cases"},
	}
	for _, test := range tests {
		var stderr bytes.Buffer
		if status := conform(ctx, args, test.stdout, &stderr); status != exit.Device ||
			stderr.String() != "conform bench: "+test.want+"\n" {
			t.Errorf("status %d, %q, want %q", status, stderr.String(), test.want)
		}
	}
}
