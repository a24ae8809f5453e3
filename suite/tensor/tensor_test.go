package tensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func drawn(r *rand.Rand, shape ...int) *Tensor {
	t, err := Full(0, shape...)
	if err != nil {
		panic(err)
	}
	for i := range t.data {
		t.data[i] = r.NormFloat64()
	}
	return t
}

// TestBroadcasting holds the short ways through equal shapes and numbers against the long one.
func TestBroadcasting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	difference := func(x, y float64) float64 { return x - y }
	for _, shapes := range [][2][]int{{{2, 3}, {2, 3}}, {{}, {2, 3}}, {{2, 3}, {}}, {{2, 1}, {1, 3}},
		{{4, 1, 3}, {2, 1}}, {{0}, {1}}} {
		a, b := drawn(r, shapes[0]...), drawn(r, shapes[1]...)
		got, err := Zip("-", a, b, difference)
		if err != nil {
			t.Fatal(err)
		}
		want, err := combine("-", []*Tensor{a, b}, func(x []float64) float64 { return difference(x[0], x[1]) })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Tensor{})); diff != "" {
			t.Errorf("%v - %v (-want +got):\n%s", shapes[0], shapes[1], diff)
		}
	}
}

// TestProducts holds matrix products against sums of products, with and without batches.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for _, test := range []struct {
		a, b     []int
		notation string
	}{
		{[]int{3, 4}, []int{4, 5}, "ij,jk->ik"}, {[]int{4}, []int{4, 5}, "j,jk->k"}, {[]int{3, 4}, []int{4}, "ij,j->i"},
		{[]int{4}, []int{4}, "j,j->"}, {[]int{2, 3, 4}, []int{2, 4, 5}, "bij,bjk->bik"},
		{[]int{2, 3, 4}, []int{4, 5}, "bij,jk->bik"},
	} {
		a, b := drawn(r, test.a...), drawn(r, test.b...)
		got, err := MatMul(a, b, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Einsum(test.notation, nil, nil, a, b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.shape, got.shape); diff != "" {
			t.Fatalf("%s: shape (-want +got):\n%s", test.notation, diff)
		}
		for i, x := range want.data {
			if math.Abs(x-got.data[i]) > 1e-13 {
				t.Errorf("%s: element %d is %g, want %g", test.notation, i, got.data[i], x)
			}
		}
	}
}

// TestProductsOfNothing: zero times what is not finite is a NaN, on either side.
func TestProductsOfNothing(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := &Tensor{shape: []int{2, 3}, data: []float64{0, 1, 2, 3, 4, 5}}
		b := &Tensor{shape: []int{3}, data: []float64{x, 1, 1}}
		c := &Tensor{shape: []int{3, 1}, data: []float64{1, 1, 1}}
		right, err := MatMul(a, b, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		left, err := MatMul(&Tensor{shape: []int{1, 3}, data: []float64{0, x, 1}},
			&Tensor{shape: []int{3, 1}, data: []float64{1, 0, 1}},
			nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		finite, err := MatMul(a, c, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if y := right.data[0]; y == y || left.data[0] == left.data[0] || finite.data[0] != 3 {
			t.Errorf("%g: %v, %v and %v", x, right, left, finite)
		}
	}
}

// TestTurnedAxes: axes that stay where they are leave the tensor as it is, also when they are counted from the end.
func TestTurnedAxes(t *testing.T) {
	x := &Tensor{shape: []int{2, 2}, data: []float64{1, 2, 3, 4}}
	for _, test := range []struct {
		order []int
		want  []float64
	}{{[]int{0, 1}, x.data}, {[]int{-2, -1}, x.data}, {[]int{-1, 0}, []float64{1, 3, 2, 4}},
		{nil, []float64{1, 3, 2, 4}}} {
		got, err := x.Transpose(test.order...)
		if err != nil || !slices.Equal(got.data, test.want) {
			t.Errorf("%v: %v, %v, want %v", test.order, got, err, test.want)
		}
	}
}
