package forecast

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// Resource is a part of a device that can limit the speed of a launch.
type Resource uint8

const (
	Arithmetic Resource = iota // issue of instructions
	Cache                      // requests to the caches of the cores
	Transfer                   // between cores and what they share
	Bandwidth                  // of the memory, or of the last cache before it
	Shared                     // threadgroup memory
	Atomics
	Latency  // chains of dependences that too few other simdgroups hide
	Overhead // of launches
	Resources
)

var resourceNames = [Resources]string{"arithmetic", "requests to memory", "transfer to cores", "memory bandwidth",
	"threadgroup memory", "atomics", "latency", "launches"}

func (r Resource) String() string { return resourceNames[r] }

// MarshalText and UnmarshalText write a resource by its name.
func (r Resource) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func (r *Resource) UnmarshalText(text []byte) error {
	i := slices.Index(resourceNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("%q is no resource: want one of %s", text, strings.Join(resourceNames[:], ", "))
	}
	*r = Resource(i)
	return nil
}

// Terms are the seconds that each resource would take if the others were free.
type Terms [Resources]float64

// MarshalJSON and UnmarshalJSON write terms by the names of the resources.
func (t Terms) MarshalJSON() ([]byte, error) {
	named := map[Resource]float64{}
	for r, v := range t {
		named[Resource(r)] = v
	}
	return json.Marshal(named)
}

func (t *Terms) UnmarshalJSON(b []byte) error {
	named := map[Resource]float64{}
	err := json.Unmarshal(b, &named)
	for r, v := range named {
		t[r] = v
	}
	return err
}

// Model forecasts times on a device.
type Model struct {
	Device
	Fitted
}

// Launch is a profile, and how many times in a row it is launched.
type Launch struct {
	*metalrun.Profile
	Times  int
	costs  metalrun.Costs  // of the whole launch
	missed metalrun.Misses // loads on its chains that the cache of the core does not hold
}

// traffic is the number of bytes that costs of a launch move between the memory and the cores. Their share of the bytes
// that the launch reads is their share of the lines that loads miss. Their share of the bytes that it writes is their
// share of the lines that stores miss. Atomics read and write.
func (l Launch) traffic(c *metalrun.Costs, on load) float64 {
	bytes := float64(c.Private.Requests * metalrun.CacheLine)
	if all := fetched(&l.costs, on); all > 0 {
		bytes += float64(l.Read * fetched(c, on) / all)
	}
	if all := written(&l.costs); all > 0 {
		bytes += float64(l.Written * written(c) / all)
	}
	return bytes
}

// fetched and written are the lines that the cache of a core does not hold when they are read, and those that
// are written.
func fetched(c *metalrun.Costs, on load) float64 {
	return c.Device.Missed.Beside(on.groups) - c.Stored.Missed.Beside(on.groups) + c.Atomics.Lines
}

func written(c *metalrun.Costs) float64 { return c.Stored.Lines + c.Atomics.Lines }

// NewLaunch is a launch that is repeated so many times.
func NewLaunch(p *metalrun.Profile, times int) Launch {
	l := Launch{Profile: p, Times: times, costs: p.Total()}
	for _, line := range p.Lines {
		for share, n := range missed(&line.Costs) {
			l.missed[share] += n
		}
	}
	return l
}

// missed are the loads on a chain that the cache of the core does not hold: all that lack one of their lines,
// which is in as many as there are such lines, up to one in each.
func missed(c *metalrun.Costs) (m metalrun.Misses) {
	for share := range m {
		m[share] = c.Chain[metalrun.AtomicLink]
		if loads := c.Device.Requests - c.Stored.Requests; loads > 0 {
			m[share] += float64(c.Chain[metalrun.DeviceLink] *
				math.Min(1, (c.Device.Missed[share]-c.Stored.Missed[share])/loads))
		}
	}
	return m
}

// arrays is the number of bytes that threads write to their arrays and read back. The arrays of all running threads are
// much larger than the cache of a core.
func (l Launch) arrays() float64 {
	return float64(l.costs.Private.Requests * metalrun.CacheLine)
}

// load is the distribution of the threadgroups of a launch over the cores.
type load struct {
	cores    float64 // that have any
	together float64 // simdgroups of the busiest core at the same time
	limit    Limit
	waves    float64 // that come one after the other, as long as a mean threadgroup
	each     float64 // seconds for a cycle of every simdgroup, all cores at work
	groups   float64 // threadgroups that compete for the cache of a core
}

// load puts threadgroups on cores, as many as would do all the work if each did as much as the one that the mean
// instruction is in. Cores take the next as soon as they can, and the longest may be the last: then the others have
// done what it has more, and most of the cores wait for it (Graham's bound for list scheduling).
func (m *Model) load(l Launch) load {
	typical := math.Max(1, l.Typical)
	groups, width := float64(l.Threadgroups)/typical, simdgroups(l.Profile)
	cores := math.Min(m.Cores, groups)
	busiest := math.Ceil(groups / cores) // threadgroups
	if groups > 8*cores {
		busiest = groups / cores
	}
	last := float64(math.Max(0, l.Uneven-typical) * (1 - 1/m.Cores))
	perCore := busiest * width
	together, limit := m.residency(l.Profile)
	if perCore <= together {
		together, limit = perCore, GridLimit
	}
	waves := float64(typical*math.Max(1, perCore/together)) + last
	each := (float64(busiest*typical) + last) / float64(l.Threadgroups) / m.Clock
	return load{cores, together, limit, waves, each, math.Pow(together/width, m.Parameters[cacheShare])}
}

// simdgroups is the number of simdgroups of a threadgroup.
func simdgroups(p *metalrun.Profile) float64 { return float64((p.Threads + 31) / 32) }

// residency is how many simdgroups of a launch a core holds at once, and what limits that number.
func (m *Model) residency(p *metalrun.Profile) (simdgroupsOfIt float64, limit Limit) {
	bytes := math.Max(8, float64(float64(p.Registers)*m.Parameters[registerScale])) * 4 * 32
	width := simdgroups(p)
	groups, limit := math.Floor(m.Simdgroups/width), CoreLimit
	least := func(n float64, l Limit) {
		if n < groups {
			groups, limit = n, l
		}
	}
	least(fits(m.Registers/bytes/width), RegisterLimit)
	least(m.Parameters[groupsPerCore], ThreadgroupLimit)
	if p.Memory > 0 {
		least(fits(m.Memory/float64(p.Memory)), MemoryLimit)
	}
	return math.Max(1, groups) * width, limit
}

// fits is how many whole threadgroups fit into room for so many. It is a mean, because the room is known to about a
// twentieth. With a whole number, a fit would depend on its starting point.
func fits(room float64) float64 {
	const known = .05
	below := func(room float64) float64 { // area below the whole part
		whole := math.Floor(room)
		return float64(whole*(whole-1)/2) + float64(whole*(room-whole))
	}
	return (below(float64(room*(1+known))) - below(float64(room*(1-known)))) / (2 * known * room)
}

// terms are the terms of one launch, in a sequence that works on so many bytes.
func (m *Model) terms(l Launch, working float64) Terms {
	q, on := &m.Parameters, m.load(l)
	c := &l.costs
	issue := m.issue(c, issueInterval(on.together))
	spilled := float64(issue * m.spilled(l.Profile))
	private := c.Private.Requests + spilled
	issue += float64(private * math.Max(q[requestCycles], issueInterval(on.together)))
	var t Terms
	t[Arithmetic] = issue / math.Min(schedulers, on.together) * on.each
	t[Cache] = (c.Device.Lines + c.Atomics.Lines + private) * q[lineCycles] * on.each
	t[Transfer] = (float64((c.Device.Missed.Beside(on.groups)+c.Atomics.Lines)*metalrun.CacheLine) +
		float64(private*q[privateBytes])) / q[transferBytes] * on.each
	t[Shared] = c.Shared.Transactions * q[turnCycles] * on.each
	t[Atomics] = m.atomics(c, on.each)
	t[Bandwidth] = (l.Read + l.Written + l.arrays()) / m.bandwidth(working)
	t[Latency] = m.wait(c, l.missed.Beside(on.groups), spilled) / l.Simdgroups() * l.Waiting * on.waves / m.Clock
	t[Overhead] = q[launchSeconds]
	return t
}

// atomics are the seconds that atomics take, if a cycle of every simdgroup takes each: those of threadgroup memory in
// the cores, those of device memory in the cache that cores share. There is a part of it for each core, but whoever
// goes to one line goes to one part, and a sum of floats is not begun with success before the one before at the address
// has come back.
func (m *Model) atomics(c *metalrun.Costs, each float64) float64 {
	q := &m.Parameters
	turns := (c.Atomics.Transactions - c.Local.Transactions) * q[placeCycles] * each
	chain := (float64(c.Hottest*q[placeCycles]) + float64(c.Raced*(q[deviceLatency]+q[missLatency]))) / m.Clock
	return float64(c.Local.Transactions*q[atomicCycles]*each) + math.Max(turns, chain)
}

// issue is the number of cycles for which instructions keep a scheduler busy, each at least so many. Pipelines work at
// the same time, but not perfectly.
func (m *Model) issue(c *metalrun.Costs, least float64) float64 {
	q := &m.Parameters
	var busy [pipes]float64
	slots := 0.0
	for class, issued := range c.Issued {
		r := &m.Rates[class]
		slots += float64(issued * math.Max(r.slots, least) * q[issueScale])
		busy[r.pipe] += float64(issued * r.cycles * q[issueScale])
	}
	busy[plain] = slots + float64(c.Jumps*math.Max(q[jumpCycles], least)) +
		float64((c.Device.Requests+c.Shared.Requests+c.Atomics.Requests)*math.Max(q[requestCycles], least))
	return overlapped(&busy)
}

// overlapped is the time of several pipelines together: the norm of their times with exponent 4. It reproduces measured
// mixtures of instructions of the plain and the complex pipeline to an eighth, such as 3 sums and a product of integers
// in 5.4 cycles (philipturner/metal-benchmarks, mixed workload performance).
func overlapped(busy *[pipes]float64) float64 {
	sum := 0.0
	for _, t := range busy {
		sum += float64(t * t * t * t)
	}
	return math.Sqrt(math.Sqrt(sum))
}

// norm is the norm of parts with an exponent: their maximum if the exponent is infinite, their sum if it is 1.
func norm(parts []float64, exponent float64) float64 {
	most, sum := 0.0, 0.0
	for _, t := range parts {
		most = math.Max(most, t)
	}
	if most == 0 {
		return 0
	}
	for _, t := range parts {
		if t > 0 {
			sum += math.Pow(t/most, exponent)
		}
	}
	return float64(most * math.Pow(sum, 1/exponent))
}

// schedulers is the number of schedulers of a core. Each issues an instruction a cycle.
const schedulers = 4

// issueInterval is the least number of cycles between two instructions of a scheduler: 1 with many simdgroups on the
// core, 1.6 with 8, and 2.75 with 4, if each has four independent instructions (philipturner/metal-benchmarks, ALU
// bottlenecks).
func issueInterval(simdgroups float64) float64 {
	return 1 + float64(1.75*math.Pow(4/math.Max(4, simdgroups), 1.54))
}

// threadRegisters is the number of 32-bit registers that a thread can have (dougallj/applegpu).
const threadRegisters = 128

// spilled is the number of accesses to memory for each instruction because the registers of a thread do not fit.
func (m *Model) spilled(p *metalrun.Profile) float64 {
	need, room := m.demand(p)
	if need <= room {
		return 0
	}
	return (1 - room/need) * m.Parameters[spillRate]
}

// demand is how many registers a thread needs, and how many it can have if as many threads run as the kernel allows.
func (m *Model) demand(p *metalrun.Profile) (need, room float64) {
	threads := p.Threads
	if p.Limit > 0 {
		threads = p.Limit
	}
	return float64(float64(p.Registers) * m.Parameters[registerScale]),
		math.Min(threadRegisters, m.Registers/4/float64(threads))
}

// wait is the sum of the cycles that the simdgroups would take if each ran by itself.
func (m *Model) wait(c *metalrun.Costs, missed, spilled float64) float64 {
	q := &m.Parameters
	// arrays and spilled values are in device memory, and are larger than the cache
	array := q[deviceLatency] + q[missLatency]
	n := float64(missed*q[missLatency]) + float64(spilled*q[spillShare]*array) + float64(c.Barrier*q[barrierCycles]) +
		float64(c.Jumps*q[jumpLatency])
	for link, latency := range [metalrun.Links]float64{
		metalrun.ArithmeticLink: q[arithmeticLatency], metalrun.FunctionLink: 2.5 * q[arithmeticLatency],
		metalrun.SimdgroupLink: 1.5 * q[arithmeticLatency],
		metalrun.SharedLink:    q[sharedLatency], metalrun.PrivateLink: array, metalrun.DeviceLink: q[deviceLatency],
		metalrun.AtomicLink: q[deviceLatency],
	} {
		n += float64(c.Chain[link] * latency)
	}
	return n
}

// bandwidth is the bandwidth of the memory for a sequence of launches that works on so many bytes. Bytes that fit into
// the last cache stay there.
func (m *Model) bandwidth(working float64) float64 {
	q := &m.Parameters
	held := 1 / (1 + math.Pow(working/(m.Last*q[lastScale]), 4)) // share that the cache holds
	return m.Bandwidth / (held/q[lastBandwidth] + (1-held)/q[bandwidthScale])
}

// together is the time of a launch with these terms. Resources work at the same time, but not perfectly.
func (m *Model) together(t Terms) float64 {
	return norm(t[:Overhead], m.Parameters[overlap]) + t[Overhead]
}

// seconds is the time of a sequence of launches in one command buffer, with the terms of each multiplied by scale.
func (m *Model) seconds(launches []Launch, scale *Terms) float64 {
	full, low := m.clocks(launches, scale)
	return m.warming(full, low/full)
}

// busy is the time that such a sequence adds to a command buffer of a GPU at its full clock.
func (m *Model) busy(launches []Launch, scale *Terms) float64 {
	full, _ := m.clocks(launches, scale)
	return full - m.Parameters[commandSeconds]
}

// clocks are the times of a sequence at the full and at the low clock of the GPU. The memory and the last cache have a
// clock of their own.
func (m *Model) clocks(launches []Launch, scale *Terms) (full, low float64) {
	cold := m.Parameters[coldFactor]
	full, low = m.Parameters[commandSeconds], m.Parameters[commandSeconds]*cold
	working := m.working(launches)
	for _, l := range launches {
		t := m.terms(l, working)
		if scale != nil {
			for r := range t {
				t[r] *= scale[r]
			}
		}
		full += float64(float64(l.Times) * m.together(t))
		for r := range t {
			if Resource(r) != Bandwidth {
				t[r] *= cold
			}
		}
		low += float64(float64(l.Times) * m.together(t))
	}
	return full, low
}

// warming is the time on a GPU that was idle, whose clock is low at first and rises while it works. The work takes s at
// the full clock, and slower times as long at the low clock.
func (m *Model) warming(s, slower float64) float64 {
	warm := m.Parameters[warmSeconds]
	return s + float64((slower-1)*warm*(1-math.Exp(-s/warm)))
}

// working is how many bytes the largest launch works on.
func (m *Model) working(launches []Launch) float64 {
	most := 0.0
	for _, l := range launches {
		on := m.load(l)
		threads := math.Min(l.Simdgroups(), on.together*on.cores) * simdgroup
		// those of threads that have ended make room for others
		arrays := math.Min(float64(l.arrays()/2), float64(float64(l.Private)*threads))
		most = math.Max(most, l.Read+l.Written+arrays)
	}
	return most
}

// simdgroup is the number of threads of a simdgroup.
const simdgroup = 32
