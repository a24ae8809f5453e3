package types

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// inputRule is what a parameter with the attribute of a builtin input may be.
type inputRule struct {
	vector bool   // may have two or three components
	grid   bool   // its component count has to agree with the others of this kind
	peers  string // inputs of one such word have one type
	name   string // the input it is, if the attribute is an older name
}

// inputs are the attributes that make a parameter receive a position or a size.
var inputs = map[string]*inputRule{
	"thread_position_in_grid":             {vector: true, grid: true, peers: "grid"},
	"threads_per_grid":                    {vector: true, grid: true, peers: "grid"},
	"thread_position_in_threadgroup":      {vector: true, grid: true, peers: "threadgroup"},
	"threads_per_threadgroup":             {vector: true, grid: true, peers: "threadgroup"},
	"dispatch_threads_per_threadgroup":    {vector: true, grid: true, peers: "threadgroup"},
	"threadgroup_position_in_grid":        {vector: true, grid: true},
	"threadgroups_per_grid":               {vector: true, grid: true},
	"grid_origin":                         {vector: true, grid: true, peers: "grid"},
	"grid_size":                           {vector: true, grid: true, peers: "grid"},
	"thread_index_in_threadgroup":         {},
	"thread_index_in_simdgroup":           {},
	"thread_index_in_quadgroup":           {},
	"simdgroup_index_in_threadgroup":      {},
	"quadgroup_index_in_threadgroup":      {},
	"simdgroups_per_threadgroup":          {},
	"quadgroups_per_threadgroup":          {},
	"threads_per_simdgroup":               {},
	"thread_execution_width":              {name: "threads_per_simdgroup"},
	"dispatch_simdgroups_per_threadgroup": {},
	"dispatch_quadgroups_per_threadgroup": {},
}

// tableSize is the number of entries of the buffer and of the threadgroup table.
const tableSize = 31

// tables are the argument tables with their numbers of entries.
var tables = []struct {
	name string
	size int
}{{"buffer", tableSize}, {"threadgroup", tableSize}, {"texture", 128}, {"sampler", 16}}

func sizeOf(table string) int {
	for _, t := range tables {
		if t.name == table {
			return t.size
		}
	}
	return 0
}

func attribute(attrs []*syntax.Attr, name string) *syntax.Attr {
	for _, a := range attrs {
		if a.Name == name && (a.Scope == "" || a.Scope == "metal") {
			return a
		}
	}
	return nil
}

// attrIndex is the argument of an attribute such as buffer(3).
func (c *checker) attrIndex(a *syntax.Attr, most int64) (int, bool) {
	if len(a.Args) != 1 {
		c.errorf(a.Pos(), codeAttribute, "[[%s]] takes one argument", a.Name)
		return 0, false
	}
	n, ok := c.constInt(a.Args[0], "the index of "+a.Name)
	if !ok {
		return 0, false
	}
	if n < 0 || n > most {
		c.errorf(a.Args[0].Pos(), codeIndexLimit, "got %s index %d, want 0 to %d", a.Name, n, most)
		return 0, false
	}
	return int(n), true
}

// entryPoint checks the signature of a kernel and adds it to the program.
// Instances have their own attributes.
func (c *checker) entryPoint(r *routine, attrs []*syntax.Attr, pos syntax.Pos, instance *syntax.Instantiation) {
	if r.result.typ != hir.Void || r.result.ref {
		c.errorf(pos, codeKernelResult, "got a kernel that returns %s, want void", r.result)
		return
	}
	if attribute(attrs, "kernel") != nil && !c.since(230, pos, "[[kernel]]") {
		return
	}
	k := &hir.Kernel{FastDivision: c.cfg.FastFunctions, Order: c.worker.at, Threadgroup: r.threadgroup}
	ok := true
	if instance != nil {
		ok = c.kernelAttributes(k, attrs)
	}
	ctx := c.context
	ctx.scope = r.scope // the attributes of a template may name its parameters
	c.in(ctx, func() { ok = ok && c.kernelAttributes(k, r.def.Attrs) })
	if !ok {
		return
	}
	args, ok := c.kernelArgs(r)
	if !ok {
		return
	}
	k.Args, k.Declared = args, r.fn.Pos
	fn := r.fn
	if instance != nil {
		own := *r.fn
		fn = &own
		c.calls[fn], c.bound[fn] = c.calls[r.fn], c.bound[r.fn]
		fn.Pos = pos
	}
	fn.Name = r.of.scope.path + r.of.name
	fn.Kernel = k
	if !c.hostName(fn, attrs, pos, instance == nil) {
		return
	}
	c.prog.Kernels = append(c.prog.Kernels, fn)
}

// wanted reports whether an entry point is to be looked at: name is what it is called unless
// [[host_name]] says otherwise.
func (c *checker) wanted(attrs []*syntax.Attr, name string) bool {
	if a := attribute(attrs, "host_name"); a != nil && len(a.Args) == 1 {
		if s, ok := a.Args[0].(*syntax.StringLit); ok {
			name = s.Value
		}
	}
	return (c.cfg.Entries == nil || slices.Contains(c.cfg.Entries, name)) && c.worker.claim()
}

// longestName bounds what reports, files and tables have to show of an entry point: MLX's
// longest name has 117 bytes.
const longestName = 1024

// hostName gives an entry point the name that [[host_name]] asks for; names
// that are given twice are refused.
func (c *checker) hostName(fn *hir.Func, attrs []*syntax.Attr, pos syntax.Pos, plain bool) bool {
	given := plain
	if a := attribute(attrs, "host_name"); a != nil {
		if len(a.Args) != 1 {
			c.errorf(a.Pos(), codeAttribute, "[[host_name]] takes a string")
			return false
		}
		s, ok := a.Args[0].(*syntax.StringLit)
		if !ok || s.Value == "" {
			c.errorf(a.Args[0].Pos(), codeAttribute, "[[host_name]] takes a string")
			return false
		}
		if strings.ContainsFunc(s.Value, func(r rune) bool { return !unicode.IsPrint(r) }) ||
			!utf8.ValidString(s.Value) {
			c.errorf(a.Args[0].Pos(), codeAttribute, "[[host_name]] takes a name that can be printed, got %q", s.Value)
			return false
		}
		fn.Name, given, pos = s.Value, true, a.Pos()
	}
	if !given {
		return true
	}
	if len(fn.Name) > longestName {
		c.errorf(pos, codeAttribute,
			"the name of an entry point has %d bytes, want at most %d, whatever the flags: give it a shorter host_name",
			len(fn.Name), longestName)
		return false
	}
	if old, dup := c.hosts[fn.Name]; dup {
		c.errorf(pos, codeDuplicateKernel, "redefinition of the entry point '%s'", fn.Name).Note(old,
			"previous definition is here")
		return false
	}
	c.hosts[fn.Name] = pos
	return true
}

// kernelAttributes reads the attributes of the function itself.
func (c *checker) kernelAttributes(k *hir.Kernel, attrs []*syntax.Attr) bool {
	for _, a := range attrs {
		if a.Scope == "gnu" {
			continue // it is ignored
		}
		switch a.Name {
		case "max_total_threads_per_threadgroup":
			n, ok := c.attrIndex(a, math.MaxInt32)
			if !ok {
				return false
			}
			c.checkThreads(a, n)
			if n == 0 {
				c.errorf(a.Pos(), codeIndexLimit, "a threadgroup has at least one thread")
				return false
			}
			k.MaxThreads = min(n, mostThreads)
		case "required_threads_per_threadgroup":
			if !c.requiredThreads(k, a) {
				return false
			}
		case "kernel", "host_name":
		default:
			if inputs[a.Name] != nil || a.Name == "buffer" || a.Name == "threadgroup" {
				c.errorf(a.Pos(), codeAttribute, "[[%s]] belongs to a parameter", a.Name)
				return false
			}
		}
	}
	return true
}

// requiredThreads reads [[required_threads_per_threadgroup(x, y, z)]].
func (c *checker) requiredThreads(k *hir.Kernel, a *syntax.Attr) bool {
	if !c.since(400, a.Pos(), "[["+a.Name+"]]") {
		return false
	}
	if len(a.Args) < 1 || len(a.Args) > 3 {
		c.errorf(a.Pos(), codeAttribute, "[[%s]] takes up to three extents", a.Name)
		return false
	}
	k.MaxThreads, k.Required = 1, [3]int{1, 1, 1}
	for i, x := range a.Args {
		n, ok := c.constInt(x, "an extent of "+a.Name)
		if !ok {
			return false
		}
		if n < 1 || n > mostThreads {
			c.errorf(x.Pos(), codeIndexLimit, "got extent %d of a threadgroup, want 1 to 1024", n)
			return false
		}
		k.Required[i] = int(n)
		k.MaxThreads *= int(n)
	}
	c.checkThreads(a, k.MaxThreads)
	k.MaxThreads = min(k.MaxThreads, mostThreads)
	return true
}

// mostThreads are the threads that a threadgroup can have.
const mostThreads = 1024

// checkThreads warns of an attribute that asks for more threads than a threadgroup can have: it compiles.
func (c *checker) checkThreads(a *syntax.Attr, n int) {
	if n > mostThreads {
		c.warnf(a.Pos(), codeNeverRuns, "no GPU runs this: [[%s]] asks for %d threads in a threadgroup, which has at "+
			"most %d", a.Name, n, mostThreads)
	}
}

// kernelArgs classifies the parameters and gives those without one an index.
func (c *checker) kernelArgs(r *routine) ([]hir.KernelArg, bool) {
	params := r.def.Params
	args := make([]hir.KernelArg, len(params))
	explicit := make([]bool, len(params))
	ok := true
	ctx := c.context
	ctx.scope = r.scope
	c.in(ctx, func() {
		for i, p := range params {
			good := false
			args[i], explicit[i], good = c.kernelArg(p, r.params[i])
			ok = ok && good
		}
		ok = ok && c.duplicateIndices(params, args, explicit)
	})
	if !ok {
		return nil, false
	}
	ok = c.assignIndices(params, args, explicit)
	ok = c.inputWidths(r.def.Name.Pos(), bodyPos(r.def), params, args, r.params) && ok
	ctx.scope = r.scope
	c.in(ctx, func() {
		for i, p := range params {
			if c.excluded(p) {
				args[i].Kind = hir.AbsentArg
			}
		}
	})
	return args, ok
}

// kernelArg classifies one parameter; explicit tells that it has an index.
func (c *checker) kernelArg(p *syntax.Param, q qual) (arg hir.KernelArg, explicit, ok bool) {
	table, ok := c.argKind(p, q)
	if !ok {
		return arg, false, false
	}
	arg.Kind = table
	if r := c.resource(q.typ); r.entries > 0 {
		arg.Count, arg.Texel = r.entries, r.texel
	}
	for _, a := range p.Attrs {
		switch {
		case inputs[a.Name] != nil:
			if table != hir.InputArg {
				c.errorf(a.Pos(), codeAttribute, "[[%s]] is for a value, not for %s", a.Name, q)
				return arg, false, false
			}
			arg.Input = a.Name
			if n := inputs[a.Name].name; n != "" {
				arg.Input = n
			}
		case sizeOf(a.Name) > 0:
			if tableOf(table) != a.Name {
				c.errorf(a.Pos(), codeAttribute, "[[%s]] does not go with a parameter of type %s", a.Name, q)
				return arg, false, false
			}
			n, open, good := c.argIndex(a)
			if !good {
				return arg, false, false
			}
			arg.Index, explicit = n, !open
		case a.Name == "function_constant":
			if !c.guard(a) {
				return arg, false, false
			}
		case slices.Contains(stageAttributes, a.Name) && a.Scope == "":
			c.errorf(a.Pos(), codeUnknownAttribute, "the attribute [[%s]] is not supported on a parameter of a kernel",
				a.Name)
			return arg, false, false
		}
	}
	return arg, explicit, true
}

// argIndex is the index that an attribute gives an argument. It is open, and given like
// that of an argument without attribute, if it depends on a function constant without a value.
func (c *checker) argIndex(a *syntax.Attr) (n int, open, ok bool) {
	find := func() { n, ok = c.attrIndex(a, int64(sizeOf(a.Name)-1)) }
	if c.eval.Assuming(func() { c.attempt(find) }) {
		return 0, true, true
	}
	if !ok {
		find() // and say why
	}
	return n, false, ok
}

// functionAttributes belong to a function. Behind its parameters [[…]] belongs to its type.
var functionAttributes = []string{
	"max_total_threads_per_threadgroup", "required_threads_per_threadgroup", "host_name", "kernel", "visible",
	"stitchable",
	"maybe_unused", "nodiscard", "noreturn", "deprecated", "always_inline", "noinline", "optnone",
}

// argKind says from type and attributes what a parameter receives.
func (c *checker) argKind(p *syntax.Param, q qual) (hir.ArgKind, bool) {
	object := q
	ptr, isPtr := q.typ.(*hir.Pointer)
	switch {
	case q.ref:
	case isPtr:
		object = pointee(ptr)
	default:
		return c.valueArgKind(p, q)
	}
	if t := c.localPointer(object.typ); t != nil {
		c.errorf(p.Type.Pos(), codeKernelArgument,
			"%s holds %s: a buffer can hold pointers to device and constant memory alone", object.typ, t)
		return 0, false
	}
	if t := hir.Find(object.typ, func(t hir.Type) bool { _, ok := t.(hir.SimdMatrix); return ok }); t != nil {
		c.errorf(p.Type.Pos(), codeSimdgroupMatrix,
			"%s is spread over the threads of a simdgroup and cannot lie in a buffer", t)
		return 0, false
	}
	if c.derived(p, object.typ) || isVoid(object.typ) && q.ref ||
		object.typ != hir.Void && !c.complete(plain(object.typ), p.Type.Pos()) {
		return 0, false
	}
	switch object.space {
	case syntax.Device, syntax.Constant:
		return hir.BufferArg, true
	case syntax.Threadgroup:
		return hir.ThreadgroupArg, true
	}
	c.errorf(p.Pos(), codeKernelArgumentSpace,
		"got a parameter in address space %s, want device, constant or threadgroup in the signature of a kernel",
		object.space)
	return 0, false
}

// localPointer is a pointer in t to memory of a thread or a threadgroup, which no host can fill; nil if there is none.
func (c *checker) localPointer(t hir.Type) hir.Type {
	return hir.Find(t, func(t hir.Type) bool {
		p, ok := t.(*hir.Pointer)
		return ok && p.Space != syntax.Device && p.Space != syntax.Constant
	})
}

// derived reports, with an error, that t is a struct with bases: kernels take none.
func (c *checker) derived(p *syntax.Param, t hir.Type) bool {
	s, ok := t.(*hir.Struct)
	if !ok || c.structs[s] == nil || len(c.structs[s].bases) == 0 {
		return false
	}
	c.errorf(p.Pos(), codeKernelArgument, "an argument of a kernel cannot be of a derived type: got %s", s)
	return true
}

// A resource is what an argument receives that is no buffer.
type resource struct {
	kind    hir.ArgKind
	entries int // of its table; 0: it is no resource
	texel   hir.Vector
}

// resource says what an argument of type t receives.
func (c *checker) resource(t hir.Type) resource {
	s, ok := t.(*hir.Struct)
	if !ok || c.structs[s] == nil || c.prelude == nil {
		return resource{}
	}
	if c.stdArray(s) {
		a := s.Fields[0].Type.(*hir.Array)
		r := c.resource(a.Elem)
		r.entries *= a.Len
		return r
	}
	if e, ok := c.prelude.names["sampler"].(*typeEntity); ok && e.q.typ == t {
		return resource{kind: hir.SamplerArg, entries: 1}
	}
	if t := c.structs[s].template; t != nil && entity(t) == c.prelude.names["visible_function_table"] {
		return resource{kind: hir.TableArg, entries: 1}
	}
	for _, b := range c.structs[s].bases {
		if b.template == nil || entity(b.template) != c.prelude.names["__texture"] {
			continue
		}
		texel, _ := b.scope.names["texel"].(*typeEntity).q.typ.(hir.Vector)
		return resource{hir.TextureArg, 1, texel}
	}
	return resource{}
}

func (c *checker) valueArgKind(p *syntax.Param, q qual) (hir.ArgKind, bool) {
	if r := c.resource(q.typ); r.entries > 0 {
		return r.kind, true
	}
	for _, a := range p.Attrs {
		switch rule := inputs[a.Name]; {
		case rule != nil:
			return hir.InputArg, c.inputType(a, rule, q)
		case slices.Contains(stageAttributes, a.Name) && a.Scope == "":
			c.errorf(a.Pos(), codeUnknownAttribute, "the attribute [[%s]] is not supported on a parameter of a kernel",
				a.Name)
			return 0, false
		}
	}
	s, isStruct := q.typ.(*hir.Struct)
	if !isStruct || q.space != syntax.NoSpace && q.space != syntax.Constant || attribute(p.Attrs, "buffer") == nil {
		c.errorf(p.Pos(), codeKernelArgument,
			"invalid type %s for input declaration in a kernel function: %s has no attribute that Metal knows and "+
				"that says what it receives; data comes as constant %s &", spelled(q.typ), p.Name, q.typ)
		return 0, false
	}
	if c.derived(p, s) {
		return 0, false
	}
	if t := c.localPointer(s); t != nil {
		c.errorf(p.Pos(), codeKernelArgument,
			"%s holds %s: an argument can hold pointers to device and constant memory alone", s, t)
		return 0, false
	}
	return hir.ValueArg, true
}

// inputType checks the type of a builtin input.
func (c *checker) inputType(a *syntax.Attr, rule *inputRule, q qual) bool {
	k, n := q.typ, 1
	if v, ok := q.typ.(hir.Vector); ok && !v.Packed {
		k, n = v.Elem, v.N
	}
	if k != hir.UShort && k != hir.UInt || n > 3 || n > 1 && !rule.vector {
		want := "ushort or uint"
		if rule.vector {
			want = "ushort, uint or vectors of two or three of them"
		}
		c.errorf(a.Pos(), codeInputType, "got [[%s]] of type %s, want %s", a.Name, q.typ, want)
		return false
	}
	return true
}

// bodyPos is where the body of a function begins.
func bodyPos(d *syntax.FuncDecl) syntax.Pos {
	if d.Body == nil {
		return d.Pos()
	}
	return d.Body.Pos()
}

// inputWidths checks that the types of the inputs agree as Metal demands.
func (c *checker) inputWidths(name, body syntax.Pos, params []*syntax.Param, args []hir.KernelArg, types []qual) bool {
	ok := true
	first := -1
	peers := map[string]int{}
	position, index := -1, -1
	for i, a := range args {
		rule := inputs[a.Input]
		if a.Kind != hir.InputArg || rule == nil {
			continue
		}
		switch a.Input {
		case "thread_position_in_threadgroup":
			position = i
		case "thread_index_in_threadgroup":
			index = i
		}
		if rule.grid && first < 0 {
			first = i
		} else if rule.grid && componentCount(types[i].typ) != componentCount(types[first].typ) && ok {
			e := c.errorf(name, codeInputWidth,
				"expecting input declarations with either all scalar types or all vector types with the same number "+
					"of elements")
			if e != nil {
				e.Behind = body
			}
			for _, k := range []int{first, i} {
				e.Note(params[k].NamePos, "declaration with attribute '%s' of type %s here", args[k].Input,
					spelled(types[k].typ))
			}
			ok = false
		}
		if rule.peers == "" {
			continue
		}
		if first, seen := peers[rule.peers]; !seen {
			peers[rule.peers] = i
		} else if types[first].typ != types[i].typ && ok {
			c.errorf(params[i].Pos(), codeInputTypeMismatch,
				"got [[%s]] of type %s beside [[%s]] of type %s, want one type", a.Input, types[i].typ,
				args[first].Input, types[first].typ)
			ok = false
		}
	}
	if position >= 0 && index >= 0 && elementKind(types[position].typ) == hir.UInt && types[index].typ != hir.UInt {
		c.errorf(params[index].Pos(), codeInputTypeMismatch,
			"got [[thread_index_in_threadgroup]] of type %s beside [[thread_position_in_threadgroup]] of type %s, "+
				"want uint", types[index].typ, types[position].typ)
		ok = false
	}
	return ok
}

// componentCount is 1 for a scalar.
func componentCount(t hir.Type) int {
	if v, ok := t.(hir.Vector); ok {
		return v.N
	}
	return 1
}

// guard checks [[function_constant(f)]] on a parameter.
func (c *checker) guard(a *syntax.Attr) bool {
	if len(a.Args) != 1 {
		c.errorf(a.Pos(), codeAttribute, "[[function_constant]] takes one argument")
		return false
	}
	e := c.valueOf(a.Args[0])
	if e == nil {
		return false
	}
	if e.Type() != hir.Bool {
		c.errorf(a.Args[0].Pos(), codeFunctionConstant, "got %s, want a function constant of type bool", e.Type())
		return false
	}
	ok := false
	c.eval.Assuming(func() { _, ok = c.eval.Scalar(e) })
	if !ok {
		c.errorf(a.Args[0].Pos(), codeFunctionConstant, "the condition of an argument has to be a function constant")
		return false
	}
	return true
}

// excluded reports whether a function constant that is false excludes the parameter.
func (c *checker) excluded(p *syntax.Param) bool {
	a := attribute(p.Attrs, "function_constant")
	return a != nil && len(a.Args) == 1 && c.decided(c.valueOf(a.Args[0])).isFalse()
}

// duplicateIndices refuses an index given twice in a table, unless function
// constants choose between the parameters.
func (c *checker) duplicateIndices(params []*syntax.Param, args []hir.KernelArg, explicit []bool) bool {
	ok := true
	for i := range args {
		if !explicit[i] || attribute(params[i].Attrs, "function_constant") != nil {
			continue
		}
		for j := range i {
			if explicit[j] && args[j].Index < args[i].Index+args[i].Entries() &&
				args[i].Index < args[j].Index+args[j].Entries() && tableOf(args[j].Kind) == tableOf(args[i].Kind) &&
				attribute(params[j].Attrs, "function_constant") == nil {
				c.errorf(params[i].Pos(), codeDuplicateIndex, "%s and %s both have index %d of the %s table",
					params[j].Name, params[i].Name, args[i].Index, tableOf(args[i].Kind))
				ok = false
				break
			}
		}
	}
	return ok
}

func tableOf(k hir.ArgKind) string {
	switch k {
	case hir.BufferArg, hir.ValueArg, hir.TableArg:
		return "buffer"
	case hir.ThreadgroupArg:
		return "threadgroup"
	case hir.TextureArg:
		return "texture"
	case hir.SamplerArg:
		return "sampler"
	}
	return ""
}

// assignIndices gives parameters without index the first that is free in their table, and
// textures entries that no buffer has.
func (c *checker) assignIndices(params []*syntax.Param, args []hir.KernelArg, explicit []bool) bool {
	for _, table := range tables {
		used := make([]bool, table.size)
		take := func(a hir.KernelArg) bool {
			for n := range a.Entries() {
				if a.Index+n >= len(used) {
					return false
				}
				used[a.Index+n] = true
			}
			return true
		}
		for i, a := range args {
			if explicit[i] && tableOf(a.Kind) == table.name && !take(a) {
				c.errorf(params[i].Pos(), codeIndexLimit, "the %s table has %d entries, and %s reaches beyond",
					table.name, table.size, params[i].Name)
				return false
			}
		}
		for i := range args {
			if explicit[i] || tableOf(args[i].Kind) != table.name {
				continue
			}
			args[i].Index = max(0, slices.Index(used, false))
			if slices.Index(used, false) < 0 || !take(args[i]) {
				c.errorf(params[i].Pos(), codeIndexLimit, "the %s table has %d entries, no one is left for %s",
					table.name, table.size, params[i].Name)
				return false
			}
		}
	}
	return c.textureSlots(params, args)
}

// textureSlots gives each texture an entry of the buffer table that no buffer has: what it
// holds is memory to an executor.
func (c *checker) textureSlots(params []*syntax.Param, args []hir.KernelArg) bool {
	var used [tableSize]bool
	for _, a := range args {
		if tableOf(a.Kind) == "buffer" {
			used[a.Index] = true
		}
	}
	next := tableSize
	for i := range args {
		if args[i].Kind != hir.TextureArg {
			continue
		}
		for range args[i].Entries() {
			for next--; next >= 0 && used[next]; next-- {
			}
			if next < 0 {
				c.errorf(params[i].Pos(), codeUnsupported,
					"a kernel with more than %d buffers and textures together is not supported", tableSize)
				return false
			}
			args[i].Slots = append(args[i].Slots, next)
		}
	}
	return true
}

// Explicit instantiation

func (c *checker) instantiation(d *syntax.Instantiation) {
	if d.Extern {
		return // an instance that is made elsewhere is made here when it is used
	}
	if d.Keyword != "" {
		t := &syntax.NamedType{Keyword: d.Keyword, Name: d.Name}
		t.SetPos(d.Name.Pos())
		c.typeOf(t)
		return
	}
	if c.stages[d.Name.Last().Ident] {
		return
	}
	ent, _, ok := c.resolve(d.Name)
	if !ok {
		return
	}
	set, isSet := ent.(*funcSet)
	if !isSet {
		if ent == nil {
			c.undeclared(d.Name)
		} else {
			c.errorf(d.Pos(), codeNotTemplate, "%s is no function template", nameText(d.Name))
		}
		return
	}
	op := operand{fns: set, pos: d.Name.Pos()}
	last := d.Name.Last()
	if last.HasArgs {
		if op.targs, ok = c.templateArgs(last); !ok {
			return
		}
		op.hasTargs = true
	}
	if !slices.ContainsFunc(set.list, (*function).isTemplate) {
		c.errorf(d.Pos(), codeNotTemplate, "%s is no function template", set.name)
		return
	}
	kernel := d.Specs.Kernel || attribute(d.Attrs, "kernel") != nil
	if kernel && !c.wanted(d.Attrs, set.list[0].scope.path+set.name) {
		return
	}
	r := c.instantiated(d, op)
	if r == nil {
		return
	}
	if r.def == nil {
		c.errorf(d.Pos(), codeUndefinedFunction, "function %s is declared but never defined", r.fn.Name)
		return
	}
	if !kernel && isKernel(r.decl) && !c.wanted(d.Attrs, set.list[0].scope.path+set.name) {
		return
	}
	if kernel && !isKernel(r.decl) {
		c.errorf(d.Pos(), codeKernelMismatch, "%s is no kernel where it is defined", set.name)
		return
	}
	if attribute(d.Attrs, "host_name") != nil && !isKernel(r.decl) {
		c.errorf(d.Pos(), codeAttribute, "[[host_name]] is for kernels")
		return
	}
	c.ensureBody(r, d.Pos())
	if isKernel(r.decl) {
		c.entryPoint(r, d.Attrs, d.Pos(), d)
	}
}

// instantiated is the instance that an explicit instantiation names.
func (c *checker) instantiated(d *syntax.Instantiation, op operand) *routine {
	var sig *hir.Signature
	if d.HasParams {
		result, ok := c.typeOf(d.Type)
		if !ok {
			return nil
		}
		sig = &hir.Signature{Result: result.asType()}
		for _, p := range d.Params {
			q, ok := c.paramType(p)
			if !ok {
				return nil
			}
			sig.Params = append(sig.Params, q.asType())
		}
	} else {
		q, ok := c.typeOf(d.Type)
		if !ok {
			return nil
		}
		if sig, ok = q.typ.(*hir.Signature); !ok {
			c.errorf(d.Type.Pos(), codeInstantiationType, "got %s, want the type of a function", q.typ)
			return nil
		}
	}
	if r := c.matching(op, sig); r != nil {
		return r
	}
	r := c.theOne(op, d.Pos())
	if r != nil {
		c.errorf(d.Pos(), codeInstantiationType, "this instance of %s is declared as %s, but it is %s", op.fns.name,
			sig, r.signature())
	}
	return nil
}
