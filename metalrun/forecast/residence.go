package forecast

import "math"

// Residence is how the threadgroups of a launch are likely to share the cores. The fewer simdgroups a core holds at the
// same time, the less of their waits is hidden.
type Residence struct {
	Kernel       string `json:"kernel"`
	Threadgroups int    `json:"threadgroups"`
	Threads      int    `json:"threads"`    // of a threadgroup
	Cores        int    `json:"cores"`      // that have any
	Of           int    `json:"of"`         // cores of the device
	Simdgroups   int    `json:"simdgroups"` // on the busiest core at the same time
	Room         int    `json:"room"`       // simdgroups that a core holds at most
	Limit        Limit  `json:"limit"`      // why there are no more
	Registers    int    `json:"registers"`  // of 32 bits that a thread needs, by the model
	Spilled      int    `json:"spilled"`    // of these, that the thread cannot have: they are kept in memory
	Memory       int    `json:"memory"`     // bytes of threadgroup memory of a threadgroup
}

// Limit is what keeps more simdgroups of a launch from a core.
type Limit string

const (
	GridLimit        Limit = "the launch has no more"
	CoreLimit        Limit = "the core holds no more"
	RegisterLimit    Limit = "registers allow no more"
	MemoryLimit      Limit = "threadgroup memory allows no more"
	ThreadgroupLimit Limit = "the core takes no more threadgroups"
)

// residence is the residence of the launch that takes the longest, with all of its repetitions.
func (m *Model) residence(launches []Launch) (r Residence) {
	longest, work := 0.0, m.working(launches)
	for _, l := range launches {
		if t := float64(l.Times) * m.together(m.terms(l, work)); t > longest {
			on := m.load(l)
			longest = t
			need, room := m.demand(l.Profile)
			r = Residence{
				Kernel: l.Kernel, Threadgroups: l.Threadgroups, Threads: l.Threads, Cores: int(on.cores),
				Of:         int(m.Cores),
				Simdgroups: int(math.Round(on.together)), Room: int(m.Simdgroups), Limit: on.limit,
				Registers: int(math.Ceil(need)), Spilled: int(math.Ceil(math.Max(0, need-room))), Memory: l.Memory,
			}
		}
	}
	return r
}
