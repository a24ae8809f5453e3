package metalrun

// KernelInfo is what the front end knows of one entry point.
type KernelInfo struct {
	Name                    string // host name
	Position                Position
	Args                    []ArgInfo
	StaticThreadgroupMemory int // bytes of threadgroup variables declared in the body
	MaxThreads              int // max_total_threads_per_threadgroup, 0 if not given
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
}

// ArgKind is the table an argument is bound in.
type ArgKind uint8

const (
	BufferArg ArgKind = iota
	ThreadgroupArg
)
