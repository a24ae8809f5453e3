package oracles

import "math"

// channels are the values that a softmax weighs, channel by channel: [D][S].
type channels struct {
	channel
	keys  int
	even  bool // every value is 0 or of a size from least to most
	dense bool // no value is 0
}

// What is between keeps products with weights away from the ends of f32's range.
const (
	leastValue = 0x1p-40
	mostValue  = 0x1p100
)

func newChannels(keys, n int) *channels {
	all := func() []float64 { return make([]float64, keys*n) }
	return &channels{channel: channel{all(), all(), all()}, keys: keys}
}

// channel are values of one channel, their sizes and squares.
type channel struct{ v, sizes, squares []float64 }

// take copies the rows of all keys.
func (c *channels) take(row func(key int) []float64) {
	c.even, c.dense = true, true
	for key := range c.keys {
		at := key
		for _, x := range row(key) {
			size := math.Abs(x)
			c.v[at], c.sizes[at], c.squares[at] = x, size, float64(x*x)
			at += c.keys
			if !(size >= leastValue && size <= mostValue) {
				c.even, c.dense = c.even && size == 0, c.dense && size != 0
			}
		}
	}
}

// at are n values of channel i from key first on.
func (c *channels) at(i, first, n int) channel {
	from := i*c.keys + first
	to := from + n
	return channel{c.v[from:to], c.sizes[from:to], c.squares[from:to]}
}
