package forecast

import (
	"math"

	"metalconform/metalrun"
)

// Resource is what a launch can be short of.
type Resource uint8

const (
	Arithmetic Resource = iota // issue of instructions
	Cache                      // requests to the caches of the cores
	Transfer                   // between cores and what they share
	Bandwidth                  // of the memory, or of the last cache before it
	Shared                     // threadgroup memory
	Atomics
	Latency  // chains of dependences, with too few simdgroups beside them to hide them
	Overhead // launching
	Resources
)

var resourceNames = [Resources]string{"arithmetic", "core cache", "transfer to cores", "memory bandwidth", "threadgroup memory", "atomics", "latency", "launch overhead"}

func (r Resource) String() string { return resourceNames[r] }

// Launch is a profile, and how often it is launched in a row.
type Launch struct {
	*metalrun.Profile
	Times  int
	costs  metalrun.Costs // of the whole launch
	missed float64        // of its chains through device memory, loads that the cache of the core does not hold
}

// NewLaunch is one of so many launches that ask the same.
func NewLaunch(p *metalrun.Profile, times int) Launch {
	l := Launch{Profile: p, Times: times, costs: p.Total()}
	for _, line := range p.Lines {
		if line.Device.Lines > 0 {
			l.missed += line.Chain[metalrun.DeviceLink] * line.Device.Missed / line.Device.Lines
		}
		l.missed += line.Chain[metalrun.AtomicLink]
	}
	return l
}

// Terms are the seconds that each resource would take if the others were free.
type Terms [Resources]float64

// terms are those of one launch.
func (m *Model) terms(p Launch, resident float64) Terms {
	d, q := m.Device, &m.Parameters
	c := &p.costs
	groups, width := float64(p.Threadgroups), float64((p.Threads+31)/32)
	simdgroups := groups * width
	cores := math.Min(float64(d.Cores), groups)
	rounds := math.Ceil(groups/float64(d.Cores)) * float64(d.Cores) / groups // what the last threadgroups leave idle
	if groups > 8*float64(d.Cores) {
		rounds = 1 // cores take the next threadgroup when they are done
	}
	if groups < float64(d.Cores) {
		rounds = 1
	}
	perCore := simdgroups / cores * rounds // simdgroups that the busiest core runs
	at := 1 / (d.Clock * cores) * rounds   // seconds for a cycle of the core, of all simdgroups

	var t Terms
	issue := 0.0
	for class, n := range c.Issued {
		issue += n * d.Cycles[class]
	}
	issue = issue*q[issueScale] + c.Jumps*q[jumpCycles] + (c.Device.Requests+c.Shared.Requests)*q[requestCycles]
	// Registers that the limit of threads leaves no room for are kept in memory.
	spilled := 0.0
	if need, room := float64(p.Registers)*q[registerScale], d.Registers/4/float64(limit(p)); need > room {
		spilled = (1 - room/need) * issue * q[spillRate]
	}
	private := c.Private.Requests + spilled
	issue += private * q[requestCycles]
	together := math.Min(perCore, m.residency(p.Profile))
	schedulers := math.Min(4, together)
	t[Arithmetic] = issue / schedulers * (1 + 1.75*math.Pow(4/math.Max(4, together), 1.54)) * at
	t[Cache] = (c.Device.Lines + private) * q[lineCycles] * at
	t[Transfer] = (c.Device.Missed*metalrun.CacheLine + private*q[privateBytes]) / q[transferBytes] * at
	t[Shared] = c.Shared.Turns * q[turnCycles] * at
	t[Atomics] = c.Atomics.Turns * q[atomicCycles] * at
	bytes := p.Read + p.Written
	t[Bandwidth] = bytes / m.bandwidth(resident)

	// A simdgroup takes as long as its chain; a core has so many under way at once.
	chain := c.Chain[metalrun.ArithmeticLink]*q[arithmeticLatency] + c.Chain[metalrun.FunctionLink]*2.5*q[arithmeticLatency] +
		c.Chain[metalrun.SimdgroupLink]*2*q[arithmeticLatency] + c.Chain[metalrun.SharedLink]*q[sharedLatency] +
		(c.Chain[metalrun.DeviceLink]+c.Chain[metalrun.AtomicLink])*q[deviceLatency] + p.missed*q[missLatency] + (c.Chain[metalrun.PrivateLink]+spilled/2)*q[privateLatency] + c.Barrier*q[barrierCycles]
	each := chain / simdgroups * p.Waiting // cycles
	waves := math.Max(1, perCore/m.residency(p.Profile))
	t[Latency] = each * waves / d.Clock
	t[Overhead] = q[launchSeconds]
	return t
}

// limit is how many threads a threadgroup of the kernel may have.
func limit(l Launch) int {
	if l.Limit > 0 {
		return l.Limit
	}
	return l.Threads
}

// residency is how many simdgroups of a launch a core holds at once.
func (m *Model) residency(p *metalrun.Profile) float64 {
	d := m.Device
	width := float64((p.Threads + 31) / 32)
	limit := math.Min(d.Simdgroups, d.Registers/(4*32*math.Max(float64(p.Registers)*m.Parameters[registerScale], 8)))
	groups := math.Min(math.Floor(limit/width), m.Parameters[groupsPerCore])
	if p.Memory > 0 {
		groups = math.Min(groups, math.Floor(d.Memory/float64(p.Memory)))
	}
	return math.Max(1, groups) * width
}

// bandwidth is that of the memory for a command buffer that works on so many bytes: what
// fits the last cache stays there.
func (m *Model) bandwidth(resident float64) float64 {
	d, q := m.Device, &m.Parameters
	share := 1 / (1 + math.Pow(resident/(d.Last*q[lastScale]), 4)) // that the cache holds
	return 1 / (share/(d.Bandwidth*q[lastBandwidth]) + (1-share)/(d.Bandwidth*q[bandwidthScale]))
}

// together is how long a launch takes whose resources work side by side, but not quite.
func (m *Model) together(t Terms) float64 {
	e := m.Parameters[overlap]
	sum, most := 0.0, 0.0
	for r := range Overhead {
		most = math.Max(most, t[r])
	}
	if most == 0 {
		return t[Overhead]
	}
	for r := range Overhead {
		sum += math.Pow(t[r]/most, e)
	}
	return most*math.Pow(sum, 1/e) + t[Overhead]
}

// seconds is the time of a command buffer.
func (m *Model) seconds(launches []Launch) float64 {
	s := m.Parameters[commandSeconds]
	resident := resident(launches)
	for _, l := range launches {
		s += float64(l.Times) * m.together(m.terms(l, resident))
	}
	// The clock of an idle GPU is low, and rises while it works.
	warm := m.Parameters[warmSeconds]
	return s + (m.Parameters[coldFactor]-1)*warm*(1-math.Exp(-s/warm))
}

// resident is how many bytes the largest launch works on.
func resident(launches []Launch) float64 {
	most := 0.0
	for _, l := range launches {
		most = math.Max(most, l.Read+l.Written)
	}
	return most
}
