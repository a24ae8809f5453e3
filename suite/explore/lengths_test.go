package explore

import (
	"testing"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// A row may have as many threads as elements, so that threads which leave before a barrier are at fault only if the
// length leaves none over.
func TestBarriersOfShortRows(t *testing.T) {
	for length, want := range map[float64]verdict{13: undecided, 63: undecided, 64: decided, 1100: decided} {
		var o Finding
		o.Check, o.fault = "fault", &metalrun.Fault{Kind: metalrun.Divergent}
		if got := o.ofLength(adhoc.Otherwise{Value: length}, 64); got != want {
			t.Errorf("%v elements: verdict %d, want %d", length, got, want)
		}
	}
}
