package lanes

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"metalconform/metalrun/internal/scalar"
)

// definitions say what entries do to one lane. One with a parameter more than
// the entry has operands begins with the old d.
var definitions = map[string]any{
	"AddF": ofFloats(func(a, b float32) float32 { return a + b }),
	"SubF": ofFloats(func(a, b float32) float32 { return a - b }),
	"MulF": ofFloats(func(a, b float32) float32 { return a * b }),
	"DivF": ofFloats(func(a, b float32) float32 { return a / b }),
	"MinF": extremum(func(a, b float32) bool { return b < a }),
	"MaxF": extremum(func(a, b float32) bool { return a < b }),
	"NegF": func(a uint32) uint32 { return a ^ 1<<31 },
	"AbsF": func(a uint32) uint32 { return a &^ (1 << 31) },

	"SqrtF": ofDouble(math.Sqrt), "FloorF": ofDouble(math.Floor), "CeilF": ofDouble(math.Ceil),
	"TruncF": ofDouble(math.Trunc), "RintF": ofDouble(math.RoundToEven),
	"Exp": ofFloat(scalar.Exp), "Exp2": ofFloat(scalar.Exp2),

	"MulMul":     ternary(func(a, b, c float32) float32 { return float32(a*b) * c }),
	"MulScalars": ternary(func(a, b, c float32) float32 { return float32(a*b) * c }),
	"MulAdd":     ternary(func(a, b, c float32) float32 { return float32(a*b) + c }), "FMA": ternary(scalar.FMA32),
	"Affine": func(q, s, c, x, e uint32) uint32 {
		f := math.Float32frombits
		return math.Float32bits(f(e) + scalar.FMA32(f(q), f(s)*f(x), f(c)*f(x)))
	},
	"EqF": compared(func(a, b float32) bool { return a == b }),
	"NeF": compared(func(a, b float32) bool { return a != b }),
	"LtF": compared(func(a, b float32) bool { return a < b }),
	"LeF": compared(func(a, b float32) bool { return a <= b }),

	"RoundHalf": ofFloat(scalar.RoundHalf), "RoundBfloat": ofFloat(scalar.RoundBfloat),
	"Flush":        ofFloat(scalar.FlushF32),
	"HalfBits":     func(a uint32) uint32 { return uint32(scalar.HalfBits(math.Float32frombits(a))) },
	"BfloatBits":   func(a uint32) uint32 { return uint32(scalar.BfloatBits(math.Float32frombits(a))) },
	"FromHalfBits": func(a uint32) uint32 { return math.Float32bits(scalar.FromHalfBits(uint16(a))) },
	"Stream":       func(a uint32) uint32 { return a },
	"QuietNaN": func(a uint32) uint32 {
		if isNaN(a) {
			return 0x7fc00000
		}
		return a
	},
	"FromU32": func(a uint32) uint32 { return math.Float32bits(scalar.F32.FromUint(uint64(a))) },
	"FromI32": func(a uint32) uint32 { return math.Float32bits(scalar.F32.FromInt(int64(int32(a)))) },
	"ToU32":   func(a uint32) uint32 { return uint32(scalar.Int{Bits: 32}.Truncate(math.Float32frombits(a))) },
	"ToI32": func(a uint32) uint32 {
		return uint32(scalar.Int{Bits: 32, Signed: true}.Truncate(math.Float32frombits(a)))
	},

	"AddI": func(a, b uint32) uint32 { return a + b }, "SubI": func(a, b uint32) uint32 { return a - b },
	"MulI": func(a, b uint32) uint32 { return a * b }, "And": func(a, b uint32) uint32 { return a & b },
	"Or": func(a, b uint32) uint32 { return a | b }, "Xor": func(a, b uint32) uint32 { return a ^ b },
	"MinS": func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
	"MaxS": func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
	"MinU": func(a, b uint32) uint32 { return min(a, b) }, "MaxU": func(a, b uint32) uint32 { return max(a, b) },
	"Shl": func(a, b uint32) uint32 { return a << (b % 32) }, "LShr": func(a, b uint32) uint32 { return a >> (b % 32) },
	"AShr": func(a, b uint32) uint32 { return uint32(int32(a) >> (b % 32)) },
	"NegI": func(a uint32) uint32 { return -a }, "Not": func(a uint32) uint32 { return ^a },
	"Field":  func(a, shift, mask uint32) uint32 { return a >> (shift % 32) & mask },
	"FieldF": func(a, shift, mask uint32) uint32 { return math.Float32bits(float32(int32(a >> (shift % 32) & mask))) },
	"EqI":    func(a, b uint32) uint32 { return mask(a == b) }, "NeI": func(a, b uint32) uint32 { return mask(a != b) },
	"LtU": func(a, b uint32) uint32 { return mask(a < b) }, "LeU": func(a, b uint32) uint32 { return mask(a <= b) },
	"LtS": func(a, b uint32) uint32 { return mask(int32(a) < int32(b)) },
	"LeS": func(a, b uint32) uint32 { return mask(int32(a) <= int32(b)) },

	"Fill": func(s uint32) uint32 { return s }, "FillQ": func(s uint64) uint64 { return s },
	"Select": chosen[uint32], "SelectQ": chosen[uint64],
	"CopyMasked":  func(d, m, a uint32) uint32 { return chosen(m, a, d) },
	"CopyMaskedQ": func(d uint64, m uint32, a uint64) uint64 { return chosen(m, a, d) },
	"AndMask":     func(a, b uint32) uint32 { return a & b }, "AndNotMask": func(a, b uint32) uint32 { return a &^ b },
	"KeepLtU": func(d, a, s uint32) uint32 { return d & mask(a < s) },
	"KeepLtS": func(d, a, s uint32) uint32 { return d & mask(int32(a) < int32(s)) },
	"AddIndex": func(a, b uint32) uint32 {
		if b < 1<<31 {
			return a + b
		}
		return (a + b) | 1<<31
	},

	"AddQ": func(a, b uint64) uint64 { return a + b }, "SubQ": func(a, b uint64) uint64 { return a - b },
	"MulQ": func(a, b uint64) uint64 { return a * b }, "AndQ": func(a, b uint64) uint64 { return a & b },
	"OrQ": func(a, b uint64) uint64 { return a | b }, "XorQ": func(a, b uint64) uint64 { return a ^ b },
	"ShlQ":    func(a, b uint64) uint64 { return a << (b % 64) },
	"LShrQ":   func(a, b uint64) uint64 { return a >> (b % 64) },
	"AShrQ":   func(a, b uint64) uint64 { return uint64(int64(a) >> (b % 64)) },
	"ExtendU": func(a uint32) uint64 { return uint64(a) },
	"ExtendS": func(a uint32) uint64 { return uint64(int64(int32(a))) },
	"Low":     func(a uint64) uint32 { return uint32(a) }, "High": func(a uint64) uint32 { return uint32(a >> 32) },
}

func ofFloat(f func(a float32) float32) func(a uint32) uint32 {
	return func(a uint32) uint32 { return math.Float32bits(f(math.Float32frombits(a))) }
}

func ofDouble(f func(a float64) float64) func(a uint32) uint32 {
	return ofFloat(func(a float32) float32 { return float32(f(float64(a))) })
}

func ofFloats(f func(a, b float32) float32) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 {
		return math.Float32bits(f(math.Float32frombits(a), math.Float32frombits(b)))
	}
}

func ternary(f func(a, b, c float32) float32) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 {
		return math.Float32bits(f(math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)))
	}
}

func compared(f func(a, b float32) bool) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 { return mask(f(math.Float32frombits(a), math.Float32frombits(b))) }
}

func extremum(second func(a, b float32) bool) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 {
		if isNaN(a) || second(math.Float32frombits(a), math.Float32frombits(b)) {
			return b
		}
		return a
	}
}

func mask(b bool) uint32 {
	if b {
		return ^uint32(0)
	}
	return 0
}

func chosen[T any](m uint32, a, b T) T {
	if m != 0 {
		return a
	}
	return b
}

// TestPortable compares the portable loops with what they are defined to do.
func TestPortable(t *testing.T) {
	table := reflect.ValueOf(Portable).Elem()
	for i := range table.NumField() {
		name := table.Type().Field(i).Name
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(61, uint64(i)))
			switch got := table.Field(i).Interface().(type) {
			case string, fetching: // the table's name, and what has no effect
			case Gather:
				testGather(t, r, elementBits[name], got, definedGather(elementBits[name], decodings[name]))
			case Widening:
				testWidening(t, r, elementBits[name], got, definedWidening(elementBits[name], decodings[name]))
			case Scatter:
				testScatter(t, r, elementBits[name], got, definedScatter(uint32(elementBits[name])))
			case narrowing:
				testNarrow(t, r, got, definedNarrow)
			default:
				functions(name, table.Field(i),
					func(loop string, f reflect.Value) { testDefinition(t, r, name, loop, f) })
			}
		})
	}
}

// testDefinition compares a loop with its definition, lane by lane.
func testDefinition(t *testing.T, r *rand.Rand, entry, name string, loop reflect.Value) {
	definition := reflect.ValueOf(definitions[entry])
	if !definition.IsValid() {
		if sums(entry) || slices.Contains(together, entry) || entry == "Lookup" {
			return // defined by TestLookup, TestSum, TestSpread, TestAddRuns, TestAscend, TestTiles and TestRows
		}
		t.Fatalf("%s has no definition", entry)
	}
	for _, n := range []int{0, 1, 7, 8, 9, 16, 33, 300} {
		args := drawArguments(r, entry, loop.Type(), n)
		values := cloneArguments(args, nil)
		results := loop.Call(values)
		set := 0
		for l := range n {
			var of []reflect.Value
			for p := loop.Type().NumIn() - definition.Type().NumIn(); p < len(args); p++ {
				arg := reflect.ValueOf(args[p])
				if arg.Kind() == reflect.Slice {
					arg = arg.Index(l)
				}
				of = append(of, arg)
			}
			got, want := values[0].Index(l).Uint(), definition.Call(of)[0].Uint()
			set += int(want & 1)
			if got != want && !(slices.Contains(arithmetic, entry) && isNaN(uint32(got)) && isNaN(uint32(want))) {
				t.Fatalf("%s of %x is %x, want %x", name, of, got, want)
			}
		}
		if len(results) > 0 && results[0].Int() != int64(set) {
			t.Errorf("%s counts %d, want %d", name, results[0].Int(), set)
		}
	}
}

var decodings = map[string]func(bits uint32) uint32{
	"GatherHalf":   func(b uint32) uint32 { return math.Float32bits(scalar.FromHalfBits(uint16(b))) },
	"GatherBfloat": func(b uint32) uint32 { return b << 16 },
	"WidenHalf":    func(b uint32) uint32 { return math.Float32bits(scalar.FromHalfBits(uint16(b))) },
	"WidenBfloat":  func(b uint32) uint32 { return b << 16 },
}

// definedGather takes elements out of the bytes of the object.
func definedGather(bits int, decode func(uint32) uint32) Gather {
	return func(d, words, idx, mask []uint32, at Index) int {
		bytes, err := binary.Append(nil, binary.LittleEndian, append(slices.Clone(words), 0))
		if err != nil {
			panic(err)
		}
		for l := range d {
			i := idx[l] - at.Lo
			switch {
			case mask[l] == 0:
			case i >= at.Count:
				return l
			default:
				x := binary.LittleEndian.Uint32(bytes[bits/8*int(i*at.Mult+at.First):]) & (1<<bits - 1)
				if d[l] = x; decode != nil {
					d[l] = decode(x)
				}
			}
		}
		return len(d)
	}
}

// definedWidening is a gather of lanes that follow each other.
func definedWidening(bits int, decode func(uint32) uint32) Widening {
	gather := definedGather(bits, decode)
	return func(d, words []uint32, first uint32) {
		idx, mask := make([]uint32, len(d)), make([]uint32, len(d))
		for l := range d {
			idx[l], mask[l] = uint32(l), ^uint32(0)
		}
		gather(d, words, idx, mask, Index{Count: uint32(len(d)), Mult: 1, First: first})
	}
}

// definedScatter replaces the bits of elements in words.
func definedScatter(bits uint32) Scatter {
	return func(words, idx, mask, v []uint32, at Index) int {
		for l, m := range mask {
			if m != 0 && idx[l]-at.Lo >= at.Count {
				return l
			}
		}
		for l, m := range mask {
			if m != 0 {
				bit := bits * ((idx[l]-at.Lo)*at.Mult + at.First)
				ones := uint32(1<<bits-1) << (bit % 32)
				words[bit/32] = words[bit/32]&^ones | v[l]<<(bit%32)&ones
			}
		}
		return len(v)
	}
}

func definedNarrow(d []uint32, a []uint64, mask []uint32, origin, limit uint64, shift uint) int {
	for l := range d {
		offset := a[l] - origin
		if mask[l] != 0 && (offset >= limit || offset%(1<<shift) != 0) {
			return l
		}
		d[l] = uint32(offset / (1 << shift))
	}
	return len(d)
}

func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	a, d := make([]uint32, 3*simdgroup), make([]uint32, 3*simdgroup)
	for i := range a {
		a[i] = math.Float32bits(r.Float32() - 0.5)
	}
	Portable.SumF(d, a)
	for l, got := range d {
		first := l / simdgroup * simdgroup
		want := math.Float32frombits(a[first])
		for _, x := range a[first+1 : first+simdgroup] {
			want += math.Float32frombits(x)
		}
		if got != math.Float32bits(want) {
			t.Errorf("the sum in lane %d is %g, want %g", l, math.Float32frombits(got), want)
		}
	}
}

func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	for _, table := range tables {
		a, d := drawLanes(r, 3), make([]uint32, 3*simdgroup)
		table.Spread(d, a)
		for l, got := range d {
			if want := a[l/simdgroup]; got != want {
				t.Errorf("%s: lane %d is %08x, want %08x", table.Name, l, got, want)
			}
		}
	}
}

// TestAddRuns adds runs to rows, one lane after the other.
func TestAddRuns(t *testing.T) {
	const rows, step = 3, 5
	r := rand.New(rand.NewPCG(73, 74))
	first := []uint32{40, 0}
	words, w, old := drawModerate(r, 200), drawModerate(r, len(first)*simdgroup),
		drawModerate(r, rows*len(first)*simdgroup)
	for _, table := range tables {
		got := slices.Clone(old)
		table.AddRuns(got, w, words, first, step, rows)
		for i, x := range old {
			k, l := i/len(w), i%len(w)
			run := words[first[l/simdgroup]+uint32(k*step+l%simdgroup)]
			want := math.Float32frombits(x) + float32(math.Float32frombits(w[l])*math.Float32frombits(run))
			if got[i] != math.Float32bits(want) {
				t.Errorf("%s: lane %d of row %d is %08x, want %08x", table.Name, l, k, got[i], math.Float32bits(want))
			}
		}
	}
}

func TestLookup(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	for _, mask := range []uint32{0, 6, 15, 31, 255} {
		words, a, d := drawLanes(r, int(mask)+1), drawLanes(r, 41), make([]uint32, 41)
		for _, table := range tables {
			table.Lookup(d, a, words, mask)
			for l, got := range d {
				if want := words[a[l]&mask]; got != want {
					t.Errorf("%s: lane %d of %d is %08x, want %08x", table.Name, l, a[l]&mask, got, want)
				}
			}
		}
	}
}

// TestAscend spoils one lane after the other.
func TestAscend(t *testing.T) {
	r := rand.New(rand.NewPCG(69, 70))
	for _, table := range tables {
		first := []uint32{r.Uint32(), math.MaxUint32 - 9, 0}
		a := make([]uint32, len(first)*simdgroup)
		for l := range a {
			a[l] = first[l/simdgroup] + uint32(l%simdgroup)
		}
		if !table.Ascend(a) || !table.Ascend(nil) {
			t.Errorf("%s: what ascends does not", table.Name)
		}
		for l := range a {
			a[l] += 1 << r.IntN(32)
			if table.Ascend(a) {
				t.Errorf("%s: lane %d does not follow from the one before", table.Name, l)
			}
			a[l] = first[l/simdgroup] + uint32(l%simdgroup)
		}
	}
}

func TestTiles(t *testing.T) {
	step := map[string]func(a, b, c float32) float32{
		"MulAddTile": func(a, b, c float32) float32 { return float32(a*b) + c }, "FMATile": scalar.FMA32,
	}
	for name, tile := range map[string]func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32){
		"MulAddTile": Portable.MulAddTile, "FMATile": Portable.FMATile,
	} {
		r := rand.New(rand.NewPCG(65, 66))
		var x [8][]uint32 // d0, d1, a0, …
		for i := range x {
			x[i] = drawLanes(r, 2*simdgroup)
		}
		tile(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
		for group := range 2 {
			at := func(matrix, row, column int) float32 {
				for l := range simdgroup {
					if i := row*8 + column - TileIndex(l); i == 0 || i == 1 {
						return math.Float32frombits(x[2*matrix+i][group*simdgroup+l])
					}
				}
				panic("no lane has the element")
			}
			for row := range 8 {
				for column := range 8 {
					want := at(3, row, column)
					for k := range 8 {
						want = step[name](at(1, row, k), at(2, k, column), want)
					}
					if got := at(0, row, column); got != want && (got == got || want == want) {
						t.Errorf("%s: element %d, %d is %g, want %g", name, row, column, got, want)
					}
				}
			}
		}
	}
}
