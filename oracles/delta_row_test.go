package oracles

import "math"

// rowBudget carries ‖ŝ − s‖₂ of one row through the tokens, as a [deltaPanel] does those of eight: the formulas are
// derived there.
type rowBudget struct {
	*deltaHead
	*arithmetic
	read, out *dotter
	exact     bool    // everything so far was exact integers
	open      bool    // an intermediate of finite numbers may have overflowed
	eps       float64 // ‖ŝ − s‖₂
	row       moments // of ŝ − s: variance Λ, and the norm of what is systematic
	rowSize
	shrunk float64  // ‖α·s‖₂
	gain   float64  // |β·u|
	dot    approx   // S·k of the current token, on the exact decayed row
	across []approx // k·q by token
	bound  float64  // Σ|s_j·k_j| of it
	near   float64  // error of s + b·k before it is rounded
	reads  float64  // bound on the partial sums of S·k
	most   float64  // bound on products of some of β, û and k
	own    local    // what the token adds to ŝ − s

	rowGamma float64 // (n+1)·u·(1+u)^{n+1} of a row
}

// rowSize is how large a row is: ‖s‖₂, max |s_j| and Σ|s_j|.
type rowSize struct{ length, peak, total float64 }

func (b *rowBudget) start(s []float64) {
	b.eps, b.exact, b.open, b.row = 0, isInteger(s...), false, moments{}
	b.length, b.peak, b.total = sizes(s)
	if b.narrow() && !b.exact {
		b.eps = float64(b.u * b.length)
		b.row.systematic = b.eps
	}
}

// decayed takes the rounding of α·s, given the norms of the powers of two below its elements.
func (b *rowBudget) decayed(t int, length, fourth float64) {
	a := b.alpha[t]
	largest, n := math.Abs(a.v)+a.e, float64(b.Dk)
	b.shrunk = float64(largest * b.length)
	b.own = local{}
	switch {
	case b.open:
	case float64(largest*(b.peak+b.eps)) > b.largest:
		b.open = true
	case a == exactly(0):
		b.eps, b.row = 0, moments{}
	case a != exactly(1):
		underflow := float64(math.Sqrt(n) * b.eta * (1 + largest + b.length + b.eps))
		b.own.spread = origin{float64(a.e*(b.length+b.eps)) + float64(b.u*length) + underflow, moments{
			float64(b.scatter*fourth) + float64(math.Sqrt(n)*a.variance*b.length*b.length),
			float64(a.systematic*b.length) + underflow,
		}}
		b.eps = float64(math.Abs(a.v)*b.eps) + b.own.spread.bound
		b.row.variance = float64(largest*largest*(b.row.variance+float64(b.scatter*b.peak*b.peak))) +
			float64(a.variance*b.length*b.length)
		b.row.systematic = float64(largest*b.row.systematic) + b.own.spread.systematic
	}
}

// off is by how much the kernel's α·s_j may be larger than it is.
func (b *rowBudget) off(t int) float64 {
	a := b.alpha[t]
	return float64(a.e*b.peak) + float64((math.Abs(a.v)+a.e)*b.eps)
}

// updated takes the rest of the token, given β·u and how large the row is after it, until that is rounded.
func (b *rowBudget) updated(t, i int, bu float64, now rowSize) {
	kappa, beta, v := b.norms[t], math.Abs(b.beta[t]), b.V[b.tokenIndex(t, i)]
	b.gain = math.Abs(bu)
	before := b.length
	b.rowSize = now
	if b.exact = b.exact && b.integral[t] && isInteger(v) && b.eps == 0 &&
		b.largestInteger(t, v, before) <= 1/b.u; b.exact {
		b.near = 0
		return
	}
	carried := float64(kappa * b.eps)
	diff := math.Abs(v - b.dot.v)
	eta := float64(b.eta * float64(b.Dk) * (4 + kappa + b.length + beta + math.Abs(bu)))
	rho := b.dot.e + float64(b.rowGamma*carried) + eta
	eu := rho + float64(b.u*(diff+rho+carried)) + eta
	if b.narrow() { // v, β and k in the format
		eu += float64(b.u * (math.Abs(v) + diff + math.Abs(bu)))
	}
	eb := float64(beta*eu) + float64(b.u*beta*(diff+eu+carried)) + eta
	growth := b.growth(t)
	each := float64(b.u * kappa * (math.Abs(bu) + eb + float64(beta*carried)))
	if b.narrow() { // k in the format
		each *= 2
	}
	b.near = float64(growth*b.eps) + float64(kappa*eb) + each + eta
	// Products of some of β, û and k, and sums.
	b.most = max(1, diff+eu+carried) * max(1, beta) * max(1, b.keyPeaks[t])
	b.reads = float64(kappa*b.shrunk) + carried
	along := moments{
		float64(beta*beta*(b.dot.variance+float64(b.scatter*diff*diff))) + float64(b.scatter*bu*bu),
		float64(beta*(b.dot.systematic+float64(2*eta))) + eta,
	}
	b.row.variance = float64(growth*growth*b.row.variance) +
		float64(kappa*kappa*(along.variance+float64(b.scatter*bu*bu))) + float64(b.scatter*b.peak*b.peak)
	b.row.systematic = float64(growth*b.row.systematic) + float64(kappa*along.systematic) + eta
	b.own.solved = origin{eb, along}
	b.own.spread = origin{float64(growth*b.own.spread.bound) + each + eta, moments{
		b.own.spread.variance, float64(growth*b.own.spread.systematic) + eta,
	}}
}

// rounded takes the last rounding of a token, of s + b·k, given the norms of the powers of two
// below its elements.
func (b *rowBudget) rounded(t int, bu, length, fourth float64) {
	if b.exact {
		return
	}
	last := float64(b.u * length)
	b.eps = float64((b.near + last) * slack)
	sums := max(b.reads, b.peak+b.eps)
	b.open = b.open || finite(b.length) && !(sums <= b.largest && b.most <= b.largest)
	b.own.spread.bound += last
	b.own.spread.variance += float64(b.scatter * (fourth + float64(bu*bu*b.keyFourths[t]*b.keyFourths[t])))
}

// largestInteger bounds what the token's sums and products come to, given v and the norm of
// the row before it.
func (b *rowBudget) largestInteger(t int, v, before float64) float64 {
	read := math.Abs(v) + b.bound
	return max(read, float64(math.Abs(b.beta[t])*read*max(1, b.keyPeaks[t]))+b.peak+before)
}

// output is what an output inherits and its own sum y, and how the error of that comes about.
func (b *rowBudget) output(t int, y approx) (inherited, own float64, made moments) {
	o := y.v
	switch {
	case !b.open && !finite(o):
		return openUnlessFinite(o, 0), 0, moments{}
	case !b.open && b.exact && b.out.extent.magnitude+float64(2*b.gain*absoluteDot(b.k[t], b.q[t])) <= 1/b.u:
		return 0, 0, moments{}
	}
	sum, length := b.multipliedOut(y, b.across[t]), b.queryNorms[t]
	if b.open {
		return math.Inf(1), sum.e, moments{}
	}
	inherited = float64(length * b.eps)
	own = sum.e + float64(b.rowGamma*inherited)
	if !(float64(length*b.length)+inherited <= b.largest) {
		own = math.Inf(1)
	}
	return known(o, inherited), known(o, own), sum.moments
}

// multipliedOut is S·q, given k·q, if a kernel may multiply it out.
func (b *rowBudget) multipliedOut(o, across approx) approx {
	if !b.may(Products) || b.open {
		return o
	}
	apart := across.scaled(b.gain)
	part := math.Abs(b.gain * across.v)
	roundings := float64(3*math.Abs(o.v)) + float64(4*part)
	o.e += float64((float64(2*b.gain*across.e)+float64(b.u*roundings))*slack) + float64(4*b.eta)
	o.systematic += float64(2*apart.systematic) + float64(4*b.eta)
	squares := float64(5*o.v*o.v) + float64(6*part*part)
	o.variance = minkowski(o.variance, apart.variance) + apart.variance + float64(b.scatter*squares)
	return o
}
