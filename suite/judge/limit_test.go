package judge

import (
	"context"
	"encoding/json"
	"runtime"
	"sync"
	"testing"
)

// TestStepsLimitASource: a source that conforms is given up where its launches take more steps than they may, and
// nothing is said against it. Verdicts at once on one core and on several are the same bytes.
func TestStepsLimitASource(t *testing.T) {
	for _, steps := range []int64{1 << 17, 1 << 40} {
		var want string
		for _, cores := range []int{1, 4} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			var copies sync.WaitGroup
			got := make([]string, 3)
			for i := range got {
				j := newJudge(t)
				j.steps = steps
				copies.Go(func() {
					v := j.Verdict(context.Background(), Request{Source: source, Seed: 5})
					if len(v.Findings) > 0 || v.Error != "" || v.Conforms != (steps == 1<<40) ||
						v.Conforms != (v.NotJudged == "") {
						t.Errorf("%d steps: %+v", steps, v)
					}
					text, _ := json.Marshal(v)
					got[i] = string(text)
				})
			}
			copies.Wait()
			if want == "" {
				want = got[0]
			}
			for _, text := range got {
				if text != want {
					t.Errorf("%d steps: %s, and on another occasion %s", steps, text, want)
				}
			}
		}
	}
}
