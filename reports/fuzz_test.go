package reports

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"metalconform/suite/mutate"
)

// A log of mutants is read, or refused, up to a whole line; what was read of it is read again.
func FuzzMutationLog(f *testing.F) {
	var log bytes.Buffer
	w := NewMutationLog(&log)
	if err := w.Begin(MutationHeader{Schema: MutationSchema, Sources: "s", Mutants: 2}); err != nil {
		f.Fatal(err)
	}
	for _, m := range []mutate.Mutant{{ID: "a.metal:1:2:x", Key: "k", Kernels: []string{"k"}, Fate: mutate.Killed},
		{ID: "a.metal:1:3:x", Fate: mutate.Survived}} {
		if err := w.Write(m); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(log.String())
	f.Add(log.String()[:log.Len()-3])
	f.Fuzz(func(t *testing.T, text string) {
		_, mutants, size, err := ReadMutationLog(strings.NewReader(text))
		if err != nil {
			return
		}
		if size < 0 || size > int64(len(text)) || size > 0 && text[size-1] != '\n' {
			t.Fatalf("%d of %d bytes are whole lines", size, len(text))
		}
		_, again, _, err := ReadMutationLog(strings.NewReader(text[:size]))
		if err != nil || len(again) != len(mutants) {
			t.Fatalf("%d mutants, and read again %d: %v", len(mutants), len(again), err)
		}
	})
}

// Rows of times are read, or refused with a line.
func FuzzBench(f *testing.F) {
	rows, err := os.ReadFile("testdata/report.bench")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(rows))
	f.Add("backend: simulator\nBenchmarkConform/k/n=1 1 5 ns/op\n")
	f.Add("Unit ns/op better=higher\nBenchmarkX-8 \t 99999999999999999999 NaN ns/op\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ReadBench(strings.NewReader(text), "f", nil); err != nil && !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("no place: %v", err)
		}
	})
}

// A log of mutants that never ends a line, or never ends, is refused before memory does.
func TestHugeMutationLog(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads as many as it may")
	}
	header := fmt.Sprintf("{\"schema\":%d}\n", MutationSchema)
	var many strings.Builder
	for i := range mostMutants + 1 {
		fmt.Fprintf(&many, "{\"id\":\"%d\",\"fate\":\"killed\"}\n", i)
	}
	for text, want := range map[string]string{
		header + `{"id":"` + strings.Repeat("a", maxLine): "a line has more than",
		header + many.String():                            "more than 131072 mutants",
	} {
		if _, _, _, err := ReadMutationLog(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
