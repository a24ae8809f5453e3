package main

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"time"
)

// cost is what the steps of a compilation take.
type cost struct {
	steps     []string
	since     time.Time
	allocated uint64
}

func newCost() *cost { return &cost{since: time.Now(), allocated: allocated()} }

// end closes a step.
func (c *cost) end(step string) {
	now := time.Now()
	c.steps = append(c.steps, fmt.Sprintf("%s in %.2f s", step, now.Sub(c.since).Seconds()))
	c.since = now
}

func (c *cost) String() string {
	return fmt.Sprintf("%s; %d MB allocated", strings.Join(c.steps, ", "), (allocated()-c.allocated)>>20)
}

// allocated is the number of bytes that the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
