package kernels

import (
	"fmt"
	"math"

	"metalconform/suite"
)

// limit is one rule on the shapes that a host may launch.
type limit func(suite.Shape) error

// limits accepts a shape that every rule accepts; otherwise the first rule
// that does not tells why.
//
//go:noinline
func limits(rules ...limit) func(suite.Shape) error {
	return func(s suite.Shape) error {
		for _, r := range rules {
			if err := r(s); err != nil {
				return err
			}
		}
		return nil
	}
}

// atLeast refuses an axis below n.
//
//go:noinline
func atLeast(n int, axes ...suite.Axis) limit {
	return func(s suite.Shape) error {
		for _, a := range axes {
			if got := a.Size(s); got < n {
				return fmt.Errorf("%s is %d, must be at least %d", a, got, n)
			}
		}
		return nil
	}
}

// atMost refuses an axis above n.
//
//go:noinline
func atMost(n int, axes ...suite.Axis) limit {
	return func(s suite.Shape) error {
		for _, a := range axes {
			if got := a.Size(s); got > n {
				return fmt.Errorf("%s is %d, must be at most %d", a, got, n)
			}
		}
		return nil
	}
}

// exactly refuses any value but n.
func exactly(n int, axes ...suite.Axis) limit {
	return func(s suite.Shape) error {
		for _, a := range axes {
			if got := a.Size(s); got != n {
				return fmt.Errorf("%s is %d, must be %d", a, got, n)
			}
		}
		return nil
	}
}

// notAbove refuses a value of a above that of b.
func notAbove(a, b suite.Axis) limit {
	return func(s suite.Shape) error {
		if x, y := a.Size(s), b.Size(s); x > y {
			return fmt.Errorf("%s is %d, must be at most %s = %d", a, x, b, y)
		}
		return nil
	}
}

// multiple refuses a value of a that that of b does not divide.
func multiple(a, b suite.Axis) limit {
	return func(s suite.Shape) error {
		if x, y := a.Size(s), b.Size(s); x%y != 0 {
			return fmt.Errorf("%s is %d, must be a multiple of %s = %d", a, x, b, y)
		}
		return nil
	}
}

// multipleOf refuses a value of a that n does not divide.
func multipleOf(n int, a suite.Axis) limit {
	return func(s suite.Shape) error {
		if x := a.Size(s); x%n != 0 {
			return fmt.Errorf("%s is %d, must be a multiple of %d", a, x, n)
		}
		return nil
	}
}

// countable refuses shapes whose product of axes passes 2³² − 1, the largest
// number of elements that a u32 counts. It expects values above 0.
func countable(axes ...suite.Axis) limit {
	return func(s suite.Shape) error {
		n := 1
		for i, a := range axes {
			if x := a.Size(s); n > math.MaxUint32/x {
				return fmt.Errorf("%v is more than %d elements", axes[:i+1], uint32(math.MaxUint32))
			}
			n *= a.Size(s)
		}
		return nil
	}
}
