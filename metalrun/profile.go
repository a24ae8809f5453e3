package metalrun

import "math"

// Profile is what one launch asked of a device, counted as an Apple compiler is likely to
// have built the kernel: products fused with sums, accesses to uniform arguments free. It is
// what a forecast of its time is made of. Operations are counted in all threadgroups;
// addresses are looked at in a few of them, in the middle of the grid, and there in the first iterations
// of loops, and what they say is scaled to the others. The same numbers come out on any machine.
type Profile struct {
	Kernel       string `json:"kernel"`
	Threadgroups int    `json:"threadgroups"`
	Threads      int    `json:"threads"`          // of a threadgroup
	Memory       int    `json:"memory,omitempty"` // bytes of threadgroup memory
	// bytes of arrays of a thread that are not registers: too long, or with an element that is not known
	Private   int `json:"private,omitempty"`
	Registers int `json:"registers"` // of 32 bits that a thread needs at once
	// threads of a threadgroup that the source allows at most; 0 if it does not say
	Limit   int `json:"limit,omitempty"`
	Sampled int `json:"sampled"` // threadgroups whose addresses were looked at
	// cycles of the longest simdgroup between barriers, by the mean: 1 if none waits
	Waiting float64 `json:"waiting"`
	Uneven  float64 `json:"uneven"` // instructions of the longest threadgroup, by the mean
	// instructions of the threadgroup that an instruction is in, in the mean, by the mean threadgroup's: 2 if half of
	// them have none, and the others the same
	Typical float64 `json:"typical"`
	// bytes of device memory that are read, in cache lines, each once a launch
	Read    float64       `json:"read"`
	Written float64       `json:"written"` // the same, written
	Lines   []ProfileLine `json:"lines"`   // by file and line
}

// ProfileLine is what a line of the source asks of a device.
type ProfileLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Costs
}

// Costs are counted in instructions of simdgroups.
type Costs struct {
	Issued  [Classes]float64 `json:"issued"`
	Threads [Classes]float64 `json:"threads"` // that were active in them
	Jumps   float64          `json:"jumps"`   // beginnings of straight runs of instructions
	Device  Accesses         `json:"device"`  // loads and stores of device and constant memory
	Stored  Accesses         `json:"stored"`  // of these, the stores
	Shared  Accesses         `json:"shared"`  // of threadgroup memory
	Private Accesses         `json:"private"` // of arrays of a thread that are too long for registers
	Atomics Accesses         `json:"atomics"` // of either memory
	Local   Accesses         `json:"local"`   // of these, of threadgroup memory
	// turns of atomics at the cache line of device memory that has the most of them
	Hottest float64 `json:"hottest"`
	// threads that add floats at the address that has the most of them: each sum waits for the one before
	Raced   float64        `json:"raced"`
	Barrier float64        `json:"barrier"` // that simdgroups wait at
	Chain   [Links]float64 `json:"chain"`   // instructions that each waits for the one before, of all simdgroups
}

// Accesses are requests of simdgroups to memory.
type Accesses struct {
	Requests     float64 `json:"requests,omitempty"`
	Lines        float64 `json:"lines,omitempty"` // cache lines, each once a request
	Missed       Misses  `json:"missed,omitzero"` // of these, those that miss the cache of the core
	Transactions float64 `json:"turns,omitempty"` // that banks, or threads at one address, take
	Bytes        float64 `json:"bytes,omitempty"` // of all threads
}

// Misses counts the cache lines that miss if the threadgroup has the whole cache, a half, a fourth and so on. The rest
// is used by other threadgroups on the core.
type Misses [5]float64

// Beside interpolates the misses with this number of threadgroups on the core.
func (m Misses) Beside(groups float64) float64 {
	at := min(math.Log2(max(1, groups)), float64(len(m)-1))
	i := min(int(at), len(m)-2)
	return m[i] + float64((at-float64(i))*(m[i+1]-m[i]))
}

// CacheLine is how many bytes of device memory are fetched together: 128 on every Apple GPU
// (philipturner/metal-benchmarks).
const CacheLine = 128

// Class is a class of arithmetic that costs the same.
type Class uint8

const (
	FloatAdd        Class = iota // of float and bfloat
	FloatMultiply                // that no sum takes in
	FloatFused                   // a product and a sum
	FloatOther                   // comparisons, selections, minima and maxima
	Half                         // all of half but conversions
	Conversion                   // between floats and integers, and roundings to integers
	Integer                      // of up to 32 bits, and bools: sums, logic, comparisons
	IntegerMultiply              // of up to 32 bits; shifts and fields of bits
	Integer64                    // and pointers
	IntegerDivision              // of any width
	Division                     // and reciprocals
	Root                         // square roots and their reciprocals
	Exponential                  // exponentials and logarithms
	Circular                     // sines, cosines and tangents
	Function                     // the other functions
	Matrix                       // a product of 8×8 matrices
	Shuffle                      // from lane to lane, as far for all of them, or from one to all
	Permutation                  // from any lane to any, in the whole simdgroup
	Reduction                    // sums and prefix sums over a simdgroup
	Classes
)

// Link is the kind of instruction that another one in a chain of dependences waits for.
type Link uint8

const (
	ArithmeticLink Link = iota
	FunctionLink        // quotients and functions
	SimdgroupLink       // other lanes
	SharedLink          // threadgroup memory
	PrivateLink         // arrays of a thread that are kept in memory
	DeviceLink          // device memory
	AtomicLink
	Links
)

// Add adds other costs.
func (c *Costs) Add(o Costs) { c.AddTimes(o, 1) }

// AddTimes adds other costs, multiplied by times, which may be a fraction or negative.
func (c *Costs) AddTimes(o Costs, times float64) {
	for i := range c.Issued {
		c.Issued[i] += float64(o.Issued[i] * times)
		c.Threads[i] += float64(o.Threads[i] * times)
	}
	for i := range c.Chain {
		c.Chain[i] += float64(o.Chain[i] * times)
	}
	c.Jumps += float64(o.Jumps * times)
	c.Barrier += float64(o.Barrier * times)
	c.Device.AddTimes(o.Device, times)
	c.Stored.AddTimes(o.Stored, times)
	c.Shared.AddTimes(o.Shared, times)
	c.Private.AddTimes(o.Private, times)
	c.Atomics.AddTimes(o.Atomics, times)
	c.Local.AddTimes(o.Local, times)
	c.Hottest += float64(o.Hottest * times)
	c.Raced += float64(o.Raced * times)
}

// Add adds other accesses.
func (a *Accesses) Add(o Accesses) { a.AddTimes(o, 1) }

// AddTimes adds other accesses, multiplied by times.
func (a *Accesses) AddTimes(o Accesses, times float64) {
	a.Requests += float64(o.Requests * times)
	a.Lines += float64(o.Lines * times)
	for i, n := range o.Missed {
		a.Missed[i] += float64(n * times)
	}
	a.Transactions += float64(o.Transactions * times)
	a.Bytes += float64(o.Bytes * times)
}

// Total is what the whole launch asks.
func (p *Profile) Total() Costs {
	var all Costs
	for _, l := range p.Lines {
		all.Add(l.Costs)
	}
	return all
}

// Simdgroups are those of the launch.
func (p *Profile) Simdgroups() float64 { return float64(p.Threadgroups * ((p.Threads + 31) / 32)) }
