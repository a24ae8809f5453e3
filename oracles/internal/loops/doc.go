// Package loops is the loops that the oracles spend their time in: closed forms of
// sums and of their errors, for many columns of a matrix at once.
//
// The rule of this layer: a [Table] holds the loops, and every table gives the same
// bits. [Portable] is written in Go, is the definition of each loop and runs
// everywhere; [Native] is the fastest table that this processor can run. No loop adds
// across columns: each column is evaluated in the order that an oracle declares, so that
// nothing depends on how many of them a processor takes at once. No product is fused with a
// sum. What the numbers mean is the oracles' business.
//
// A plane is one number for each column. Several planes lie one after the other in a slice,
// and all have as many columns, a multiple of [Width].
package loops

// Width is what the number of columns is a multiple of.
const Width = 4

// Padded is the least number of columns that is no less than n.
func Padded(n int) int { return (n + Width - 1) / Width * Width }

// Table is the loops of one kind of processor.
type Table struct {
	Name string

	// WeighInTurn adds up weighted values, row after row of them, and makes the planes of
	// [TilePlanes] in d. values has a row for each weight.
	WeighInTurn func(d, values []float64, weights []Weight, c *TileConstants)

	// WeighInAnyOrder is the same in an order left open, with two more planes: how many
	// additions an element passes, and what those may multiply an error by.
	WeighInAnyOrder func(d, values []float64, weights []Weight, c *TileConstants, depth []float64)

	// Carry makes the planes of [SumPlanes] of sums once a tile is in them, in next, of those
	// before and the tile's. least is the least error of both, and most the largest error or
	// size of a sum before.
	Carry func(next, sums, tile []float64, c *CarryConstants) (least, most float64)

	// Keep is Carry for a factor that is 1 for certain, which rounds nothing.
	Keep func(next, sums, tile []float64, c *CarryConstants) (least, most float64)

	// Weigh adds x·a + y·b to sums, and the sizes of the two products to magnitudes.
	Weigh func(sums, magnitudes, a, b []float64, x, y float64)

	// Compensated adds x·a to sums with Neumaier's corrections, and the sizes of the products to
	// magnitudes.
	Compensated func(sums, corrections, magnitudes, a []float64, x float64)

	// Scale multiplies a panel by a number, and makes the norms of [Table.Binades].
	Scale func(d *Norms, panel []float64, by float64, more *[Panel]float64)

	// Binades are the norms of a panel's columns, each element taken to be the power of two at or
	// below its size and one more number of its column.
	Binades func(d *Norms, panel []float64, more *[Panel]float64)

	// Update adds a column, multiplied by a number for each of the panel's, to the panel, and
	// says how large the elements of its columns are then.
	Update func(d *Sizes, panel, column []float64, by *[Panel]float64)

	// Dots are running sums of the products of a with [Panel] columns.
	Dots func(d *DotSums, a, grown, panel []float64, at []int)

	// Blocks are Dots of one lane after another, each of which takes as many elements of a as grown
	// has and as many rows of the panel; values and errors have a row for each lane, too.
	Blocks func(d *DotSums, values, errors, a, grown, panel []float64)

	// Tiles are running sums of the products of a with [Panel] columns that take some products at a
	// time.
	Tiles func(d *DotSums, a, panel []float64, tile int, c *DotTile)

	// Inner are the products of a with [Panel] columns, added in turn.
	Inner func(d *Inner, a, panel []float64)

	// Decay multiplies a panel by a number, and its columns with another.
	Decay func(d *Products, panel, column []float64, by float64)

	// Learn adds a column, multiplied by a number for each of the panel's, to the panel, and
	// multiplies its columns with another.
	Learn func(d *Products, panel, column, other []float64, by *[Panel]float64)

	// Solve adds to sums what earlier tokens of a chunk have to do with the solution of one.
	Solve func(d *ChunkSums, c []Coefficient, tokens []ChunkToken)

	// Reach adds to sums what tokens of a chunk have to do with an output.
	Reach func(d *ChunkSums, c []Coefficient, tokens []ChunkToken)

	// Forget takes a column, multiplied by a number for each of the panel's, from the panel, and
	// multiplies what is left with another column.
	Forget func(d *[Panel]float64, panel, column, before []float64, by *[Panel]float64)

	// Strides are the products of a panel's columns with another, as four running sums each that
	// take every fourth row, and the first those left over.
	Strides func(d *[Panel]float64, panel, column []float64)

	// Take adds errors of three kinds to those of one, the bounds and systematic parts by the first
	// weight of their kind, and the variances by the second. Both lie in strips of [Width] rows:
	// bounds, systematic parts and variances, kind after kind.
	Take func(d, errors []float64, weights *[3][2]float64)

	// Decayed takes the rounding of a panel's decay, given the norms of [Table.Scale], and says of which
	// rows that may be beyond the largest number, as bits.
	Decayed func(r *StepRows, own *Local, n *Norms, c *StepToken) (beyond int)

	// Updated takes what a token adds to a panel, given the panel's products with its key and how large
	// the panel's columns are then, until that is rounded.
	Updated func(r *StepRows, own *Local, y *Sums, s *Sizes, c *StepToken)

	// Rounded takes the last rounding of a token, given the norms of [Table.Binades], and says of which
	// rows a sum or a product may be beyond the largest number, as bits.
	Rounded func(r *StepRows, own *Local, n *Norms, c *StepToken) (beyond int)

	// Give makes what is passed to the outputs of a token, given the panel's products with its query, and
	// says of which rows that is not a number or its bound is not, as bits.
	Give func(p *Passed, r *StepRows, y *Sums, c *StepToken) (others int)

	// Sharpen puts what was carried in place of what outputs inherit, the bound and the moments each where it
	// is less.
	Sharpen func(p *Passed, carried *Origins, slack, deviations float64)

	// Gather adds up each column of a panel of numbers and that of their errors.
	Gather func(d *Gathered, values, errors []float64)

	// Open makes sums, in an order left open, of what was gathered, and says which columns are not what
	// it is for, as bits: where a term may be 0, or a number may be below or beyond what a format has.
	Open func(d *Sums, g *Gathered, c *OpenConstants) (others int)

	// Range adds to sums of products what their underflow and their scatter come to, given the sizes of
	// the factors, and says which columns are not finite or may not be, as bits; these it leaves as they are.
	Range func(d *Sums, of *DotSums, sizes *[Panel]float64, c *RangeConstants) (others int)
}

// Weight is what is known of a weight w: by what the size of a value, or its square, is to be
// multiplied.
type Weight struct {
	W, Scores  float64
	Error      float64
	Systematic float64
	Variance   float64 // by the square
	Rounded    float64 // by the sum that it makes
}

// TilePlanes are those of a tile's own sums.
const (
	TileValue = iota
	TileError
	TileVariance
	TileSystematic
	TileScores
	TileExponentials
	TileMagnitude
	TilePlanes
)

// TileConstants are what all columns of a tile share.
type TileConstants struct {
	U, Underflow float64
	SumU         float64
	SumScatter   float64
}

// SumPlanes are those of a carried sum.
const (
	SumValue = iota
	SumError
	SumVariance
	SumSystematic
	SumScores
	SumExponentials
	SumCarried
	SumPlanes
)

// CarryConstants are what all columns of carried sums share.
type CarryConstants struct {
	Factor, FactorError, FactorVariance, FactorSystematic float64

	FactorSquare float64 // of Factor + FactorSystematic
	U, Scatter   float64
	Merged       float64
	MergedFactor float64 // 1 + Merged
	Underflow    float64
	Added        float64 // relative errors and variances of terms added one by one
	AddedScatter float64
	Again        float64
}

// Panel is how many columns [Table.Dots] takes. A panel holds row after row of them.
const Panel = 8

// DotSums are running sums of products, with their errors, and what is added to: Σ|products|,
// the squares of products and of partial sums, and those of products alone.
type DotSums struct {
	Value, Error                 [Panel]float64
	Magnitude, Squares, Products [Panel]float64
}

// DotTile is what all tiles of a length n share: n, what all of its products and the sum before
// multiply an error of a rounding by, and what an error before grows by.
type DotTile struct{ Terms, Rounding, Grown float64 }

// Inner are sums of products, of their sizes and of their squares.
type Inner struct{ Value, Magnitude, Squares [Panel]float64 }

// Products are sums of products with Neumaier's correction, and of their sizes.
type Products struct{ Value, Correction, Size [Panel]float64 }

// Coefficient is what a token of a chunk is multiplied by: V with its error, |V| and the error,
// what is systematic, the variance, and how far a residual reaches, and its square.
type Coefficient struct{ V, Error, Most, Systematic, Variance, Reach, ReachSquare float64 }

// ChunkToken is what is known of a token in each column: the solution and a bound on the kernel's,
// and the residual with its variance and what of it is systematic.
type ChunkToken struct{ Solution, Top, Residual, Variance, Systematic [Panel]float64 }

// ChunkSums are what tokens add up to: errors, sizes and how far residuals reach, and of the terms
// themselves their sizes, their squares, what is systematic and the variance. [Table.Reach] has
// residuals among the others.
type ChunkSums struct{ Error, Most, Reached, Magnitude, Squares, Systematic, Variance [Panel]float64 }

// Norms are Σx² and Σx⁴ of columns, those of even and of odd rows apart.
type Norms struct{ Squares, Fourths [2][Panel]float64 }

// Sizes are Σx² and Σ|x| of columns, those of even and of odd rows apart, and max |x| of what is a
// number.
type Sizes struct {
	Squares, Totals [2][Panel]float64
	Peak            [Panel]float64
}

// Gathered is a sum with Neumaier's correction, Σ|x|, Σx², the sum of the errors, and the least of
// |x| less the error of x.
type Gathered struct{ Sum, Correction, Magnitude, Squares, Error, Least [Panel]float64 }

// Sums are sums, with bounds on their errors, and the variances and systematic parts of these.
type Sums struct{ Value, Error, Variance, Systematic [Panel]float64 }

// OpenConstants are what all columns of sums in an order left open share: what the sizes of all terms
// multiply, and what an error grows by; by what the mean square of sums is multiplied; the largest and the
// least number that are in range; and what the least term, times U, must not be below.
type OpenConstants struct{ Rounding, Grown, Scatter, Largest, Tiny, U, Least float64 }

// RangeConstants are what all columns of sums of products share: the error of an underflow, how many of
// them, and by what sizes of factors count among these; by what sizes of products grow until they are summed,
// the largest number that is in range, and by what squares scatter.
type RangeConstants struct{ Underflow, Terms, Factors, Grown, Largest, Scatter float64 }
