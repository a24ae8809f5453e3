package ir

import (
	"metalconform/metalrun/internal/hir"
)

// whole lowers a function whose result depends on several components at once;
// nil if it is no such function.
func (c *builtinCall) whole() []Reg {
	l := c.l
	switch c.e.Name {
	case "all":
		return []Reg{l.reduce(And, Bool, c.args[0])}
	case "any":
		return []Reg{l.reduce(Or, Bool, c.args[0])}
	case "dot":
		return []Reg{c.dot(c.args[0], c.args[1])}
	case "cross":
		return c.cross(c.args[0], c.args[1])
	case "length_squared":
		return []Reg{c.dot(c.args[0], c.args[0])}
	case "length":
		return []Reg{c.length(c.args[0])}
	case "distance_squared":
		d := c.minus(c.args[0], c.args[1])
		return []Reg{c.dot(d, d)}
	case "distance":
		return []Reg{c.length(c.minus(c.args[0], c.args[1]))}
	case "normalize":
		return c.scaled(c.args[0], c.math("rsqrt", c.dot(c.args[0], c.args[0])))
	case "faceforward":
		return c.faceforward(c.args[0], c.args[1], c.args[2])
	case "reflect":
		i, n := c.args[0], c.args[1]
		twice := l.op(Mul, c.t, c.number(2), c.dot(n, i))
		return c.minus(i, c.scaled(n, twice))
	case "refract":
		return c.refract(c.args[0], c.args[1], c.args[2][0])
	case "transpose":
		return transpose(c.e.Args[0].Type().(hir.Matrix), c.args[0])
	case "determinant":
		m := c.e.Args[0].Type().(hir.Matrix)
		return []Reg{c.determinant(c.args[0], m.Cols)}
	}
	return nil
}

// reduce combines values from the first to the last.
func (l *lowerer) reduce(op Op, t Type, x []Reg) Reg {
	r := x[0]
	for _, y := range x[1:] {
		r = l.op(op, t, r, y)
	}
	return r
}

// dot adds the products in ascending order.
func (c *builtinCall) dot(x, y []Reg) Reg {
	products := make([]Reg, len(x))
	for i := range x {
		products[i] = c.l.op(Mul, c.t, x[i], y[i])
	}
	return c.l.reduce(Add, c.t, products)
}

func (c *builtinCall) length(x []Reg) Reg { return c.math("sqrt", c.dot(x, x)) }

func (c *builtinCall) minus(x, y []Reg) []Reg {
	out := make([]Reg, len(x))
	for i := range x {
		out[i] = c.l.op(Sub, c.t, x[i], y[i])
	}
	return out
}

func (c *builtinCall) scaled(x []Reg, s Reg) []Reg {
	out := make([]Reg, len(x))
	for i := range x {
		out[i] = c.l.op(Mul, c.t, x[i], s)
	}
	return out
}

// cross is (x₁y₂ - x₂y₁, x₂y₀ - x₀y₂, x₀y₁ - x₁y₀).
func (c *builtinCall) cross(x, y []Reg) []Reg {
	out := make([]Reg, 3)
	for i := range out {
		j, k := (i+1)%3, (i+2)%3
		out[i] = c.l.op(Sub, c.t, c.l.op(Mul, c.t, x[j], y[k]), c.l.op(Mul, c.t, x[k], y[j]))
	}
	return out
}

// faceforward is n if dot(nref, i) < 0, otherwise -n.
func (c *builtinCall) faceforward(n, i, nref []Reg) []Reg {
	l := c.l
	ahead := l.op(FLt, Bool, c.dot(nref, i), c.number(0))
	out := make([]Reg, len(n))
	for j := range n {
		out[j] = l.op(Select, c.t, ahead, n[j], l.op(Neg, c.t, n[j]))
	}
	return out
}

// refract is eta·i - (eta·d + sqrt(k))·n with d = dot(n, i) and
// k = 1 - eta²·(1 - d²), and 0 if k < 0.
func (c *builtinCall) refract(i, n []Reg, eta Reg) []Reg {
	l := c.l
	d := c.dot(n, i)
	sine := l.op(Sub, c.t, c.number(1), l.op(Mul, c.t, d, d))
	k := l.op(Sub, c.t, c.number(1), l.op(Mul, c.t, l.op(Mul, c.t, eta, eta), sine))
	along := l.op(Add, c.t, l.op(Mul, c.t, eta, d), c.math("sqrt", k))
	total := l.op(FLt, Bool, k, c.number(0))
	out := c.minus(c.scaled(i, eta), c.scaled(n, along))
	for j := range out {
		out[j] = l.op(Select, c.t, total, c.number(0), out[j])
	}
	return out
}

// transpose exchanges rows and columns.
func transpose(m hir.Matrix, x []Reg) []Reg {
	out := make([]Reg, len(x))
	for col := range m.Cols {
		for row := range m.Rows {
			out[row*m.Cols+col] = x[col*m.Rows+row]
		}
	}
	return out
}

// determinant expands an n×n matrix along its first column.
func (c *builtinCall) determinant(m []Reg, n int) Reg {
	if n == 1 {
		return m[0]
	}
	var sum Reg
	for row := range n {
		term := c.l.op(Mul, c.t, m[row], c.determinant(minor(m, n, row), n-1))
		switch {
		case row == 0:
			sum = term
		case row%2 == 1:
			sum = c.l.op(Sub, c.t, sum, term)
		default:
			sum = c.l.op(Add, c.t, sum, term)
		}
	}
	return sum
}

// minor is an n×n matrix without its first column and one row.
func minor(m []Reg, n, row int) []Reg {
	var out []Reg
	for col := 1; col < n; col++ {
		for r := range n {
			if r != row {
				out = append(out, m[col*n+r])
			}
		}
	}
	return out
}

// matrixProduct is matrix × matrix, matrix × column or row × matrix. Products
// are added in ascending order of the common index.
func (l *lowerer) matrixProduct(tx, ty hir.Type, x, y []Reg) []Reg {
	t := registerType(scalarKind(tx))
	a, b := matrixShape(tx, true), matrixShape(ty, false)
	var out []Reg
	for col := range b.Cols {
		for row := range a.Rows {
			var sum Reg
			for k := range a.Cols {
				term := l.fusible(Mul, t, x[k*a.Rows+row], y[col*b.Rows+k])
				if k == 0 {
					sum = term
				} else {
					sum = l.fusible(Add, t, sum, term)
				}
			}
			out = append(out, sum)
		}
	}
	return out
}

// matrixShape is the shape of an operand: a vector on the left is a row, on
// the right a column.
func matrixShape(t hir.Type, left bool) hir.Matrix {
	switch t := t.(type) {
	case hir.Matrix:
		return t
	case hir.Vector:
		if left {
			return hir.Matrix{Elem: t.Elem, Cols: t.N, Rows: 1}
		}
		return hir.Matrix{Elem: t.Elem, Cols: 1, Rows: t.N}
	}
	panic("ir: " + t.String() + " is no operand of a matrix product")
}
