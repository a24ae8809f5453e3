package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"metalconform/internal/exit"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// No flag of any command takes a number that means nothing: what would be below zero or no number at all is refused by
// name, and the largest that it takes leaves room to calculate with.
func TestNumbersOfFlags(t *testing.T) {
	wrong := map[string][]string{
		"int":      {"-1", "-9223372036854775808", "9223372036854775807", "1.5", "NaN", "", "0x"},
		"uint64":   {"-1", "18446744073709551616", "x"},
		"float64":  {"-1", "-0.5", "NaN", "Inf", "-Inf", "1e400", ""},
		"duration": {"-1s", "-2562047h", "9e18h", "5", "NaN"},
	}
	wrong["int64"] = wrong["int"]
	n := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for _, value := range wrong[f.Value.Type()] {
				n++
				var out, err strings.Builder
				path := strings.Fields(cmd.CommandPath())[1:]
				status := conform(context.Background(), append(path, "-"+spelling(f)+"="+value, "none"), &out, &err)
				want := fmt.Sprintf("conform %s: -%s %q: want a", strings.Join(path, " "), spelling(f), value)
				if got := err.String(); status != exit.Usage || !strings.HasPrefix(got, want) ||
					strings.Count(got, "\n") != 1 || out.Len() > 0 {
					t.Errorf("%s -%s=%s: status %d, %q, want %q", cmd.CommandPath(), f.Name, value, status, got, want)
				}
			}
		})
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(usage{width: leastWidth}))
	if n < 300 {
		t.Errorf("only %d numbers were tried", n)
	}
}
