package hir

// Kind is a scalar type.
type Kind uint8

// The scalar types, integers by size and floating types last.
const (
	Void Kind = iota
	Bool
	Char
	UChar
	Short
	UShort
	Int
	UInt
	Long
	ULong
	Half
	BFloat
	Float
)

var kinds = [...]struct {
	name string
	size int
}{{"void", 0}, {"bool", 1}, {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4}, {"uint", 4},
	{"long", 8}, {"ulong", 8}, {"half", 2}, {"bfloat", 2}, {"float", 4}}

func (k Kind) Size() int      { return kinds[k].size }
func (k Kind) Align() int     { return max(1, kinds[k].size) }
func (k Kind) String() string { return kinds[k].name }

// IsInteger reports whether k is an integer type; bool is not.
func (k Kind) IsInteger() bool { return k >= Char && k <= ULong }

// IsSigned reports whether k is a signed integer type.
func (k Kind) IsSigned() bool { return k == Char || k == Short || k == Int || k == Long }

// IsFloat reports whether k is a floating type.
func (k Kind) IsFloat() bool { return k >= Half }
