package explore

import (
	"errors"
	"fmt"
	"testing"

	"metalconform/internal/crash"
	"metalconform/metalrun"
)

// A launch that this program fails to make is no finding in the kernel.
func TestCrashOfALaunch(t *testing.T) {
	q := &exploration{Explorer: &Explorer{}, effort: effort{budget: UsualBudget}}
	_, err := q.launch(t.Context(), metalrun.KernelInfo{Name: "k"}, Provenance{}, func() ([]metalrun.Finding, error) {
		return nil, fmt.Errorf("case: %w", crash.New("planted"))
	})
	var internal *crash.Crash
	if !errors.As(err, &internal) {
		t.Errorf("got %v", err)
	}
}
