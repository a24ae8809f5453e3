package hir

// Op is an operator on values of equal type.
type Op uint8

// The operators. LAnd and LOr of scalars do not evaluate Y where X decides; of vectors they work
// component by component.
const (
	Add Op = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	LAnd
	LOr
	Neg    // unary -
	Not    // unary ~
	LNot   // unary !
	MatMul // Matrix×Matrix, Matrix×Vector (column), Vector (row)×Matrix; operand types differ
)

var opTexts = [...]string{
	Add: "+", Sub: "-", Mul: "*", Div: "/", Rem: "%", And: "&", Or: "|", Xor: "^", Shl: "<<", Shr: ">>",
	Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", LAnd: "&&", LOr: "||", Neg: "-", Not: "~", LNot: "!",
	MatMul: "*",
}

// String is the operator as MSL spells it.
func (o Op) String() string { return opTexts[o] }
