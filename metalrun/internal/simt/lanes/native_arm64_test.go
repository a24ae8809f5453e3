package lanes

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var special = []uint32{0, 1 << 31, 1, 0x80000001, 0x7fffff, 0x800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x7fa5a5a5,
	0x3f800000, 0xbf800000, 0x3f000000, 0x3f7fffff, 0x477fe000, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x387fc000, 0x387fe000, 0x4f000000, 0x4effffff, 0xcf000000, 0x4f800000, 0x4f7fffff, 0x3fc00000, 0x40200000, 31, 32, 33, 63, 64}

func drawLanes(r *rand.Rand, n int) []uint32 {
	x := make([]uint32, n)
	for i := range x {
		switch r.IntN(4) {
		case 0:
			x[i] = special[r.IntN(len(special))]
		case 1:
			x[i] = r.Uint32()
		case 2:
			x[i] = r.Uint32() >> r.IntN(32)
		case 3:
			x[i] = (uint32(r.IntN(40)+107) << 23) | r.Uint32()&0x807fffff
		}
		if i > 0 && r.IntN(5) == 0 {
			x[i] = x[i-1]
		}
	}
	return x
}

func drawWide(r *rand.Rand, n int) []uint64 {
	a, b := drawLanes(r, n), drawLanes(r, n)
	x := make([]uint64, n)
	for i := range x {
		x[i] = uint64(a[i])<<32 | uint64(b[i])
		x[i] >>= r.IntN(64)
	}
	return x
}

func drawMask(r *rand.Rand, n int) []uint32 {
	x := make([]uint32, n)
	kind := r.IntN(3)
	for i := range x {
		if kind == 0 || kind == 1 && r.IntN(2) == 0 {
			x[i] = ^uint32(0)
		}
	}
	return x
}

var arithmetic = []string{"AddF", "SubF", "MulF", "DivF", "SqrtF", "FloorF", "CeilF", "TruncF", "RintF", "MulAdd", "FMA", "SumF", "MulAddTile", "FMATile"}

func equalTable(name string, x, y uint32) bool {
	nan := func(u uint32) bool { return u&^(1<<31) > 0x7f800000 }
	if x == y {
		return true
	}
	base, _, _ := strings.Cut(name, ".")
	return slices.Contains(arithmetic, base) && nan(x) && nan(y)
}

func TestNEON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	walk(t, "", reflect.ValueOf(*Native()), reflect.ValueOf(*Portable), func(name string, got, want reflect.Value) {
		for round := range 60 {
			for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 96, 128} {
				if (strings.Contains(name, "Tile") || name == "SumF") && n%32 != 0 {
					continue
				}
				if !tryOne(t, r, name, n, round, got, want) {
					return
				}
			}
		}
	})
}

func tryOne(t *testing.T, r *rand.Rand, name string, n, round int, got, want reflect.Value) bool {
	typ := got.Type()
	args := make([]any, typ.NumIn())
	at := Index{}
	for i := range args {
		switch typ.In(i) {
		case reflect.TypeFor[[]uint32]():
			args[i] = drawLanes(r, n)
		case reflect.TypeFor[[]uint64]():
			args[i] = drawWide(r, n)
		case reflect.TypeFor[uint32]():
			args[i] = drawLanes(r, 1)[0]
		case reflect.TypeFor[uint64]():
			args[i] = drawWide(r, 1)[0]
		}
	}
	fillIdx := func() []uint32 {
		x := make([]uint32, n)
		base := r.Uint32N(max(at.Count, 1))
		kind := r.IntN(3)
		for i := range x {
			switch kind {
			case 0:
				x[i] = at.Lo + (base+uint32(i))%max(at.Count, 1)
			case 1:
				x[i] = at.Lo + r.Uint32N(max(at.Count, 1))
			case 2:
				x[i] = at.Lo + r.Uint32N(at.Count+1)
			}
			if round%5 == 1 && i > 5 && r.IntN(6) == 0 {
				x[i] = r.Uint32()
			}
		}
		return x
	}
	memory := strings.HasPrefix(name, "Gather") || strings.HasPrefix(name, "Scatter")
	if memory {
		at = Index{Lo: r.Uint32(), Count: r.Uint32N(200), Mult: 1 + r.Uint32N(3)*r.Uint32N(2), First: r.Uint32N(5)}
		words := drawLanes(r, 800)
		if strings.HasPrefix(name, "Gather") {
			args[1], args[2], args[3], args[4] = words, fillIdx(), drawMask(r, n), at
		} else {
			args[0], args[1], args[2], args[4] = words, fillIdx(), drawMask(r, n), at
		}
	}
	switch name {
	case "Select", "CopyMasked", "SelectQ", "CopyMaskedQ":
		args[1] = drawMask(r, n)
	case "AndMask", "AndNotMask":
		args[1], args[2] = drawMask(r, n), drawMask(r, n)
	case "Narrow":
		shift := uint(r.IntN(4))
		origin := r.Uint64()
		limit := (1 + r.Uint64N(1<<31)) << shift >> r.IntN(20)
		a := make([]uint64, n)
		for i := range a {
			a[i] = origin + r.Uint64N(limit+1)>>shift<<shift
			if a[i]-origin >= limit {
				a[i] = origin
			}
			if round%3 == 1 && r.IntN(10) == 0 {
				a[i] = origin + r.Uint64N(2*limit+2)
			}
		}
		args[1], args[2], args[3], args[4], args[5] = a, drawMask(r, n), origin, limit, shift
	}
	// alias: -1 none, else the operand in place of d
	for alias := -1; alias < len(args); alias++ {
		if alias == 0 || alias > 0 && (memory && alias == 1 || strings.HasPrefix(name, "Scatter") || reflect.TypeOf(args[alias]) != reflect.TypeOf(args[0])) {
			continue
		}
		if strings.Contains(name, "Tile") && alias == 1 {
			continue
		}
		call := func(f reflect.Value) (outs [][]uint32, ret int) {
			in := make([]reflect.Value, len(args))
			outs = make([][]uint32, len(args))
			for i, a := range args {
				switch a := a.(type) {
				case []uint32:
					x := append(slices.Clone(a), 77, 77, 77, 77)
					outs[i] = x
					in[i] = reflect.ValueOf(x[:len(a)])
				case []uint64:
					x := append(slices.Clone(a), 77, 77, 77, 77)
					in[i] = reflect.ValueOf(x[:len(a)])
					defer func() {
						for _, v := range x {
							outs[i] = append(outs[i], uint32(v), uint32(v>>32))
						}
					}()
				default:
					in[i] = reflect.ValueOf(a)
				}
			}
			if alias >= 0 {
				in[0] = in[alias]
			}
			if res := f.Call(in); len(res) == 1 {
				ret = int(res[0].Int())
			}
			return outs, ret
		}
		outs, k := call(got)
		wants, kw := call(want)
		if k != kw {
			t.Errorf("%s: n %d alias %d: returned %d, want %d", name, n, alias, k, kw)
			return false
		}
		lax := strings.HasPrefix(name, "Gather") || name == "Narrow"
		if lax && kw < n {
			continue
		}
		for o := range outs {
			for i := range wants[o] {
				if lax && i < n && args[len(args)-map[bool]int{true: 2, false: 4}[name != "Narrow"]].([]uint32)[i] == 0 {
					continue
				}
				if !equalTable(name, outs[o][i], wants[o][i]) {
					var vals []string
					for _, a := range args {
						if x, ok := a.([]uint32); ok && i < len(x) {
							vals = append(vals, fmt.Sprintf("%08x", x[i]))
						} else {
							vals = append(vals, fmt.Sprintf("%T", a))
						}
					}
					t.Errorf("%s: n %d alias %d operand %d lane %d: %08x, want %08x; %v", name, n, alias, o, i, outs[o][i], wants[o][i], vals)
					return false
				}
			}
		}
	}
	return true
}

func walk(t *testing.T, name string, got, want reflect.Value, visit func(name string, got, want reflect.Value)) {
	for i := range got.NumField() {
		field := strings.TrimPrefix(name+"."+got.Type().Field(i).Name, ".")
		switch got.Field(i).Kind() {
		case reflect.Struct:
			walk(t, field, got.Field(i), want.Field(i), visit)
		case reflect.Func:
			visit(field, got.Field(i), want.Field(i))
		}
	}
}
