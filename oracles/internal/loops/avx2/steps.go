package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Fields of loops.StepRows, of a panel each.
const (
	rowError = iota
	rowVariance
	rowSystematic
	rowLength
	rowPeak
	rowTotal
	rowShrunk
	rowValue
	rowBy
	rowNear
	rowReads
	rowMost
)

// Fields of loops.StepToken.
const (
	tokenDecay = iota
	tokenMost
	tokenMostSquare
	tokenDecayError
	tokenDecayVariance
	tokenDecayOfAll
	tokenDecayBias
	tokenTiny
	tokenBase
	tokenLargest
	tokenU
	tokenScatter
	tokenUnderflow
	tokenUnderflowBase
	tokenKey
	tokenKeySquare
	tokenBeta
	tokenBetaSquare
	tokenBetaRounding
	tokenKeyRounding
	tokenRowGamma
	tokenGrowth
	tokenGrowthSquare
	tokenBetaMost
	tokenKeyMost
	tokenKeyFourth
	tokenSlack
	tokenQuery
	tokenQuerySquare
	tokenAcross
	tokenAcrossError
	tokenAcrossVariance
	tokenAcrossSystematic
	tokenUnderflows
)

// Kinds and numbers of loops.Local.
const (
	solved, along, spread                      = 0, 1, 2
	localBound, localSystematic, localVariance = 0, 1, 2
)

// step is where a loop over the rows of a panel has what it reads and writes, in one half.
type step struct {
	half        int
	rows, token Register
	mask        vector
}

// plane is a field of a panel of numbers.
func (s *step) plane(base Register, i int) Mem {
	return Mem{Base: base, Disp: (halves*i + s.half) * bytes}
}

func (s *step) row(i int) Mem { return s.plane(s.rows, i) }

func (s *step) of(i int) vector { return repeated(Mem{Base: s.token, Disp: 8 * i}) }

func (s *step) local(own Register, kind, number int) Mem {
	return Mem{Base: own, Disp: ((s.half*3+kind)*3 + number) * bytes}
}

// norms are the roots of what even and odd rows of a panel add up to, of their squares and fourth powers.
func (s *step) norms(n Register) (length, fourth vector) {
	return root(add(load(s.plane(n, 0)), s.plane(n, 1))), root(add(load(s.plane(n, 2)), s.plane(n, 3)))
}

// stepping writes a loop over both halves of a panel that gives a list of bits, or nothing.
func stepping(name, parameters string, lists bool, body func(s *step, list GPVirtual)) {
	result := ""
	if lists {
		result = " int"
	}
	TEXT(name, NOSPLIT, "func("+parameters+")"+result)
	s := &step{rows: pointer("r"), token: pointer("c"), mask: signless()}
	list := GP64()
	if lists {
		XORQ(list, list)
	}
	for s.half = range halves {
		body(s, list)
	}
	if lists {
		Store(list, ReturnIndex(0))
	}
	VZEROUPPER()
	RET()
}

// stepLoops write the loops over what is known of the rows of a panel.
func stepLoops() {
	stepping("avxDecayed", "r, own, n, c *float64", true, decayed)
	stepping("avxUpdated", "r, own, y, sizes, c *float64", false, updated)
	stepping("avxRounded", "r, own, n, c *float64", true, rounded)
	stepping("avxGive", "p, r, y, c *float64", true, given)
	sharpened()
}

func decayed(s *step, list GPVirtual) {
	own := pointer("own")
	length, fourth := s.norms(pointer("n"))
	e, size, peak := load(s.row(rowError)), load(s.row(rowLength)), load(s.row(rowPeak))
	most := s.of(tokenMost)
	others(list, compare(mul(most, add(peak, e)), s.of(tokenLargest), notAbove), s.half)
	VMOVUPD(mul(most, size), s.row(rowShrunk))
	underflow := mul(s.of(tokenTiny), add(add(s.of(tokenBase), size), e))
	bound := add(add(mul(s.of(tokenDecayError), add(size, e)), mul(s.of(tokenU), length)), underflow)
	systematic := add(mul(s.of(tokenDecayBias), size), underflow)
	zero := zeros()
	for number := range 3 {
		VMOVUPD(zero, s.local(own, solved, number))
		VMOVUPD(zero, s.local(own, along, number))
	}
	scattered := mul(s.of(tokenScatter), fourth)
	VMOVUPD(add(scattered, mul(mul(s.of(tokenDecayOfAll), size), size)), s.local(own, spread, localVariance))
	VMOVUPD(bound, s.local(own, spread, localBound))
	VMOVUPD(systematic, s.local(own, spread, localSystematic))
	VMOVUPD(add(mul(s.of(tokenDecay), e), bound), s.row(rowError))
	VMOVUPD(add(mul(most, s.row(rowSystematic)), systematic), s.row(rowSystematic))
	variance := add(mul(mul(s.of(tokenScatter), peak), peak), s.row(rowVariance))
	VMOVUPD(add(mul(s.of(tokenMostSquare), variance), mul(mul(s.of(tokenDecayVariance), size), size)),
		s.row(rowVariance))
}

func updated(s *step, _ GPVirtual) {
	own, y, sizes := pointer("own"), pointer("y"), pointer("sizes")
	length := root(add(load(s.plane(sizes, 0)), s.plane(sizes, 1)))
	total, peak := add(load(s.plane(sizes, 2)), s.plane(sizes, 3)), load(s.plane(sizes, 4))
	VBLENDVPD(compare(total, total, unordered), total, peak, peak)
	VMOVUPD(length, s.row(rowLength))
	VMOVUPD(total, s.row(rowTotal))
	VMOVUPD(peak, s.row(rowPeak))

	size, diff := abs(load(s.row(rowBy)), s.mask), abs(sub(load(s.row(rowValue)), s.plane(y, 0)), s.mask)
	carried := mul(s.of(tokenKey), s.row(rowError))
	eta := mul(s.of(tokenUnderflow), add(add(add(s.of(tokenUnderflowBase), length), s.of(tokenBeta)), size))
	rho := add(add(mul(s.of(tokenRowGamma), carried), s.plane(y, 1)), eta)
	eu := add(add(rho, mul(s.of(tokenU), add(add(diff, rho), carried))), eta)
	taken := add(add(diff, eu), carried)
	eb := add(add(mul(s.of(tokenBeta), eu), mul(s.of(tokenBetaRounding), taken)), eta)
	VMOVUPD(eb, s.local(own, solved, localBound))
	one := repeatedBits(math.Float64bits(1))
	VMOVUPD(mul(mul(greater(one, taken), s.of(tokenBetaMost)), s.of(tokenKeyMost)), s.row(rowMost))
	VMOVUPD(add(mul(s.of(tokenKey), s.row(rowShrunk)), carried), s.row(rowReads))
	each := mul(s.of(tokenKeyRounding), add(add(size, eb), mul(s.of(tokenBeta), carried)))
	growth := s.of(tokenGrowth)
	VMOVUPD(add(add(add(mul(growth, s.row(rowError)), mul(s.of(tokenKey), eb)), each), eta), s.row(rowNear))
	VMOVUPD(add(add(mul(growth, s.local(own, spread, localBound)), each), eta), s.local(own, spread, localBound))
	VMOVUPD(add(mul(growth, s.local(own, spread, localSystematic)), eta), s.local(own, spread, localSystematic))

	systematic := add(mul(s.of(tokenBeta), add(add(eta, eta), s.plane(y, 3))), eta)
	VMOVUPD(systematic, s.local(own, solved, localSystematic))
	VMOVUPD(add(add(mul(growth, s.row(rowSystematic)), mul(s.of(tokenKey), systematic)), eta), s.row(rowSystematic))
	by, scatter := load(s.row(rowBy)), s.of(tokenScatter)
	product := mul(mul(scatter, by), by)
	variance := add(mul(s.of(tokenBetaSquare), add(mul(mul(scatter, diff), diff), s.plane(y, 2))), product)
	VMOVUPD(variance, s.local(own, solved, localVariance))
	all := add(mul(s.of(tokenGrowthSquare), s.row(rowVariance)), mul(s.of(tokenKeySquare), add(variance, product)))
	VMOVUPD(add(all, mul(mul(scatter, peak), peak)), s.row(rowVariance))
}

func rounded(s *step, list GPVirtual) {
	own := pointer("own")
	length, fourth := s.norms(pointer("n"))
	last := mul(s.of(tokenU), length)
	e := mul(add(last, s.row(rowNear)), s.of(tokenSlack))
	VMOVUPD(e, s.row(rowError))
	largest := s.of(tokenLargest)
	good := both(compare(load(s.row(rowReads)), largest, noMore), compare(load(s.row(rowMost)), largest, noMore))
	others(list, both(good, compare(add(e, s.row(rowPeak)), largest, noMore)), s.half)
	VMOVUPD(add(last, s.local(own, spread, localBound)), s.local(own, spread, localBound))
	by, key := load(s.row(rowBy)), s.of(tokenKeyFourth)
	scattered := mul(s.of(tokenScatter), add(fourth, mul(mul(mul(by, by), key), key)))
	VMOVUPD(add(scattered, s.local(own, spread, localVariance)), s.local(own, spread, localVariance))
}

func given(s *step, list GPVirtual) {
	p, y := pointer("p"), pointer("y")
	number := func(x float64) vector { return repeatedBits(math.Float64bits(x)) }
	o, gain := load(s.plane(y, 0)), abs(load(s.row(rowBy)), s.mask)
	size, part := abs(o, s.mask), abs(mul(gain, s.of(tokenAcross)), s.mask)
	tiny := s.of(tokenUnderflows)

	across := mul(gain, s.of(tokenAcrossSystematic))
	VMOVUPD(add(add(add(across, across), tiny), s.plane(y, 3)), s.plane(p, 5))
	across = mul(mul(gain, gain), s.of(tokenAcrossVariance))
	variance := load(s.plane(y, 2))
	geometric := root(mul(variance, across))
	squares := add(mul(mul(number(5), o), o), mul(mul(number(6), part), part))
	variance = add(add(add(variance, across), add(geometric, geometric)), across)
	VMOVUPD(add(variance, mul(s.of(tokenScatter), squares)), s.plane(p, 4))

	roundings := add(mul(number(3), size), mul(number(4), part))
	more := mul(add(mul(add(gain, gain), s.of(tokenAcrossError)), mul(s.of(tokenU), roundings)), s.of(tokenSlack))
	e := add(add(more, tiny), s.plane(y, 1))
	query := s.of(tokenQuery)
	inherited := mul(query, s.row(rowError))
	own := add(e, mul(s.of(tokenRowGamma), inherited))
	inRange := compare(add(mul(query, s.row(rowLength)), inherited), s.of(tokenLargest), noMore)
	infinite := number(math.Inf(1))
	VBLENDVPD(inRange, own, infinite, own)
	VMOVUPD(inherited, s.plane(p, 0))
	VMOVUPD(own, s.plane(p, 3))
	VMOVUPD(mul(s.of(tokenQuerySquare), s.row(rowVariance)), s.plane(p, 1))
	VMOVUPD(mul(query, s.row(rowSystematic)), s.plane(p, 2))
	good := both(compare(size, number(math.MaxFloat64), noMore), compare(inherited, infinite, noMore))
	others(list, both(good, compare(own, infinite, noMore)), s.half)
}

// sharpened writes the loop that takes what is less.
func sharpened() {
	TEXT("avxSharpen", NOSPLIT, "func(p, carried *float64, slack, deviations float64)")
	p, carried := pointer("p"), pointer("carried")
	slack, deviations := parameter("slack"), parameter("deviations")
	most, zero := repeatedBits(math.Float64bits(math.MaxFloat64)), zeros()
	for half := range halves {
		s := &step{half: half}
		of := func(number int) Mem { return Mem{Base: carried, Disp: (3*half + number) * bytes} }
		bound := load(s.plane(p, 0))
		could := both(compare(bound, zero, above), compare(bound, most, noMore))
		sharp := lesser(mul(slack, of(localBound)), bound)
		VBLENDVPD(could, sharp, bound, bound)
		VMOVUPD(bound, s.plane(p, 0))
		systematic, variance := load(of(localSystematic)), load(of(localVariance))
		oldSystematic, oldVariance := load(s.plane(p, 2)), load(s.plane(p, 1))
		likely, old := add(systematic, mul(deviations, root(variance))),
			add(oldSystematic, mul(deviations, root(oldVariance)))
		less := both(could, compare(old, likely, above))
		VBLENDVPD(less, systematic, oldSystematic, oldSystematic)
		VBLENDVPD(less, variance, oldVariance, oldVariance)
		VMOVUPD(oldSystematic, s.plane(p, 2))
		VMOVUPD(oldVariance, s.plane(p, 1))
	}
	VZEROUPPER()
	RET()
}
