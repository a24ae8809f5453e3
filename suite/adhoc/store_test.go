package adhoc

import (
	"runtime"
	"slices"
	"testing"

	"metalconform/metalrun"
)

// TestStore launches kernels again and again in one store: they take no more memory than one launch does, and have the
// contents that they have without a store.
func TestStore(t *testing.T) {
	const elements, launches = 1 << 20, 20
	list := kernelsOf(t, `kernel void f(device float *x, device const uchar *q, constant uint &n) { x[n] = q[n]; }
		kernel void g(device const half *a, device float *b, device uint2 *c) { b[0] = a[0]; }`,
		Spec{Elements: elements})
	store, one := &Store{}, metalrun.Size{X: 1, Y: 1, Z: 1}
	contents := func(k Kernel) (all [][]byte) {
		for _, b := range k.Launches(one)[0].Dispatch().Bindings {
			all = append(all, b.Data)
		}
		return all
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range launches {
		for _, k := range list {
			for _, data := range contents(k.Using(store)) {
				clear(data) // as a kernel may that casts const away, too
			}
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64*elements {
		t.Errorf("%d launches allocate %d bytes", launches*len(list), n)
	}
	for _, k := range list {
		want := contents(k)
		for i, data := range contents(k.Using(store)) {
			if !slices.Equal(want[i], data) {
				t.Errorf("buffer %d of %s differs in a store", i, k.Info.Name)
			}
		}
	}
	k := list[0].Using(store)
	d := k.Launches(one)[0].Dispatch()
	for i, b := range d.Bindings {
		if cap(b.Data) > len(b.Data) {
			t.Errorf("what follows buffer %d in memory can be written", i)
		}
	}
}
