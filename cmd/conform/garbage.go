package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// A case leaves much garbage and keeps little: collecting it when the heap has doubled,
// as Go does unless GOGC says otherwise, takes a tenth of a run. Where much is kept, five times as
// much again as garbage would be more than the machine has.
const (
	mostGarbagePercent  = 500 // of what is kept
	leastGarbagePercent = 50
	garbageBytes        = 384 << 20 // enough between these

	softMemory = 7 << 28 // bytes, beyond which garbage is collected more often

	// A heap that is small is collected often while it grows. Nothing touches these bytes, so
	// that they count for the collector and take no memory.
	ballastBytes = 24 << 20
)

// garbagePercent is how much garbage may lie about before it is collected, in percent of the bytes that are kept.
func garbagePercent(kept uint64) int {
	return int(min(max(100*garbageBytes/max(kept, 1), leastGarbagePercent), mostGarbagePercent))
}

// garbage is collected each time, and says so.
type garbage struct{ percent int }

// boundGarbage sets the percentage, and again after each collection, of which g becomes part.
func boundGarbage(g *garbage) {
	kept, percent := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, mostGarbagePercent
	if metrics.Read(kept); kept[0].Value.Kind() == metrics.KindUint64 {
		percent = garbagePercent(kept[0].Value.Uint64())
	}
	if percent != g.percent { // all threads stop for it
		g.percent = percent
		debug.SetGCPercent(percent)
	}
	runtime.SetFinalizer(g, boundGarbage)
}
