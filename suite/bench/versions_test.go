package bench

import (
	"math/rand/v2"
	"metalconform/metalrun/runnertest"
	"metalconform/suite"
	"metalconform/suite/suitetest"
	"testing"
	"time"

	"metalconform/metalrun"
)

// Two versions are judged and sampled; one that is wrong, at first or in the end, has no
// samples and is the one that is named.
func TestCompareVersions(t *testing.T) {
	const samples = 7
	for _, test := range []struct {
		name   string
		wrong  func(n int) bool // of all runs
		failed bool
	}{
		{"both right", func(int) bool { return false }, false},
		{"the head is wrong", func(n int) bool { return n == 2 }, true},
		{"one is wrong at last", func(n int) bool { return n > 3+samples }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			runner := &clockRunner{took: func(int) time.Duration { return time.Microsecond }}
			runner.run = func(n int, d metalrun.Dispatch) error {
				err := suitetest.RunProduct(d)
				if test.wrong(n) {
					runnertest.Memory{Dispatch: d}.Set(suitetest.ArgY, 0, 1e9)
				}
				return err
			}
			c := suite.Cases([]suite.Family{{Name: "f", Kernels: []suite.Kernel{benched()}}}, suite.Quick)[0]
			s := suitetest.Shaders(t, nil)
			m := NewMeter(runner, suite.Options{Shaders: s, Seed: 1}, effort(samples, time.Minute))
			defer m.Close()
			v := Version{Case: c, Shaders: s}
			got := m.Compare(v, v, rand.New(rand.NewPCG(1, 1)))
			if failed := got.Failed != nil; failed != test.failed {
				t.Fatalf("failed %+v, want one: %t", got.Failed, test.failed)
			}
			want := samples
			if test.failed {
				want = 0
			}
			for i, list := range [][]float64{got.Self[0], got.Self[1], got.Base, got.Head} {
				if len(list) != want {
					t.Errorf("list %d has %d samples, want %d", i, len(list), want)
				}
			}
		})
	}
}
