package metalrun

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// Dispatch is one launch of a kernel.
//
// Exactly one of Threadgroups and Threads is set: Threadgroups counts whole
// threadgroups (DispatchThreadgroups), Threads counts threads and makes the
// threadgroups at the edge smaller (DispatchThreads).
type Dispatch struct {
	Bindings              []Binding
	Textures              []Texture
	ThreadgroupMemory     []int // bytes at [[threadgroup(i)]]
	Threadgroups          Size
	Threads               Size
	ThreadsPerThreadgroup Size

	// Skip is the number of threadgroups at the beginning of the grid that do not run, counted along x first. With
	// [Binding.Before] the remaining threadgroups are the end of a launch that is too large to be held. A device that
	// cannot skip threadgroups returns [ErrWhole].
	Skip int
	// Corner runs only the first threadgroup, its neighbour along each axis, and the last. A device that does not
	// observe returns [ErrWhole].
	Corner bool

	// Ungraded skips the trials that grade races.
	Ungraded bool
	// Unprobed skips the trials of other unspecified values.
	Unprobed bool
	// Trials is a budget of steps for trials of unspecified values, which several dispatches may share. A device that
	// observes subtracts what it uses, and makes no trials when nothing is left. nil gives the dispatch a budget of its
	// own.
	Trials *int64

	// For names what the launch is part of, such as a case of a sweep. No result depends on it.
	For string
}

// Whole reports whether the whole grid runs, over whole buffers.
func (d Dispatch) Whole() bool {
	return d.Skip == 0 && !d.Corner && !slices.ContainsFunc(d.Bindings, func(b Binding) bool { return b.Before != 0 })
}

// Grid is the number of threadgroups in x, y and z.
func (d Dispatch) Grid() Size {
	if d.Threads == (Size{}) {
		return d.Threadgroups
	}
	ceil := func(n, of int) int { return (n + of - 1) / max(of, 1) }
	t := d.ThreadsPerThreadgroup
	return Size{ceil(d.Threads.X, t.X), ceil(d.Threads.Y, t.Y), ceil(d.Threads.Z, t.Z)}
}

// Memory lists the buffers of a sequence without those that SetBytes passes: each Data once. at is the index of the
// buffer of each dispatch and binding. Two Data are the same buffer if they begin at the same byte and are equally
// long.
func Memory(sequence []Dispatch) (memory [][]byte, at [][]int) {
	type region struct {
		first *byte
		size  int
	}
	known := map[region]int{}
	for _, d := range sequence {
		places := make([]int, len(d.Bindings))
		for i, b := range d.Bindings {
			if b.Inline {
				continue
			}
			p := region{unsafe.SliceData(b.Data), len(b.Data)}
			n, ok := known[p]
			if !ok {
				n = len(memory)
				known[p] = n
				memory = append(memory, b.Data)
			}
			places[i] = n
		}
		at = append(at, places)
	}
	return memory, at
}

// Size is an extent in x, y and z. A zero Size means that it is not set.
type Size struct{ X, Y, Z int }

// Count is the number of positions in the extent.
func (s Size) Count() int { return s.X * s.Y * s.Z }

// Binding puts memory at one index of the buffer argument table.
//
// The kernel sees Data[Offset : Offset+Length]. The bytes around that window are the caller's guard region. The
// simulator refuses accesses to them. On a GPU they show writes out of range.
//
// Bindings that overlap are one memory. Their pointers can be compared, and a load by one sees what a store by another
// has written. Exact, Written and Free of one of them are those of the memory.
type Binding struct {
	Index  int
	Data   []byte
	Offset int
	Length int
	Inline bool // passed by SetBytes: a copy that the kernel cannot write back
	// Before is the number of bytes ahead of the window that the buffer would have and that are not held. The kernel's
	// pointer points to the first of them.
	Before int
	// Undefined says that the contents of the window mean nothing. Checks report a kernel whose result depends on them.
	Undefined bool
	// Free, if not nil, marks the bytes of Data that may hold anything after the launch. An unspecified value that
	// reaches only such bytes is no finding.
	Free []bool
	// Exact, if not nil, gets what a simulator with exact execution knows of Data.
	Exact *Exact
	// Written, if not nil, gets the bytes of Data that the launch has stored to, on a device that observes.
	Written *Written
}

// Overlaps reports whether two bindings share bytes: they are windows of the same Data, and neither is a copy.
func (b Binding) Overlaps(other Binding) bool {
	return unsafe.SliceData(b.Data) == unsafe.SliceData(other.Data) && len(b.Data) == len(other.Data) &&
		!b.Inline && !other.Inline &&
		max(b.Offset, other.Offset) < min(b.Offset+b.Length, other.Offset+other.Length)
}

// Texture is what lies at one index of the texture table. Only the simulator takes textures.
type Texture struct {
	Index int
	// Data has the width, the height, the depth, the number of layers (faces and samples
	// among them), of levels and of samples, and two that mean nothing, as 32-bit numbers;
	// then for each level, each half as wide, high and deep as the one before, layer by layer
	// the texels, rows one after the other, each four scalars of the texture's type.
	Data []byte
}

// TextureSizes is the number of bytes ahead of the texels.
const TextureSizes = 32

// NewTexture is a texture of zeros with one level, for an argument, whose Size is that of a texel.
func NewTexture(a ArgInfo, entry int, size Size, layers int) Texture {
	data := make([]byte, TextureSizes+size.Count()*layers*a.Size)
	for i, n := range []int{size.X, size.Y, size.Z, layers, 1, layers} {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(n))
	}
	return Texture{Index: a.Index + entry, Data: data}
}

// Metal's limits on one dispatch, the same on every Apple GPU.
const (
	maxBuffers      = 31   // entries of the buffer argument table
	maxThreadgroups = 31   // entries of the threadgroup argument table
	maxInline       = 4096 // bytes that SetBytes takes

	maxExtent = 1 << 32 // positions in a grid, which have 32 bits
	maxGrid   = 1 << 48 // threadgroups: what counts them stays far from 64 bits

	maxBefore = 1 << 46 // bytes that pointers of the simulator can count, and more than a GPU has
)

// Check reports the first mistake in d that every device would refuse. maxThreads is the kernel's limit on threads per
// threadgroup. Every [Kernel] checks before it runs.
func (d Dispatch) Check(maxThreads int) error {
	grid, unit := d.Threadgroups, "threadgroups"
	if d.Threads != (Size{}) {
		if grid != (Size{}) {
			return fmt.Errorf("dispatch sets both threadgroups and threads")
		}
		grid, unit = d.Threads, "threads"
	}
	if err := checkSize(grid, unit); err != nil {
		return err
	}
	t := d.ThreadsPerThreadgroup
	if err := checkSize(t, "threads per threadgroup"); err != nil {
		return err
	}
	// Each extent is compared before the product, which could overflow.
	if max(t.X, t.Y, t.Z) > maxThreads || t.Count() > maxThreads {
		return fmt.Errorf("threadgroup of %d×%d×%d threads: this kernel takes at most %d", t.X, t.Y, t.Z, maxThreads)
	}
	if n := len(d.ThreadgroupMemory); n > maxThreadgroups {
		return fmt.Errorf("%d threadgroup memory lengths: at most %d", n, maxThreadgroups)
	}
	if g := d.Grid(); g.Y > maxGrid/g.X || g.Z > maxGrid/g.X/g.Y {
		return fmt.Errorf("grid of %d×%d×%d threadgroups: at most 2^48 together", g.X, g.Y, g.Z)
	}
	if n := d.Grid().Count(); d.Skip < 0 || d.Skip >= n {
		return fmt.Errorf("%d of %d threadgroups skipped: at least one has to run", d.Skip, n)
	}
	for i, n := range d.ThreadgroupMemory {
		if n < 0 {
			return fmt.Errorf("threadgroup memory %d has length %d", i, n)
		}
	}
	return checkBindings(d.Bindings)
}

// checkSize refuses extents that positions, which have 32 bits, do not reach.
func checkSize(s Size, what string) error {
	if max(s.X, s.Y, s.Z) > maxExtent {
		return fmt.Errorf("dispatch of %d×%d×%d %s: each extent may be at most 2^32", s.X, s.Y, s.Z, what)
	}
	if s.X < 1 || s.Y < 1 || s.Z < 1 {
		return fmt.Errorf("dispatch of %d×%d×%d %s: each extent must be at least 1", s.X, s.Y, s.Z, what)
	}
	return nil
}

func checkBindings(bindings []Binding) error {
	var bound [maxBuffers]bool
	for _, b := range bindings {
		switch {
		case b.Index < 0 || b.Index >= maxBuffers:
			return fmt.Errorf("buffer index %d: the argument table has %d entries", b.Index, maxBuffers)
		case bound[b.Index]:
			return fmt.Errorf("buffer %d is bound twice", b.Index)
		case b.Offset < 0 || b.Length < 0 || b.Offset > len(b.Data) || b.Length > len(b.Data)-b.Offset:
			return fmt.Errorf("buffer %d: window of %d bytes at %d lies outside its %d bytes of data", b.Index,
				b.Length, b.Offset, len(b.Data))
		case b.Before < 0 || b.Before > maxBefore || b.Before%16 != 0 || b.Before > 0 && b.Inline:
			return fmt.Errorf("buffer %d: its window cannot be %d bytes behind its beginning: want a multiple of 16 "+
				"up to 2^46, and no setBytes", b.Index, b.Before)
		case b.Inline && (b.Length < 1 || b.Length > maxInline):
			return fmt.Errorf("buffer %d: setBytes takes 1 to %d bytes, got %d", b.Index, maxInline, b.Length)
		}
		bound[b.Index] = true
	}
	return nil
}
