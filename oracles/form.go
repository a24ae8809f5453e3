package oracles

// Operation is an operation that kernels compute in two forms. A contract says which forms it allows. An oracle depends
// on neither.
type Operation uint8

// The operations, with the form of the definition and the other one.
const (
	Division    Operation = iota // x/y; or x·(1/y), the reciprocal rounded
	Exponential                  // e^x and ln x; or 2^(x·log₂e) and log₂x·ln 2, the constants rounded
	Root                         // 1/√x by rsqrt; or by a square root and a division
	Sigmoid                      // 1/(1 + e^−x); or (1 + tanh(x/2))/2, which loses the tail
	Softplus                     // max(x, 0) + ln(1 + e^−|x|) with its tail; or ln(1 + e^x), which loses it
	Carry                        // a tile's own sums merged into a running state; or added to it term by term
	Products                     // factors multiplied as they are written; or in any order, sums multiplied out
	Softmax                      // the maximum before the weights; or a running maximum, and all sums rescaled with it

	operations int = iota
)

func (o Operation) String() string { return forms[o].name }

// form is how an operation is called, and its two forms.
type form struct {
	name              string
	definition, other string
	usual             Form // what a contract that says nothing allows
}

// forms are the words of declarations. Usual is what libraries for language models do
// without a word, and what costs a bound no more than a few roundings.
var forms = [operations]form{
	Division:    {"division", "quotient", "reciprocal", Either},
	Exponential: {"exponential", "exp", "exp2", Either},
	Root:        {"root", "rsqrt", "sqrt", Either},
	Sigmoid:     {"sigmoid", "exp", "tanh", Definition},
	Softplus:    {"softplus", "log1p", "log", Definition},
	Carry:       {"carry", "merged", "accumulated", Either},
	Products:    {"products", "as written", "regrouped", Either},
	Softmax:     {"softmax", "two passes", "online", Definition},
}

// word is what declarations call a form.
func (f form) word(x Form) string {
	if x == Usual {
		x = f.usual
	}
	if x == Either {
		return f.other
	}
	return f.definition
}

// Form says in which forms a kernel may compute an operation.
type Form uint8

const (
	Usual      Form = iota // what the catalogue takes it to be
	Definition             // the first only
	Either                 // the other too
)

// Forms are the forms of all operations.
type Forms [operations]Form

// either reports whether the other form of an operation is allowed too.
func (f Forms) either(o Operation) bool {
	form := f[o]
	if form == Usual {
		form = forms[o].usual
	}
	return form == Either
}
