package hir

import "metalconform/metalrun/internal/syntax"

// A Cycle is functions that lead back to each other.
type Cycle struct {
	Frames int    // that its stack has, one for each call under way
	Deeper string // what is to be said of a call that has none
}

// Program is a checked translation unit: its entry points and all that they reach.
type Program struct {
	Kernels           []*Func // in order of declaration or instantiation
	FunctionConstants []*FunctionConstant
	Constants         []*Var // variables of program scope with known contents, in order of declaration
	Warnings          syntax.ErrorList
}

// Kernel finds an entry point by host name, or nil.
func (p *Program) Kernel(name string) *Func {
	for _, k := range p.Kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// FunctionConstant is "constant T name [[function_constant(Index)]];". Its
// value is given at check time (Config); its Var is a constant-folded global.
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
	Cycle  *Cycle  // that it is part of: it may be called while it runs
	Inner  bool    // what stands in it are statements of another function, whose variables it uses
	Depth  int     // expressions of it in each other
}

// Kernel is what makes a function an entry point. Args has one element per
// parameter of the function.
type Kernel struct {
	Args       []KernelArg
	Declared   syntax.Pos // as a function, or as the template that it instantiates
	MaxThreads int        // [[max_total_threads_per_threadgroup(n)]], 0 if absent
	Required   [3]int     // [[required_threads_per_threadgroup(x, y, z)]], zeros if absent
	// Work is what lowering it takes, in steps of a [syntax.Budget].
	Work int
	// Instructions are as many as it may become, with those of the functions that it calls.
	Instructions int
	// FastDivision: the operator / is fast division, as are unqualified functions.
	FastDivision bool
	Order        int // of its declaration, for several checkers
}

// KernelArg says what a parameter of an entry point receives.
type KernelArg struct {
	Kind  ArgKind
	Index int    // in its table, given or assigned
	Count int    // entries that an array of textures or samplers takes, 0 for one
	Slots []int  // of textures: entries of the buffer table that no buffer has
	Texel Vector // of textures
	Input string // the builtin's attribute for Input, e.g. "thread_position_in_grid"
}

func (a KernelArg) Entries() int { return max(1, a.Count) }

// ArgKind classifies kernel parameters.
type ArgKind uint8

const (
	BufferArg      ArgKind = iota // device or constant pointer or reference
	ThreadgroupArg                // threadgroup pointer with [[threadgroup(n)]]
	InputArg                      // a value that identifies the thread or the grid
	ValueArg                      // struct or scalar by value in the buffer table ("constant T x [[buffer(n)]]" without &)
	TextureArg                    // a texture or an array of them
	TableArg                      // a table of functions, in the buffer table
	SamplerArg                    // a sampler or an array of them
	AbsentArg                     // excluded by [[function_constant(f)]] with f false, or without a value: a null pointer
)

// Var is a variable: local, parameter, threadgroup variable or program-scope constant.
//
// A Reference variable (Ref) has the referent's type as Type and Space the
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
	// Data is the contents of a Constant-space variable, little endian,
	// len = Type.Size(). Const locals whose value is known at compile time have
	// it too; they are declared by a VarStmt with an Init all the same.
	Data []byte
}

// Targets are the functions of one type whose address is taken; number n is List[n-1]. They
// are complete once the program is.
type Targets struct{ List []*Func }
