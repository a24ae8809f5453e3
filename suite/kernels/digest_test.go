package kernels

import (
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// TestDigestsOfBothLoops judges light cases with plain loops and with vector
// instructions: every bit has to be the same. Each kernel has its first probe with all
// inputs and its smallest shapes, many of which end within a threadgroup and within a
// simdgroup, so that every operation that a kernel contains is executed, with and
// without idle lanes.
func TestDigestsOfBothLoops(t *testing.T) {
	cases := casesWhere(func(c suite.Case) bool {
		return isLight(c) && launched(c) &&
			(isFirst(c) || !testing.Short() && operations(c) <= few/256 && (isFirstProbe(c) || hasFirstInput(c)))
	})
	native, portable := &keeper{Runner: sim.New(sim.Semantics{})},
		&keeper{Runner: sim.New(sim.Semantics{Portable: true})}
	t.Cleanup(func() { native.Close(); portable.Close() })
	opts := suite.Options{Shaders: ours(t), Seed: 1, Parallel: 1}.Within(nil)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c := askedOnce(c)
			vector, plain := verdicts(t, native, opts, c)[0], verdicts(t, portable, opts, c)[0]
			if vector.Status != suite.Pass || vector.Digest == "" {
				t.Fatalf("%s with digest %q", vector.Status, vector.Digest)
			}
			if plain.Status != suite.Pass || plain.Digest != vector.Digest {
				t.Errorf("%s with digest %s with vector instructions, %s with %s without", vector.Status, vector.Digest,
					plain.Status, plain.Digest)
			}
		})
	}
}
