package explore

import (
	"context"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// Launch makes one launch with generated inputs, with longer buffers while it leaves one whose length is
// a guess, and tries other values for what Metal leaves unspecified.
func (e *Explorer) Launch(ctx context.Context, kernel metalrun.Kernel, l adhoc.Launch) ([]Finding, error) {
	q := &exploration{Explorer: e, effort: effort{trials: max(e.Budget/trialsPart, 1)}, tried: map[choiceKey]bool{}}
	list, _, err := q.enough(ctx, kernel, l.Kernel(), l, true)
	return list, err
}
