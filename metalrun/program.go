package metalrun

// KernelInfo is what the front end knows of one entry point.
type KernelInfo struct {
	Name                    string // host name
	Position                Position
	Args                    []ArgInfo
	StaticThreadgroupMemory int // bytes of threadgroup variables declared in the body
	MaxThreads              int // max_total_threads_per_threadgroup, 0 if not given
	// Inputs are the positions, indices and sizes of thread and grid that the body
	// makes use of, those with several components one by one:
	// thread_position_in_grid.x, thread_index_in_simdgroup. To load or store a
	// simdgroup_matrix takes the latter.
	Inputs []string
	// Collective says that the threads of a simdgroup or of a quad execute something
	// together: reductions, shuffles, votes, matrices.
	Collective bool
}

// ArgInfo is one entry of a kernel's argument table.
type ArgInfo struct {
	Name     string
	Kind     ArgKind
	Index    int    // [[buffer(n)]] or [[threadgroup(n)]], given or assigned in declaration order
	Type     string // pointee as MSL spells it
	Size     int    // bytes of the pointee
	Align    int
	Writable bool
	Constant bool // in the constant address space
	// Reference says that it is one object, by reference or by value. A pointer is
	// to the first of any number.
	Reference bool
	Fields    []FieldInfo // scalars of the pointee in ascending order; none of void and of an empty struct
}

// FieldInfo is a run of scalars in what an argument points to: a member of it, or
// all of it if it is no struct. Vectors, matrices and arrays of them are one run,
// in which vectors of three have a fourth scalar that is padding unless they are
// packed. Elements of an array of structs are listed one after the other with the
// same names.
//
// Unions, and structs that have more than 4096 runs, are described as words: uint,
// or ushort or uchar where the alignment is less than 4 bytes.
type FieldInfo struct {
	Name   string // with the structs around it: rope.base; "" if the pointee is no struct
	Type   string // of one scalar as MSL spells it: uint, bfloat, atomic_int; that under an enumeration
	Offset int    // bytes from the beginning of the pointee
	Size   int    // bytes of one scalar
	Count  int    // scalars, without gaps
}

// ArgKind is the table an argument is bound in.
type ArgKind uint8

const (
	BufferArg ArgKind = iota
	ThreadgroupArg
)
