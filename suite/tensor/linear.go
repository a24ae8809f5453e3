package tensor

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// MatMul is the product over the last axis of a and the last but one of b, as NumPy's @: axes before those are
// broadcast, and a vector is a row on the left and a column on the right. work, if not nil, is told how many operations
// there are before they are done, and may refuse; add, if not nil, is how a sum takes up a product.
func MatMul(a, b *Tensor, work func(operations int) error, add func(sum, product float64) float64) (*Tensor, error) {
	if len(a.shape) == 0 || len(b.shape) == 0 {
		return nil, fmt.Errorf("matmul: %s and %s: numbers have no product of matrices", spell(a.shape), spell(b.shape))
	}
	left, right := a, b
	if len(a.shape) == 1 {
		left = &Tensor{shape: []int{1, a.shape[0]}, data: a.data}
	}
	if len(b.shape) == 1 {
		right = &Tensor{shape: []int{b.shape[0], 1}, data: b.data}
	}
	la, lb := len(left.shape)-2, len(right.shape)-2
	m, k, n := left.shape[la], left.shape[la+1], right.shape[lb+1]
	if right.shape[lb] != k {
		return nil, fmt.Errorf("matmul: %s and %s: %d columns and %d rows%s", spell(a.shape), spell(b.shape), k,
			right.shape[lb], transposed(right.shape, k))
	}
	batch, err := common("matmul", []*Tensor{{shape: left.shape[:la]}, {shape: right.shape[:lb]}})
	if err != nil {
		return nil, err
	}
	// Eight multiplications of a row take as long as an operation does elsewhere, and to begin a row as long as two.
	if err := ask(work, append(slices.Clone(batch), m, k, n),
		func(products int) int { return products/8 + 2*(products/max(1, n)) }); err != nil {
		return nil, err
	}
	if left, err = left.Broadcast(append(slices.Clone(batch), m, k)...); err != nil {
		return nil, err
	}
	if right, err = right.Broadcast(append(slices.Clone(batch), k, n)...); err != nil {
		return nil, err
	}
	r, err := Full(0, append(slices.Clone(batch), m, n)...)
	if err != nil {
		return nil, err
	}
	if m > 0 && n > 0 && k > 0 {
		for i := range len(r.data) / (m * n) {
			taken := add
			if taken == nil &&
				slices.ContainsFunc(right.data[i*k*n:(i+1)*k*n], func(y float64) bool { return y-y != 0 }) {
				// Gemm leaves out what is multiplied by zero
				taken = func(sum, product float64) float64 { return sum + product }
			}
			if taken != nil {
				multiply(left.data[i*m*k:], right.data[i*k*n:], r.data[i*m*n:], m, k, n, taken)
				continue
			}
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1,
				blas64.General{Rows: m, Cols: k, Stride: k, Data: left.data[i*m*k : (i+1)*m*k]},
				blas64.General{Rows: k, Cols: n, Stride: n, Data: right.data[i*k*n : (i+1)*k*n]}, 0,
				blas64.General{Rows: m, Cols: n, Stride: n, Data: r.data[i*m*n : (i+1)*m*n]})
		}
	}
	shape := batch
	if len(a.shape) > 1 {
		shape = append(shape, m)
	}
	if len(b.shape) > 1 {
		shape = append(shape, n)
	}
	return r.Reshape(shape...)
}

// ask asks whether as many products may be made as a shape has elements, in as many operations.
func ask(work func(operations int) error, shape []int, operations func(products int) int) error {
	products := 1
	for _, d := range shape {
		if d > 0 && products > maxSteps/d {
			return fmt.Errorf("the shape %s has more than %d products: take it in parts", spell(shape), maxSteps)
		}
		products *= d
	}
	if work == nil {
		return nil
	}
	return work(operations(products))
}

// transposed says what may be meant where the rows of a right operand are not k: its transpose.
func transposed(shape []int, k int) string {
	order := make([]int, len(shape))
	for i := range order {
		order[i] = i
	}
	last := len(shape) - 1
	order[last-1], order[last] = last, last-1
	turned := fmt.Sprintf("transpose(x, %s)", strings.ReplaceAll(fmt.Sprint(order), " ", ", "))
	switch {
	case shape[last] == k:
		return "; the right one transposed has as many rows: " + turned
	case last > 1 && slices.Contains(shape[:last-1], k):
		return "; .T turns the order of all axes, the last two alone are turned by " + turned
	}
	return ""
}

// multiply adds a product of matrices up step by step.
func multiply(a, b, c []float64, m, k, n int, add func(sum, product float64) float64) {
	for i := range m {
		for l := range k {
			x, row := a[i*k+l], b[l*n:][:n]
			for j, y := range row {
				c[i*n+j] = add(c[i*n+j], float64(x*y))
			}
		}
	}
}

// Outer is the product of each element of a with each of b.
func Outer(a, b *Tensor) (*Tensor, error) {
	r, err := Full(0, len(a.data), len(b.data))
	if err != nil {
		return nil, err
	}
	for i, x := range a.data {
		row := r.data[i*len(b.data):][:len(b.data)]
		for j, y := range b.data {
			row[j] = x * y
		}
	}
	return r, nil
}

// Einsum is a sum of products in Einstein's notation, such as "ij,jk->ik": letters that the result lacks are summed
// over. Without an arrow the result has the letters that stand once, in order of the alphabet. "..." stands for further
// axes, which the result then has, too, ahead of the others where there is no arrow. work and add are those of
// [MatMul].
func Einsum(notation string, work func(operations int) error, add func(sum, product float64) float64,
	operands ...*Tensor) (*Tensor, error) {
	inputs, output, arrow := strings.Cut(strings.ReplaceAll(notation, " ", ""), "->")
	terms := strings.Split(inputs, ",")
	if len(terms) != len(operands) {
		return nil, fmt.Errorf("einsum: %q takes %d tensors, not %d", notation, len(terms), len(operands))
	}
	terms, output, operands, err := named(terms, output, arrow, operands)
	if err != nil {
		return nil, err
	}
	lengths, times := map[rune]int{}, map[rune]int{}
	for i, term := range terms {
		if len(term) != len(operands[i].shape) {
			return nil, fmt.Errorf("einsum: %q names %d axes, %s has %d", term, len(term), spell(operands[i].shape),
				len(operands[i].shape))
		}
		for j, letter := range term {
			if letter < 'A' || letter > 'z' || letter > 'Z' && letter < 'a' {
				return nil, fmt.Errorf("einsum: %q: %q is no letter", notation, letter)
			}
			d := operands[i].shape[j]
			if n, ok := lengths[letter]; ok && n != d {
				return nil, fmt.Errorf("einsum: %q: %c is %d and %d long", notation, letter, n, d)
			}
			lengths[letter] = d
			times[letter]++
		}
	}
	letters := make([]rune, 0, len(lengths))
	for letter := range lengths {
		letters = append(letters, letter)
	}
	slices.Sort(letters)
	if !arrow {
		for _, letter := range letters {
			if times[letter] == 1 && !strings.ContainsRune(output, letter) {
				output += string(letter)
			}
		}
	}
	return contract(notation, terms, []rune(output), letters, lengths, operands, work, add)
}

// contract walks over the letters of the result, then over those that are summed.
func contract(notation string, terms []string, output, letters []rune, lengths map[rune]int, operands []*Tensor,
	work func(operations int) error, add func(sum, product float64) float64) (*Tensor, error) {
	var shape, kept []int
	order := slices.Clone(output)
	for i, letter := range output {
		d, ok := lengths[letter]
		if !ok || slices.Index(output, letter) != i {
			return nil, fmt.Errorf("einsum: %q: %c of the result has to stand in an operand, and once in the result",
				notation, letter)
		}
		kept = append(kept, d)
	}
	for _, letter := range letters {
		if !slices.Contains(output, letter) {
			order = append(order, letter)
		}
	}
	for _, letter := range order {
		shape = append(shape, lengths[letter])
	}
	if _, err := count(kept); err != nil {
		return nil, err
	}
	if err := ask(work, shape, func(products int) int { return products * (2 + len(operands)/2) }); err != nil {
		return nil, fmt.Errorf("einsum: %q: %w", notation, err)
	}
	r, err := Full(0, kept...)
	if err != nil || slices.Contains(shape, 0) {
		return r, err
	}
	w := walk{shape: shape, at: make([]int, len(shape)), index: make([]int, len(operands))}
	for i, term := range terms {
		w.strides = append(w.strides, strideOf(term, order, operands[i]))
	}
	inner := 1
	for _, d := range shape[len(kept):] {
		inner *= d
	}
	for i := range r.data {
		for range inner {
			product := 1.0
			for o, t := range operands {
				product *= t.data[w.index[o]]
			}
			if add != nil {
				r.data[i] = add(r.data[i], product)
			} else {
				r.data[i] += product
			}
			w.next()
		}
	}
	return r, nil
}

// maxSteps bounds the products of one operation.
const maxSteps = 1 << 40

// strideOf are the strides of an operand by letter; one that stands twice is its diagonal.
func strideOf(term string, order []rune, t *Tensor) []int {
	strides := make([]int, len(order))
	for i, letter := range order {
		stride := 1
		for j := len(term) - 1; j >= 0; j-- {
			if rune(term[j]) == letter {
				strides[i] += stride
			}
			stride *= t.shape[j]
		}
	}
	return strides
}
