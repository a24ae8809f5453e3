package lower

import (
	"metalconform/metalrun/internal/hir"

	"metalconform/metalrun/internal/ir"
)

// whole lowers a function whose result depends on several components at once;
// nil if it is no such function.
func (c *builtinCall) whole() []ir.Reg {
	l := c.l
	switch c.e.Name {
	case "all":
		return []ir.Reg{l.reduce(ir.And, ir.Bool, c.args[0])}
	case "any":
		return []ir.Reg{l.reduce(ir.Or, ir.Bool, c.args[0])}
	case "dot":
		return []ir.Reg{c.dot(c.args[0], c.args[1])}
	case "cross":
		return c.cross(c.args[0], c.args[1])
	case "length_squared":
		return []ir.Reg{c.dot(c.args[0], c.args[0])}
	case "length":
		return []ir.Reg{c.length(c.args[0])}
	case "distance_squared":
		d := c.minus(c.args[0], c.args[1])
		return []ir.Reg{c.dot(d, d)}
	case "distance":
		return []ir.Reg{c.length(c.minus(c.args[0], c.args[1]))}
	case "normalize":
		return c.scaled(c.args[0], c.math("rsqrt", c.dot(c.args[0], c.args[0])))
	case "faceforward":
		return c.faceforward(c.args[0], c.args[1], c.args[2])
	case "reflect":
		i, n := c.args[0], c.args[1]
		twice := l.op(ir.Mul, c.t, c.number(2), c.dot(n, i))
		return c.minus(i, c.scaled(n, twice))
	case "refract":
		return c.refract(c.args[0], c.args[1], c.args[2][0])
	case "transpose":
		return transpose(c.e.Args[0].Type().(hir.Matrix), c.args[0])
	case "determinant":
		m := c.e.Args[0].Type().(hir.Matrix)
		return []ir.Reg{c.determinant(c.args[0], m.Cols)}
	}
	return nil
}

// reduce combines values from the first to the last.
func (l *lowerer) reduce(op ir.Op, t ir.Type, x []ir.Reg) ir.Reg {
	r := x[0]
	for _, y := range x[1:] {
		r = l.op(op, t, r, y)
	}
	return r
}

// dot adds the products in ascending order.
func (c *builtinCall) dot(x, y []ir.Reg) ir.Reg {
	products := make([]ir.Reg, len(x))
	for i := range x {
		products[i] = c.l.op(ir.Mul, c.t, x[i], y[i])
	}
	return c.l.reduce(ir.Add, c.t, products)
}

func (c *builtinCall) length(x []ir.Reg) ir.Reg { return c.math("sqrt", c.dot(x, x)) }

func (c *builtinCall) minus(x, y []ir.Reg) []ir.Reg {
	out := make([]ir.Reg, len(x))
	for i := range x {
		out[i] = c.l.op(ir.Sub, c.t, x[i], y[i])
	}
	return out
}

func (c *builtinCall) scaled(x []ir.Reg, s ir.Reg) []ir.Reg {
	out := make([]ir.Reg, len(x))
	for i := range x {
		out[i] = c.l.op(ir.Mul, c.t, x[i], s)
	}
	return out
}

// cross is (x₁y₂ - x₂y₁, x₂y₀ - x₀y₂, x₀y₁ - x₁y₀).
func (c *builtinCall) cross(x, y []ir.Reg) []ir.Reg {
	out := make([]ir.Reg, 3)
	for i := range out {
		j, k := (i+1)%3, (i+2)%3
		out[i] = c.l.op(ir.Sub, c.t, c.l.op(ir.Mul, c.t, x[j], y[k]), c.l.op(ir.Mul, c.t, x[k], y[j]))
	}
	return out
}

// faceforward is n if dot(nref, i) < 0, otherwise -n.
func (c *builtinCall) faceforward(n, i, nref []ir.Reg) []ir.Reg {
	l := c.l
	ahead := l.op(ir.FLt, ir.Bool, c.dot(nref, i), c.number(0))
	out := make([]ir.Reg, len(n))
	for j := range n {
		out[j] = l.op(ir.Select, c.t, ahead, n[j], l.op(ir.Neg, c.t, n[j]))
	}
	return out
}

// refract is eta·i - (eta·d + sqrt(k))·n with d = dot(n, i) and
// k = 1 - eta²·(1 - d²), and 0 if k < 0.
func (c *builtinCall) refract(i, n []ir.Reg, eta ir.Reg) []ir.Reg {
	l := c.l
	d := c.dot(n, i)
	sine := l.op(ir.Sub, c.t, c.number(1), l.op(ir.Mul, c.t, d, d))
	k := l.op(ir.Sub, c.t, c.number(1), l.op(ir.Mul, c.t, l.op(ir.Mul, c.t, eta, eta), sine))
	along := l.op(ir.Add, c.t, l.op(ir.Mul, c.t, eta, d), c.math("sqrt", k))
	total := l.op(ir.FLt, ir.Bool, k, c.number(0))
	out := c.minus(c.scaled(i, eta), c.scaled(n, along))
	for j := range out {
		out[j] = l.op(ir.Select, c.t, total, c.number(0), out[j])
	}
	return out
}

// transpose exchanges rows and columns.
func transpose(m hir.Matrix, x []ir.Reg) []ir.Reg {
	out := make([]ir.Reg, len(x))
	for col := range m.Cols {
		for row := range m.Rows {
			out[row*m.Cols+col] = x[col*m.Rows+row]
		}
	}
	return out
}

// determinant expands an n×n matrix along its first column.
func (c *builtinCall) determinant(m []ir.Reg, n int) ir.Reg {
	if n == 1 {
		return m[0]
	}
	var sum ir.Reg
	for row := range n {
		term := c.l.op(ir.Mul, c.t, m[row], c.determinant(minor(m, n, row), n-1))
		switch {
		case row == 0:
			sum = term
		case row%2 == 1:
			sum = c.l.op(ir.Sub, c.t, sum, term)
		default:
			sum = c.l.op(ir.Add, c.t, sum, term)
		}
	}
	return sum
}

// minor is an n×n matrix without its first column and one row.
func minor(m []ir.Reg, n, row int) []ir.Reg {
	var out []ir.Reg
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
func (l *lowerer) matrixProduct(tx, ty hir.Type, x, y []ir.Reg) []ir.Reg {
	t := registerType(scalarKind(tx))
	a, b := matrixShape(tx, true), matrixShape(ty, false)
	var out []ir.Reg
	for col := range b.Cols {
		for row := range a.Rows {
			var sum ir.Reg
			for k := range a.Cols {
				term := l.fusible(ir.Mul, t, x[k*a.Rows+row], y[col*b.Rows+k])
				if k == 0 {
					sum = term
				} else {
					sum = l.fusible(ir.Add, t, sum, term)
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
