package hir

import "metalconform/metalrun/internal/syntax"

// Program is a checked translation unit: its entry points and all that they reach.
type Program struct {
	Consumed          bool    // the bodies of entry points have been dropped
	Kernels           []*Func // in order of declaration or instantiation
	FunctionConstants []*FunctionConstant
	Constants         []*Var // variables of program scope with known contents, in order of declaration
	Warnings          syntax.ErrorList
}

// Kernel is the entry point with a host name, or nil.
func (p *Program) Kernel(name string) *Func {
	for _, k := range p.Kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// FunctionConstant is "constant T name [[function_constant(Index)]];". Its
// value is given when the program is checked; its Var is a constant-folded global.
type FunctionConstant struct {
	Name    string
	Index   int
	Type    Type
	Defined bool // a value was given
	Pos     syntax.Pos
	Var     *Var // reads of a constant that was not given a value load this; its Data is zero
}

// Func is one function, instance of a function template, or entry point.
type Func struct {
	Name   string     // host name of an entry point; otherwise the qualified name with template arguments
	Pos    syntax.Pos // of an instance that is an entry point, where it is instantiated
	Params []*Var
	Result Type
	Body   *Block
	Kernel *Kernel // nil unless an entry point
	Cycle  *Cycle  // not nil if the function may be called while it runs
	Inner  bool    // the body consists of statements of another function and uses its variables
	Depth  int     // how deep its expressions nest
}

// A Cycle is a set of functions that call each other. They share a stack.
type Cycle struct {
	Frames int    // the frames of the stack, one for each call under way
	Deeper string // the message for a call for which no frame is left
}

// Kernel is what makes a function an entry point. Args has one element per
// parameter of the function.
type Kernel struct {
	Threadgroup int // bytes of threadgroup variables, whether the kernel uses them or not
	Args        []KernelArg
	Declared    syntax.Pos // as a function, or as the template that it instantiates
	MaxThreads  int        // [[max_total_threads_per_threadgroup(n)]], 0 if absent
	Required    [3]int     // [[required_threads_per_threadgroup(x, y, z)]], zeros if absent
	// Work is what lowering the kernel costs, in steps of a [syntax.Budget].
	Work int
	// Instructions is the most that the kernel may become, with the functions that it calls.
	Instructions int
	// FastDivision says that the operator / is fast division, as unqualified functions are fast.
	FastDivision bool
	// Order is the number of the declaration in the file.
	Order int
}

// KernelArg says what a parameter of an entry point receives.
type KernelArg struct {
	Kind  ArgKind
	Index int    // in the table of its kind, given or assigned
	Count int    // the entries of an array of textures or samplers, 0 if it is not an array
	Slots []int  // of a texture: entries of the buffer table that no buffer has
	Texel Vector // of a texture
	Input string // the attribute of an InputArg, e.g. "thread_position_in_grid"
}

// Entries is the number of entries of the table that the argument takes.
func (a KernelArg) Entries() int { return max(1, a.Count) }

// ArgKind classifies kernel parameters.
type ArgKind uint8

// The kinds of parameters.
const (
	BufferArg      ArgKind = iota // device or constant pointer or reference
	ThreadgroupArg                // threadgroup pointer with [[threadgroup(n)]]
	InputArg                      // a value that identifies the thread or the grid
	ValueArg                      // a struct or scalar by value, "constant T x [[buffer(n)]]" without &
	TextureArg                    // a texture or an array of them
	TableArg                      // a table of functions, in the buffer table
	SamplerArg                    // a sampler or an array of them
	// excluded by [[function_constant(f)]] with f false, or without a value: a null pointer
	AbsentArg
)

// Var is a variable: local, parameter, threadgroup variable or program-scope constant.
//
// A reference (Ref) has the referent's type as Type and Space the
// referent's address space; its initialiser or argument is an lvalue, which it
// denotes for its whole life.
type Var struct {
	Name   string
	Pos    syntax.Pos
	Type   Type
	Space  Space // Thread for locals and value parameters
	Ref    bool
	Const  bool
	Global bool // program scope or static constexpr member
	Part   bool // the name of a part in a structured binding: a reference that has the part's own type
	// Data is the contents of a variable in constant space: Type.Size() bytes, little endian.
	// A const local whose value is known at compile time has it too, although a VarStmt with an
	// Init declares it.
	Data []byte
	// Decimal is what the text of the source says of a float with Data.
	Decimal syntax.Decimal
}
