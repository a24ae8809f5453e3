package kernels

import (
	"os"
	"runtime/debug"
	"testing"

	"metalconform/metalrun/isolated"
	"metalconform/metalrun/metal"
)

// TestMain collects garbage less often, since a case leaves much of it and keeps little,
// and is where launches on the GPU have a process of their own.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	isolated.Main(metal.New)
	os.Exit(m.Run())
}
