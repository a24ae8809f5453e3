package loops

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// TestTables holds the tables of this processor to the portable one, bit for bit.
func TestTables(t *testing.T) {
	t.Parallel()
	if Native() == Portable {
		t.Skip("this processor has no table of its own")
	}
	for _, table := range tables {
		t.Run(table.Name, func(t *testing.T) { sameBits(t, table) })
	}
}

// sameBits holds a table to the portable one.
func sameBits(t *testing.T, table *Table) {
	t.Parallel()
	for seed := range uint64(200) {
		n := Width * int(1+seed%9)
		for _, c := range []struct {
			name string
			loop func(*Table, draws) []float64
		}{
			{"WeighInTurn", func(x *Table, r draws) []float64 {
				d, keys := make([]float64, TilePlanes*n), 1+r.IntN(40)
				x.WeighInTurn(d, r.numbers(keys*n), r.weights(keys),
					&TileConstants{r.size(), r.size(), r.size(), r.size()})
				return d
			}},
			{"WeighInAnyOrder", func(x *Table, r draws) []float64 {
				d, keys := make([]float64, TilePlanes*n), 1+r.IntN(40)
				x.WeighInAnyOrder(d, r.numbers(keys*n), r.weights(keys),
					&TileConstants{r.size(), r.size(), r.size(), r.size()}, r.sizes(2*n))
				return d
			}},
			{"Carry", func(x *Table, r draws) []float64 { return carriedBy(x.Carry, r, n) }},
			{"Keep", func(x *Table, r draws) []float64 { return carriedBy(x.Keep, r, n) }},
			{"Weigh", func(x *Table, r draws) []float64 {
				sums, magnitudes := r.numbers(n), r.sizes(n)
				x.Weigh(sums, magnitudes, r.numbers(n), r.numbers(n), r.size(), r.size())
				return append(sums, magnitudes...)
			}},
			{"Compensated", func(x *Table, r draws) []float64 {
				sums, corrections, magnitudes := r.numbers(n), r.numbers(n), r.sizes(n)
				x.Compensated(sums, corrections, magnitudes, r.numbers(n), r.size())
				return slices.Concat(sums, corrections, magnitudes)
			}},
			{"Scale", func(x *Table, r draws) []float64 {
				panel, more := r.numbers(Panel*(1+r.IntN(9))), [Panel]float64(r.sizes(Panel))
				var d Norms
				x.Scale(&d, panel, r.size(), &more)
				return slices.Concat(panel, d.Squares[0][:], d.Squares[1][:], d.Fourths[0][:], d.Fourths[1][:])
			}},
			{"Binades", func(x *Table, r draws) []float64 {
				panel, more := r.numbers(Panel*(1+r.IntN(9))), [Panel]float64(r.sizes(Panel))
				var d Norms
				x.Binades(&d, panel, &more)
				return slices.Concat(d.Squares[0][:], d.Squares[1][:], d.Fourths[0][:], d.Fourths[1][:])
			}},
			{"Update", func(x *Table, r draws) []float64 {
				rows := 1 + r.IntN(9)
				panel, by := r.numbers(Panel*rows), [Panel]float64(r.numbers(Panel))
				var d Sizes
				x.Update(&d, panel, r.numbers(rows), &by)
				return slices.Concat(panel, d.Squares[0][:], d.Squares[1][:], d.Totals[0][:], d.Totals[1][:], d.Peak[:])
			}},
			{"Dots", func(x *Table, r draws) []float64 {
				rows := 1 + r.IntN(50)
				var at []int
				for i := range rows {
					if i == 0 || r.IntN(4) > 0 {
						at = append(at, i*Panel)
					}
				}
				d := DotSums{Magnitude: [Panel]float64(r.sizes(Panel)), Squares: [Panel]float64(r.sizes(Panel)),
					Products: [Panel]float64(r.sizes(Panel))}
				x.Dots(&d, r.numbers(len(at)), r.sizes(len(at)), r.numbers(rows*Panel), at)
				return slices.Concat(d.Value[:], d.Error[:], d.Magnitude[:], d.Squares[:], d.Products[:])
			}},
			{"Blocks", func(x *Table, r draws) []float64 {
				block, lanes := 1+r.IntN(5), 1+r.IntN(9)
				d := DotSums{Magnitude: [Panel]float64(r.sizes(Panel)), Squares: [Panel]float64(r.sizes(Panel)),
					Products: [Panel]float64(r.sizes(Panel))}
				values, errors := make([]float64, lanes*Panel), make([]float64, lanes*Panel)
				x.Blocks(&d, values, errors, r.numbers(block*lanes), r.sizes(block), r.numbers(block*lanes*Panel))
				return slices.Concat(values, errors, d.Magnitude[:], d.Squares[:], d.Products[:])
			}},
			{"Tiles", func(x *Table, r draws) []float64 {
				tile, tiles := 1+r.IntN(9), 1+r.IntN(5)
				var d DotSums
				for _, list := range []*[Panel]float64{&d.Value, &d.Error, &d.Magnitude, &d.Squares, &d.Products} {
					*list = [Panel]float64(r.sizes(Panel))
				}
				x.Tiles(&d, r.numbers(tile*tiles), r.numbers(tile*tiles*Panel), tile,
					&DotTile{r.size(), r.size(), r.size()})
				return slices.Concat(d.Value[:], d.Error[:], d.Magnitude[:], d.Squares[:], d.Products[:])
			}},
			{"Inner", func(x *Table, r draws) []float64 {
				n := r.IntN(20)
				var d Inner
				x.Inner(&d, r.numbers(n), r.numbers(Panel*n))
				return slices.Concat(d.Value[:], d.Magnitude[:], d.Squares[:])
			}},
			{"Decay", func(x *Table, r draws) []float64 {
				rows := 1 + r.IntN(20)
				panel := r.numbers(Panel * rows)
				var d Products
				x.Decay(&d, panel, r.numbers(rows), r.number())
				return slices.Concat(panel, d.Value[:], d.Correction[:], d.Size[:])
			}},
			{"Learn", func(x *Table, r draws) []float64 {
				rows := 1 + r.IntN(20)
				panel, by := r.numbers(Panel*rows), [Panel]float64(r.numbers(Panel))
				var d Products
				x.Learn(&d, panel, r.numbers(rows), r.numbers(rows), &by)
				return slices.Concat(panel, d.Value[:], d.Correction[:], d.Size[:])
			}},
			{"Solve", func(x *Table, r draws) []float64 { return chunkSumsBy(x.Solve, r) }},
			{"Reach", func(x *Table, r draws) []float64 { return chunkSumsBy(x.Reach, r) }},
			{"Forget", func(x *Table, r draws) []float64 {
				rows := 1 + r.IntN(20)
				panel, by := r.numbers(Panel*rows), [Panel]float64(r.numbers(Panel))
				var d [Panel]float64
				x.Forget(&d, panel, r.numbers(rows), r.numbers(rows), &by)
				return append(panel, d[:]...)
			}},
			{"Strides", func(x *Table, r draws) []float64 {
				rows := 1 + r.IntN(20)
				var d [Panel]float64
				x.Strides(&d, r.numbers(Panel*rows), r.numbers(rows))
				return d[:]
			}},
			{"Take", func(x *Table, r draws) []float64 {
				d := r.sizes(3 * n)
				x.Take(d, r.sizes(9*n),
					&[3][2]float64{{r.size(), r.size()}, {r.size(), r.size()}, {r.size(), r.size()}})
				return d
			}},
			{"Gather", func(x *Table, r draws) []float64 {
				rows := 1 + r.IntN(40)
				var d Gathered
				x.Gather(&d, r.numbers(rows*Panel), r.sizes(rows*Panel))
				return slices.Concat(d.Sum[:], d.Correction[:], d.Magnitude[:], d.Squares[:], d.Error[:], d.Least[:])
			}},
			{"Decayed", func(x *Table, r draws) []float64 {
				return r.step(func(s *stepDraw) int { return x.Decayed(&s.rows, &s.own, &s.norms, &s.token) })
			}},
			{"Updated", func(x *Table, r draws) []float64 {
				return r.step(func(s *stepDraw) int {
					x.Updated(&s.rows, &s.own, &s.sums, &s.sizes, &s.token)
					return 0
				})
			}},
			{"Rounded", func(x *Table, r draws) []float64 {
				return r.step(func(s *stepDraw) int { return x.Rounded(&s.rows, &s.own, &s.norms, &s.token) })
			}},
			{"Give", func(x *Table, r draws) []float64 {
				return r.step(func(s *stepDraw) int { return x.Give(&s.passed, &s.rows, &s.sums, &s.token) })
			}},
			{"Sharpen", func(x *Table, r draws) []float64 {
				return r.step(func(s *stepDraw) int {
					x.Sharpen(&s.passed, &s.carried, 1+r.Float64(), r.size())
					return 0
				})
			}},
			{"Open", func(x *Table, r draws) []float64 {
				g := Gathered{Sum: [Panel]float64(r.numbers(Panel)), Correction: [Panel]float64(r.numbers(Panel)),
					Least: [Panel]float64(r.numbers(Panel))}
				for _, list := range []*[Panel]float64{&g.Magnitude, &g.Squares, &g.Error} {
					*list = [Panel]float64(r.sizes(Panel))
				}
				c := OpenConstants{r.size(), r.size(), r.size(), math.Ldexp(r.size(), 20), math.Ldexp(r.size(), -20),
					r.size(), math.Ldexp(r.size(), -20)}
				var d Sums
				others := x.Open(&d, &g, &c)
				return slices.Concat(d.Value[:], d.Error[:], d.Variance[:], d.Systematic[:], []float64{float64(others)})
			}},
			{"Range", func(x *Table, r draws) []float64 {
				var d Sums
				var of DotSums
				for _, list := range []*[Panel]float64{&d.Value, &d.Error, &d.Variance, &d.Systematic, &of.Magnitude,
					&of.Squares} {
					*list = [Panel]float64(r.sizes(Panel))
				}
				sizes := [Panel]float64(r.sizes(Panel))
				others := x.Range(&d, &of, &sizes,
					&RangeConstants{r.size(), r.size(), r.size(), r.size(), r.size(), r.size()})
				return slices.Concat(d.Value[:], d.Error[:], d.Variance[:], d.Systematic[:], []float64{float64(others)})
			}},
		} {
			draw := func() draws { return draws{rand.New(rand.NewPCG(seed, 7))} }
			want, got := c.loop(Portable, draw()), c.loop(table, draw())
			for i, x := range want {
				if math.Float64bits(got[i]) != math.Float64bits(x) {
					t.Errorf("%s of %d columns, seed %d, number %d: %v, portable %v", c.name, n, seed, i, got[i], x)
					break
				}
			}
		}
	}
}

// stepDraw is what the loops over the rows of a state read and write.
type stepDraw struct {
	rows    StepRows
	own     Local
	norms   Norms
	sizes   Sizes
	sums    Sums
	passed  Passed
	carried Origins
	token   StepToken
}

// step gives what a loop leaves of such numbers, drawn at random.
func (r draws) step(loop func(*stepDraw) int) []float64 {
	var s stepDraw
	fill := func(v any) {
		var bytes bytes.Buffer
		numbers := make([]float64, binary.Size(v)/8)
		for i := range numbers {
			numbers[i] = r.size()
		}
		binary.Write(&bytes, binary.LittleEndian, numbers)
		binary.Read(&bytes, binary.LittleEndian, v)
	}
	for _, v := range []any{&s.rows, &s.own, &s.norms, &s.sizes, &s.sums, &s.passed, &s.carried} {
		fill(v)
	}
	token := reflect.ValueOf(&s.token).Elem()
	for i := range token.NumField() {
		if field := token.Field(i); field.Kind() == reflect.Float64 {
			field.SetFloat(r.size())
		} else {
			field.SetBool(r.IntN(2) == 0)
		}
	}
	s.token.Largest = math.Ldexp(s.token.Largest, 60)
	list := []float64{float64(loop(&s))}
	for _, v := range []any{&s.rows, &s.own, &s.passed} {
		var bytes bytes.Buffer
		binary.Write(&bytes, binary.LittleEndian, v)
		numbers := make([]float64, bytes.Len()/8)
		binary.Read(&bytes, binary.LittleEndian, numbers)
		list = append(list, numbers...)
	}
	return list
}

// carriedBy are the planes that a loop over carried sums makes, and what it returns.
func carriedBy(loop func(next, sums, tile []float64, c *CarryConstants) (least, most float64), r draws,
	n int) []float64 {
	d := make([]float64, SumPlanes*n)
	c := CarryConstants{
		Factor: r.size(), FactorError: r.size(), FactorVariance: r.size(), FactorSystematic: r.size(),
		FactorSquare: r.size(),
		U:            r.size(), Scatter: r.size(), Merged: r.size(), MergedFactor: r.size(), Underflow: r.size(),
		Added: r.size(), AddedScatter: r.size(), Again: r.size(),
	}
	sums, tile := r.sizes(SumPlanes*n), r.sizes(TilePlanes*n)
	copy(sums[SumValue*n:], r.numbers(n))
	copy(tile[TileValue*n:], r.numbers(n))
	least, most := loop(d, sums, tile, &c)
	return append(d, least, most)
}

// chunkSumsBy are what a loop over some tokens, or none, adds up.
func chunkSumsBy(loop func(*ChunkSums, []Coefficient, []ChunkToken), r draws) []float64 {
	c, tokens := make([]Coefficient, r.IntN(9)), make([]ChunkToken, 8)
	for i := range c {
		c[i] = Coefficient{r.number(), r.size(), r.size(), r.size(), r.size(), r.size(), r.size()}
	}
	sums := func(d *ChunkSums) []*[Panel]float64 {
		return []*[Panel]float64{&d.Error, &d.Most, &d.Reached, &d.Magnitude, &d.Squares, &d.Systematic, &d.Variance}
	}
	for i := range tokens {
		t := &tokens[i]
		t.Solution = [Panel]float64(r.numbers(Panel))
		for _, list := range []*[Panel]float64{&t.Top, &t.Residual, &t.Variance, &t.Systematic} {
			*list = [Panel]float64(r.sizes(Panel))
		}
	}
	var d ChunkSums
	var all []float64
	for _, list := range sums(&d) {
		*list = [Panel]float64(r.sizes(Panel))
	}
	loop(&d, c, tokens)
	for _, list := range sums(&d) {
		all = append(all, list[:]...)
	}
	return all
}

// draws makes numbers of all sizes.
type draws struct{ *rand.Rand }

func (r draws) number() float64 {
	if r.IntN(20) == 0 {
		return 0
	}
	return math.Ldexp(r.NormFloat64(), r.IntN(60)-30)
}

func (r draws) size() float64 { return math.Abs(r.number()) }

func (r draws) numbers(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.number()
	}
	return x
}

func (r draws) sizes(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.size()
	}
	return x
}

func (r draws) weights(n int) []Weight {
	x := make([]Weight, n)
	for i := range x {
		x[i] = Weight{r.size(), r.size(), r.size(), r.size(), r.size(), r.size()}
	}
	return x
}

// TestGenerated runs the generator of the assembly where it writes nothing that is
// committed.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a generator")
	}
	dir := t.TempDir()
	generator := filepath.Join(dir, "avx2")
	if out, err := exec.Command("go", "build", "-o", generator, "./avx2").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for kind, wide := range map[string][]string{"avx2": nil, "avx512": {"-wide"}} {
		files := []string{kind + "_amd64.s", kind + "_amd64.go"}
		run := exec.Command(generator, append(wide, "-pkg", "loops", "-out", files[0], "-stubs", files[1])...)
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, out)
		}
		for _, file := range files {
			want, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator writes (%v): go generate mends it", file, err)
			}
		}
	}
}
