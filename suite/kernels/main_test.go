package kernels

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often: a case leaves much of it and keeps little.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
