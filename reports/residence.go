package reports

import (
	"fmt"

	"metalconform/metalrun/forecast"
)

// Residence says how a launch is likely to lie on the cores; nothing if that is not known.
func Residence(r forecast.Residence) string {
	if r.Threadgroups == 0 {
		return ""
	}
	text := fmt.Sprintf("%s of %s on %d of %d cores: %d of %d simdgroups at the same time on a core, and %s. A "+
		"thread needs about %s",
		Number(r.Threadgroups, "threadgroup"), Number(r.Threads, "thread"), r.Cores, r.Of, r.Simdgroups, r.Room,
		r.Limit, Number(r.Registers, "register"))
	if r.Spilled > 0 {
		text += fmt.Sprintf(", %d of which it cannot have and keeps in memory", r.Spilled)
	}
	if r.Memory > 0 {
		text += fmt.Sprintf(", a threadgroup %s of threadgroup memory", Number(r.Memory, "byte"))
	}
	return text + "."
}
