//go:build linux || darwin

package lanes

import (
	"math/rand/v2"
	"reflect"
	"syscall"
	"testing"
	"unsafe"
)

// guarded is memory followed by a page that can be neither read nor written.
type guarded struct{ usable []byte }

func newGuarded(t *testing.T, bytes int) guarded {
	t.Helper()
	page := syscall.Getpagesize()
	usable := (bytes + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, usable+page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(m[usable:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return guarded{m[:usable]}
}

// last copies x to where the fence begins.
func last[T uint32 | uint64](f guarded, x []T) []T {
	size := len(x) * int(unsafe.Sizeof(*new(T)))
	y := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(f.usable[len(f.usable)-size:]))), len(x))
	copy(y, x)
	return y
}

// TestBounds runs the loops of all tables on slices that end where memory does: to
// read or write beyond one ends the process. Gathers and scatters have lanes
// that mean the last element of their object.
func TestBounds(t *testing.T) {
	var fences [8]guarded
	for i := range fences {
		fences[i] = newGuarded(t, 1<<18)
	}
	for _, table := range tables {
		bound(reflect.ValueOf(table).Elem(), fences[:])
	}
}

func bound(table reflect.Value, fences []guarded) {
	r := rand.New(rand.NewPCG(71, 72))
	for i := range table.NumField() {
		entry := table.Type().Field(i).Name
		switch f := table.Field(i).Interface().(type) {
		case string: // the table's name
		case Gather:
			accesses(r, elementBits[entry], func(_ string, a access) {
				d := last(fences[0], drawLanes(r, len(a.idx)))
				f(d, last(fences[1], a.words), last(fences[2], a.idx), last(fences[3], a.mask), a.at)
			})
		case Widening:
			widenings(r, elementBits[entry], func(words []uint32, first uint32, lanes int) {
				f(last(fences[0], drawLanes(r, lanes)), last(fences[1], words), first)
			})
		case Scatter:
			accesses(r, elementBits[entry], func(_ string, a access) {
				v := last(fences[0], drawLanes(r, len(a.idx)))
				f(last(fences[1], a.words), last(fences[2], a.idx), last(fences[3], a.mask), v, a.at)
			})
		case fetching:
			f(uintptr(unsafe.Pointer(unsafe.SliceData(fences[0].usable)))+uintptr(len(fences[0].usable))-64, 4096)
		case narrowing:
			for _, n := range lengths(entry) {
				d, a, mask := drawLanes(r, n), drawWide(r, n), drawMask(r, n, 3)
				f(last(fences[0], d), last(fences[1], a), last(fences[2], mask), 0, ^uint64(0), 0)
			}
		default:
			functions(entry, table.Field(i), func(_ string, loop reflect.Value) {
				boundLoop(r, entry, loop, fences)
			})
		}
	}
}

func boundLoop(r *rand.Rand, entry string, loop reflect.Value, fences []guarded) {
	for _, n := range lengths(entry) {
		var values []reflect.Value
		for p, arg := range drawArguments(r, entry, loop.Type(), n) {
			switch x := arg.(type) {
			case []uint32:
				arg = last(fences[p], x[:len(x)-guard])
			case []uint64:
				arg = last(fences[p], x[:len(x)-guard])
			}
			values = append(values, reflect.ValueOf(arg))
		}
		loop.Call(values)
	}
}
