package timing

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"metalconform/metalrun"
)

//go:embed roof.metal
var roofSource string

// Rate is what a device does in a second, at its best.
type Rate struct {
	Name   string // of the kernel that was timed
	Unit   string // of what it does: B or op
	Amount float64
	Clock  metalrun.Clock // where it was not that of the device
	Times  []Time         // that the amount took
}

// Roof has the device's own rates: bytes that a copy reads and writes, and operations of
// multiply-adds in f32, two each.
type Roof struct{ Copy, FMA Rate }

// sizes are how much the kernels of the roof do.
type sizes struct {
	copied     int // bytes of a buffer
	threads    int // of the multiply-adds
	iterations int // of their loop, at least
}

const (
	// evicted is the size of the two buffers that a copy goes between. Together they are
	// larger than what Apple GPUs have behind all cores: a system-level cache of 8 MB
	// (M1) to 96 MB (M1 Ultra, two of the M1 Max's 48 MB).
	evicted       = 64 << 20
	groupWidth    = 256
	longEnough    = 2 * time.Millisecond // of multiply-adds
	maxIterations = 1 << 16
	chains        = 32 // of multiply-adds in each thread
)

// MeasureRoof times the kernels of the roof, which are ours, and checks what they compute.
func MeasureRoof(r metalrun.Runner, e Effort) (Roof, error) {
	return measureRoof(r, e, sizes{copied: evicted, threads: 1 << 18, iterations: 16})
}

func measureRoof(r metalrun.Runner, e Effort, s sizes) (Roof, error) {
	l, err := roofLibrary(r)
	if err != nil {
		return Roof{}, err
	}
	defer l.Release()
	var roof Roof
	if roof.Copy, err = measureCopy(l, e, s.copied); err == nil {
		roof.FMA, err = measureFMA(l, e, s)
	}
	roof.Copy.Clock = cmp.Or(roof.Copy.Clock, r.Device().Clock)
	roof.FMA.Clock = cmp.Or(roof.FMA.Clock, r.Device().Clock)
	return roof, err
}

// Sources are the files that this package measures with.
func Sources() []metalrun.Source {
	return []metalrun.Source{metalrun.SourceText("roof.metal", roofSource),
		metalrun.SourceText("microkernel.metal", microkernelSource)}
}

func roofLibrary(r metalrun.Runner) (metalrun.Library, error) {
	p, err := metalrun.Analyse(metalrun.SourceText("roof.metal", roofSource), metalrun.CompileOptions{})
	if err != nil {
		return nil, err
	}
	return r.Compile(p)
}

// copying is a dispatch of the copy between two buffers of so many bytes.
func copying(size int) metalrun.Dispatch {
	from, to := make([]byte, size), make([]byte, size)
	for i := range from {
		from[i] = byte(i*i + i>>8)
	}
	return metalrun.Dispatch{
		Bindings: []metalrun.Binding{{Index: 0, Data: from, Length: size},
			{Index: 1, Data: to, Length: size}},
		Threadgroups:          metalrun.Size{X: size / 16 / groupWidth, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: groupWidth, Y: 1, Z: 1},
	}
}

func measureCopy(l metalrun.Library, e Effort, size int) (Rate, error) {
	d := copying(size)
	rate := Rate{Name: "copy", Unit: "B", Amount: 2 * float64(size)}
	k, err := l.Kernel("roof_copy")
	if err != nil {
		return rate, err
	}
	if _, err := k.Run(d); err != nil {
		return rate, err
	}
	if !bytes.Equal(d.Bindings[0].Data, d.Bindings[1].Data) {
		return rate, fmt.Errorf("%w: roof_copy copies wrongly", metalrun.ErrUnusable)
	}
	return rate, rate.take(k, d, e)
}

func measureFMA(l metalrun.Library, e Effort, s sizes) (Rate, error) {
	out := make([]byte, 4*s.threads)
	rate := Rate{Name: "fma", Unit: "op"}
	k, err := l.Kernel("roof_fma")
	if err != nil {
		return rate, err
	}
	for n := s.iterations; ; n *= 2 {
		d := multiplyAdds(out, n)
		o, err := k.Run(d)
		if err != nil {
			return rate, err
		}
		for i := range s.threads {
			if got, want := math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:])), multiplyAdded(i, n); got !=
				want {
				return rate,
					fmt.Errorf("%w: roof_fma writes %v for thread %d, want %v", metalrun.ErrUnusable, got, i, want)
			}
			if i == 7 {
				break // the others are alike
			}
		}
		if o.Duration >= longEnough || n >= maxIterations {
			rate.Amount = 2 * chains * float64(n) * float64(s.threads)
			return rate, rate.take(k, d, e)
		}
	}
}

// The multiply-adds of the chains: x/2 + 1.
const factor, addend = 0.5, 1

func multiplyAdds(out []byte, iterations int) metalrun.Dispatch {
	le := binary.LittleEndian
	c := le.AppendUint32(le.AppendUint32(nil, math.Float32bits(factor)), math.Float32bits(addend))
	return metalrun.Dispatch{
		Bindings: []metalrun.Binding{
			{Index: 0, Data: out, Length: len(out)},
			{Index: 1, Data: c, Length: len(c), Inline: true},
			{Index: 2, Data: le.AppendUint32(nil, uint32(iterations)), Length: 4, Inline: true},
		},
		Threadgroups:          metalrun.Size{X: len(out) / 4 / groupWidth, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: groupWidth, Y: 1, Z: 1},
	}
}

// multiplyAdded is what thread i has to write. Half of an f32 and 1 more are exact in
// float64, so that rounding them is what fma does.
func multiplyAdded(i, iterations int) float32 {
	var a [chains]float32
	for j := range a {
		a[j] = float32(i&7 + j)
		for range iterations {
			a[j] = float32(float64(float64(a[j])*factor) + addend)
		}
	}
	var s [4]float32
	for j := range s {
		s[j] = ((a[j] + a[4+j]) + (a[8+j] + a[12+j])) + ((a[16+j] + a[20+j]) + (a[24+j] + a[28+j]))
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// take times a dispatch.
func (r *Rate) take(k metalrun.Kernel, d metalrun.Dispatch, e Effort) error {
	sample, release, failed := r.sampler(k, d)
	defer release()
	r.Times = Take(e, sample)[0]
	return *failed
}

// sampler takes samples of a dispatch: in pairs where its buffers can stay on the device. What has failed is known at
// the end.
func (r *Rate) sampler(k metalrun.Kernel, d metalrun.Dispatch) (sample Sample, release func(), failed *error) {
	failed, release = new(error), func() {}
	once := func() (float64, metalrun.Clock, error) {
		o, err := k.Run(d)
		return float64(o.Duration), o.Clock, err
	}
	if k, ok := k.(metalrun.Binder); ok {
		var b metalrun.Bound
		if b, *failed = k.Bind(d); *failed == nil {
			release = b.Release
			var p *Pair
			if p, *failed = Warm(b); *failed == nil {
				once = p.Sample
			}
		}
	}
	return func() (ns float64, ok bool) {
		if *failed == nil {
			ns, r.Clock, *failed = once()
		}
		return ns, *failed == nil
	}, release, failed
}

// PerSecond is the rate by a time.
func (r Rate) PerSecond(t Time) float64 { return r.Amount / t.Median * 1e9 }

// Evictor empties the caches of a device.
type Evictor struct {
	library metalrun.Library
	bound   metalrun.Bound
}

// NewEvictor is one for a device whose kernels are Binders.
func NewEvictor(r metalrun.Runner) (*Evictor, error) {
	l, err := roofLibrary(r)
	if err != nil {
		return nil, err
	}
	k, err := l.Kernel("roof_copy")
	if err == nil {
		var b metalrun.Bound
		if b, err = k.(metalrun.Binder).Bind(copying(evicted)); err == nil {
			return &Evictor{l, b}, nil
		}
	}
	l.Release()
	return nil, err
}

// Evict copies more than any cache of the device holds.
func (e *Evictor) Evict() error {
	_, err := e.bound.Run(1)
	return err
}

// Release frees the copying kernel and its buffers.
func (e *Evictor) Release() {
	e.bound.Release()
	e.library.Release()
}
