package ball

import "testing"

// TestReorderedRange asks what is known of expressions whose factors are far from 1, in any order.
func TestReorderedRange(t *testing.T) {
	times := func(a, b Ball) Ball { return ReorderedProduct(Mul(a, b), a, b) }
	plus := func(a, b Ball) Ball { return ReorderedSum(Add(a, b), a, b) }
	over := func(a, b Ball) Ball { return ReorderedQuotient(Div(a, b), a, b, Div(Of(1), b.Leaf())) }
	large, mask, small := Of(2e38), Of(-1e30), Of(1e-30)
	for _, c := range []struct {
		name  string
		got   Ball
		known bool
	}{
		{"a product", times(mask, Of(1.44)), true},
		{"a product of a sum", times(plus(mask, Of(3)), Of(1.44)), true},
		{"a product of a large number and a small one", times(large, small), true},
		{"a product of three, of which two may leave the range", times(times(mask, small), Of(3e9)), false},
		{"a product of three near 1", times(times(Of(3), Of(5)), Of(7)), true},
		{"a sum whose common factor leaves one beyond the range", plus(times(large, small), times(Of(1.9e38), small)),
			false},
		{"a sum of products near 1", plus(times(Of(3), Of(5)), times(Of(7), Of(5))), true},
		{"a quotient by one, of which a product may leave the range", over(Of(1e25), over(Of(1e20), Of(2e20))), false},
		{"a quotient of one, of which a product may leave the range", over(over(Of(1e30), Of(1e20)), Of(2e20)), false},
		{"a quotient by a product, of which a quotient may leave the range", over(large, times(Of(1e-20), Of(1e20))),
			false},
		{"a quotient by a far number", over(large, Of(1e20)), true},
		{"a quotient by a quotient near 1", over(Of(3), over(Of(5), Of(7))), true},
		{"a quotient by a sum", over(Of(1e20), plus(Of(1e20), Of(2e20))), true},
		{"a sum of two factors beyond the range", times(plus(large, Of(1.9e38)), small), false},
	} {
		if c.got.Known() != c.known {
			t.Errorf("%s: known is %t: %v", c.name, c.got.Known(), c.got)
		}
	}
}
