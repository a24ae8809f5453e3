package lanes

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// arithmetic are the entries that make NaNs: their bits may differ.
var arithmetic = strings.Fields("AddF SubF MulF DivF SqrtF FloorF CeilF TruncF RintF MulAdd FMA MulMul MulScalars " +
	"Affine SumF MulAddTile FMATile " +
	"DotRows ScaleRows UpdateRows DotRuns DotGathered AddRuns")

// together are the entries that look at more than one lane of a simdgroup.
var together = strings.Fields("SumF Spread AddRuns Ascend MulAddTile FMATile")

// masks are the operands that hold bools.
var masks = map[string][]int{
	"Select": {1}, "CopyMasked": {1}, "SelectQ": {1}, "CopyMaskedQ": {1}, "AndMask": {1, 2}, "AndNotMask": {1, 2},
	"KeepLtU": {0}, "KeepLtS": {0},
}

// factors are the operands that hold a scalar for each row of operand 1, of loops
// over rows.
var factors = map[string][]int{"DotRows": {3}, "ScaleRows": {3}, "UpdateRows": {3, 4}, "DotRuns": {},
	"DotGathered": {3}}

// aliases are the operands that d may be; tiles have two of each.
func aliases(entry string, f reflect.Type) []map[int]int {
	in := []map[int]int{{}}
	if factors[entry] != nil || slices.Contains(masks[entry], 0) || entry == "Spread" || entry == "AddRuns" {
		return in
	}
	if entry == "Lookup" {
		return append(in, map[int]int{1: 0})
	}
	both := map[int]int{}
	for p := 1; p < f.NumIn(); p++ {
		switch {
		case f.NumIn() == 8 && p%2 == 1:
			in = append(in, map[int]int{p - 1: 0, p: 1})
		case f.NumIn() < 8 && f.In(p) == f.In(0):
			in = append(in, map[int]int{p: 0})
			both[p] = 0
		}
	}
	if len(both) > 1 {
		in = append(in, both)
	}
	return in
}

// functions calls f with every loop of an entry.
func functions(name string, entry reflect.Value, f func(name string, loop reflect.Value)) {
	if entry.Kind() == reflect.Struct {
		for i := range entry.NumField() {
			f(name+"."+entry.Type().Field(i).Name, entry.Field(i))
		}
		return
	}
	f(name, entry)
}

// fetching is the type of Fetch.
type fetching = func(at uintptr, bytes int)

// TestNative compares all loops of the tables that this processor can run with the portable ones.
func TestNative(t *testing.T) {
	for _, table := range tables {
		t.Run(table.Name, func(t *testing.T) {
			native := reflect.ValueOf(table).Elem()
			for i := range native.NumField() {
				name := native.Type().Field(i).Name
				t.Run(name, func(t *testing.T) { testEntry(t, rand.New(rand.NewPCG(51, uint64(i))), i, name, native) })
			}
		})
	}
}

// testEntry compares an entry of a table.
func testEntry(t *testing.T, r *rand.Rand, i int, name string, native reflect.Value) {
	portable := reflect.ValueOf(Portable).Elem()
	switch got := native.Field(i).Interface().(type) {
	case string, fetching: // the table's name, and what has no effect
	case Gather:
		testGather(t, r, elementBits[name], got, portable.Field(i).Interface().(Gather))
	case Widening:
		testWidening(t, r, elementBits[name], got, portable.Field(i).Interface().(Widening))
	case Scatter:
		testScatter(t, r, elementBits[name], got, portable.Field(i).Interface().(Scatter))
	default:
		wants := map[string]reflect.Value{}
		functions(name, portable.Field(i), func(loop string, f reflect.Value) { wants[loop] = f })
		functions(name, native.Field(i), func(loop string, f reflect.Value) {
			if name == "Narrow" {
				testNarrow(t, r, f.Interface().(narrowing), narrow)
				return
			}
			testLoop(t, r, name, loop, f, wants[loop])
		})
	}
}

// lengths are the numbers of lanes that loops are tested with.
func lengths(entry string) []int {
	n := []int{63, 64, 65, 128, 300}
	for i := range 41 {
		n = append(n, i)
	}
	if slices.Contains(together, entry) {
		return slices.DeleteFunc(n, func(i int) bool { return i%simdgroup != 0 })
	}
	return n
}

// inPlace are lengths with which loops are tested in place: without a vector, with
// one, with a block of them, and with a rest each.
var inPlace = []int{0, 1, 3, 4, 7, 8, 9, 16, 17, 32, 33, 41, 65, 128}

// testLoop compares a loop over lengths, in place and not. What differs
// afterwards in any slice or behind its end is an error.
func testLoop(t *testing.T, r *rand.Rand, entry, name string, got, want reflect.Value) {
	for _, n := range lengths(entry) {
		for _, alias := range aliases(entry, got.Type()) {
			if len(alias) > 0 && n%simdgroup != 0 && !slices.Contains(inPlace, n) {
				continue
			}
			args := drawArguments(r, entry, got.Type(), n)
			for p := len(args) - 1; p > 0; p-- {
				if d, ok := alias[p]; ok {
					args[d] = args[p] // masks, which come first, prevail
				}
			}
			gotArgs, wantArgs := cloneArguments(args, alias), cloneArguments(args, alias)
			gotResults, wantResults := got.Call(gotArgs), want.Call(wantArgs)
			for p := range wantArgs {
				compareSlices(t, name, args, p, whole(gotArgs[p]), whole(wantArgs[p]),
					slices.Contains(arithmetic, entry))
			}
			for j := range wantResults {
				if g, w := gotResults[j].Interface(), wantResults[j].Interface(); g != w {
					t.Errorf("%s of %d lanes returns %v, want %v", name, n, g, w)
				}
			}
			if t.Failed() {
				t.Fatalf("in place: %v", alias)
			}
		}
	}
}

// guard is how many lanes stand behind the end of a slice.
const guard = 9

// sums tells whether an entry adds up more than two floats, of which draws of all
// sorts would mostly make NaNs.
func sums(entry string) bool {
	return entry == "SumF" || strings.HasSuffix(entry, "Tile") || factors[entry] != nil
}

// extent is the number of words from the first to the last of rows of n lanes
// that begin stride words apart.
func extent(rows, n, stride int) int {
	if rows == 0 {
		return 0
	}
	return (rows-1)*stride + n
}

// drawArguments draws slices, of n lanes or for some rows, each with the guard,
// and scalars.
func drawArguments(r *rand.Rand, entry string, f reflect.Type, n int) []any {
	lanes := slices.Repeat([]int{n}, f.NumIn())
	stride, rows := n, r.IntN(8)
	if factors[entry] != nil {
		if strings.HasPrefix(entry, "Dot") {
			stride = []int{0, 1, n, n + 3}[r.IntN(4)]
		}
		lanes[1] = extent(rows, n, stride)
		switch entry {
		case "DotRuns":
			lanes[1], lanes[2] = simdgroup+rows*stride+r.IntN(200), simdgroup+rows*stride+r.IntN(200)
		case "DotGathered":
			rows = r.IntN(40) // turns
			lanes[1] = rows + r.IntN(50)
		}
		for _, p := range factors[entry] {
			lanes[p] = rows
		}
	}
	if entry == "AddRuns" {
		stride = r.IntN(50)
		lanes[0], lanes[2] = n*rows, simdgroup+rows*stride+r.IntN(200)
	}
	kind := drawLanes
	if sums(entry) && r.IntN(4) > 0 {
		kind = drawModerate
	}
	args := make([]any, f.NumIn())
	for p := range args {
		switch f.In(p) {
		case reflect.TypeFor[[]uint32]():
			args[p] = kind(r, lanes[p]+guard)
			if slices.Contains(masks[entry], p) {
				args[p] = drawMask(r, n+guard, 1+r.IntN(3))
			}
		case reflect.TypeFor[[]uint64]():
			args[p] = drawWide(r, n+guard)
		case reflect.TypeFor[int]():
			args[p] = stride
			if p == f.NumIn()-1 && p > 2 {
				args[p] = rows // of DotRuns and AddRuns
			}
		case reflect.TypeFor[uint32]():
			args[p] = kind(r, 1)[0]
		case reflect.TypeFor[uint64]():
			args[p] = drawWide(r, 1)[0]
		}
	}
	if entry == "DotGathered" {
		args[2] = drawIndices(r, n+guard, lanes[1]-rows)
	}
	if entry == "DotRuns" {
		args[3], args[4] = drawIndices(r, n+guard, lanes[1]-simdgroup-rows*stride),
			drawIndices(r, n+guard, lanes[2]-simdgroup-rows*stride)
	}
	if entry == "AddRuns" {
		args[3] = drawIndices(r, n+guard, lanes[2]-simdgroup-rows*stride)
	}
	if entry == "Lookup" {
		mask := []uint32{0, 5, 7, 15, 31, 63, 255}[r.IntN(7)]
		args[2], args[3] = drawLanes(r, int(mask)+1+guard), mask
	}
	if (entry == "FMA" || entry == "MulAdd") && r.IntN(2) == 0 {
		a, b, c := drawProducts(r, n+guard)
		args[1], args[2], args[3] = a, b, c
		if f.In(2).Kind() != reflect.Slice {
			args[2] = b[0]
		}
	}
	return args
}

// cloneArguments copies arguments and cuts the guards off the slices.
func cloneArguments(args []any, alias map[int]int) []reflect.Value {
	values := make([]reflect.Value, len(args))
	for p, arg := range args {
		switch x := arg.(type) {
		case []uint32:
			values[p] = reflect.ValueOf(slices.Clone(x)[:len(x)-guard])
		case []uint64:
			values[p] = reflect.ValueOf(slices.Clone(x)[:len(x)-guard])
		default:
			values[p] = reflect.ValueOf(arg)
		}
	}
	for to, from := range alias {
		values[to] = values[from]
	}
	return values
}

// whole is a slice with its guard.
func whole(x reflect.Value) any {
	if x.Kind() == reflect.Slice {
		x = x.Slice(0, x.Len()+guard)
	}
	return x.Interface()
}

func compareSlices(t *testing.T, name string, args []any, p int, got, want any, nan bool) {
	t.Helper()
	g, lanes := got.([]uint32)
	if !lanes {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: operand %d (-want +got):\n%s", name, p, diff)
		}
		return
	}
	for i, w := range want.([]uint32) {
		if g[i] == w || nan && isNaN(g[i]) && isNaN(w) {
			continue
		}
		t.Errorf("%s: lane %d of operand %d is %08x, want %08x", name, i, p, g[i], w)
		for q, arg := range args {
			x, lanes := arg.([]uint32)
			switch {
			case !lanes:
				t.Logf("operand %d was %v", q, arg)
			case i < len(x):
				t.Logf("operand %d there was %08x", q, x[i])
			}
		}
		return
	}
}

func isNaN(bits uint32) bool { return bits&^(1<<31) > 0x7f800000 }
