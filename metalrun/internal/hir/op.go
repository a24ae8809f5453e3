package hir

// Op is an operator on values of equal type.
type Op uint8

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
	LAnd   // scalar bool: short-circuit; boolN: element by element
	LOr    // likewise
	Neg    // unary
	Not    // unary ~
	LNot   // unary !
	MatMul // Matrix×Matrix, Matrix×Vector (column), Vector (row)×Matrix; operand types differ
)

func (o Op) String() string {
	return [...]string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "-", "~", "!", "*"}[o]
}
