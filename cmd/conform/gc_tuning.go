package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
)

// A case leaves much garbage and keeps little: collecting it when the heap has doubled,
// as Go does unless GOGC says otherwise, takes a tenth of a run. Where much is kept, five times as
// much again as garbage would be more than the machine has.
const (
	mostGarbagePercent  = 500 // of what is kept
	leastGarbagePercent = 50
	garbageBytes        = 192 << 20 // enough between these, for each core …
	// … up to so many: memory that is touched first and given back at the end costs time, too
	garbageCores = 4

	leastSoftMemory = 7 << 28 // bytes of the heap, beyond which garbage is collected more often …
	coreSoftMemory  = 1 << 28 // … or what the cases on so many cores take, if that is more

	// A heap that is small is collected often while it grows. Nothing touches these bytes, so
	// that they count for the collector and take no memory.
	ballastBytes = 24 << 20
)

// garbagePercent is how much garbage may lie about on so many cores before it is collected, in percent of the bytes
// that are kept.
func garbagePercent(kept uint64, cores int) int {
	enough := 100 * garbageBytes * uint64(min(cores, garbageCores))
	return int(min(max(enough/max(kept, 1), leastGarbagePercent), mostGarbagePercent))
}

// softMemory is how large the heap may become before garbage is collected more often: what cases under way may take
// together, and a part of it for garbage.
func softMemory() int64 {
	return max(leastSoftMemory, coreSoftMemory*int64(runtime.GOMAXPROCS(0)))
}

// garbage is collected each time, and says so.
type garbage struct {
	percent int
	cores   int // that make it
}

// busyCores are the cores that a command works on, by its name: those that judge nothing work on one.
func busyCores(args []string) int {
	if len(args) > 0 && slices.Contains([]string{"report", "compare", "history", "new", "open"}, args[0]) {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// boundGarbage sets the percentage, and again after each collection, of which g becomes part.
func boundGarbage(g *garbage) {
	kept, percent := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, mostGarbagePercent
	if metrics.Read(kept); kept[0].Value.Kind() == metrics.KindUint64 {
		percent = garbagePercent(kept[0].Value.Uint64(), g.cores)
	}
	if percent != g.percent { // all threads stop for it
		g.percent = percent
		debug.SetGCPercent(percent)
	}
	runtime.SetFinalizer(g, boundGarbage)
}
