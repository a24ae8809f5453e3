package metal

import (
	"time"

	"metalconform/metalrun"
)

// timed is the time between two readings of the GPU's clock, in seconds. Some devices,
// virtual ones above all, leave them 0 or have them reversed: then it is the time that
// the host waited, and says so.
func timed(start, end float64, wall time.Duration) metalrun.Outcome {
	if gpu := time.Duration((end - start) * float64(time.Second)); start > 0 && gpu > 0 &&
		gpu <= wall+time.Millisecond {
		return metalrun.Outcome{Duration: gpu}
	}
	return metalrun.Outcome{Duration: wall, Clock: metalrun.HostClock}
}
