package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// channels are the values that a softmax weighs: a row for each key, of all channels. Rows are
// padded by their last channel to what loops take.
type channels struct {
	v       []float64
	keys, n int
	stride  int
	even    bool      // every value is 0 or of a size from least to most
	dense   bool      // no value is 0
	column  []float64 // some values of one channel
	loops   *loops.Table
}

// What is between keeps products with weights away from the ends of f32's range.
const (
	leastValue = 0x1p-40
	mostValue  = 0x1p100
)

func newChannels(keys, n int) *channels {
	stride := loops.Padded(n)
	return &channels{v: make([]float64, keys*stride), keys: keys, n: n, stride: stride, loops: loops.Native()}
}

// take copies the rows of all keys.
func (c *channels) take(row func(key int) []float64) {
	c.even, c.dense = true, true
	for key := range c.keys {
		to := c.v[key*c.stride:][:c.stride]
		for i, x := range row(key) {
			size := math.Abs(x)
			to[i] = x
			if !(size >= leastValue && size <= mostValue) {
				c.even, c.dense = c.even && size == 0, c.dense && size != 0
			}
		}
		pad(to, c.n)
	}
}

// pad repeats the last of n numbers.
func pad(x []float64, n int) {
	for i := n; i < len(x); i++ {
		x[i] = x[n-1]
	}
}

// row is that of a key, padded.
func (c *channels) row(key int) []float64 { return c.v[key*c.stride:][:c.stride] }

// rows are those of n keys.
func (c *channels) rows(first, n int) []float64 {
	return c.v[first*c.stride:][:n*c.stride]
}

// at are n values of channel i from key first on, until it is called again.
func (c *channels) at(i, first, n int) []float64 {
	c.column = c.column[:0]
	for key := first; key < first+n; key++ {
		c.column = append(c.column, c.v[key*c.stride+i])
	}
	return c.column
}

// weigh adds the products of two weights or one, but for those that are 0, with the values
// of keys from one on to sums, and their sizes to magnitudes.
func (c *channels) weigh(sums, magnitudes, weights []float64, key int) {
	if len(weights) == 2 && weights[0] != 0 && weights[1] != 0 {
		c.loops.Weigh(sums, magnitudes, c.row(key), c.row(key+1), weights[0], weights[1])
		return
	}
	for i, w := range weights {
		if w == 0 {
			continue
		}
		for d, v := range c.row(key + i) {
			x := float64(w * v)
			sums[d] += x
			magnitudes[d] += math.Abs(x)
		}
	}
}
