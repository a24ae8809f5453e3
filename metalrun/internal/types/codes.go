package types

// Every error has a code: the stable name of the rule that was broken, for
// machines. Each is described here with a minimal program that breaks the rule
// ("using namespace metal" is understood); the tests compile these programs.

// Names and declarations.
const (
	// codeUndeclared: a name that is not declared, or not yet.
	//
	// Example:
	//  int f() { return x; }
	codeUndeclared = "undeclared"

	// codeRedeclared: a second declaration of a name in one scope.
	//
	// Example:
	//  int f() { int x = 1; int x = 2; return x; }
	codeRedeclared = "redeclared"

	// codeAccess: a member or base that is private or protected here.
	//
	// Example:
	//  class C { int a; };
	//  int f(C c) { return c.a; }
	codeAccess = "access"

	// codeNotType: a name used as a type that denotes something else.
	//
	// Example:
	//  namespace n { int f(int x) { return x; } }
	//  int g() { return sizeof(typename n::f); }
	codeNotType = "not-type"

	// codeNotValue: a type or namespace where a value is wanted.
	//
	// Example:
	//  struct S { struct T { int x; }; };
	//  template <typename A> int f() { return A::T; }
	//  int g() { return f<S>(); }
	codeNotValue = "not-value"

	// codeNotTemplate: template arguments for something that is no template.
	//
	// Example:
	//  struct S { int g(int x) { return x; } };
	//  int f(S s) { return s.template g<int>(1); }
	codeNotTemplate = "not-template"

	// codeOuterVariable: a variable of the enclosing function in a member function of a local struct.
	//
	// Example:
	//  int f(int x) { struct S { int g() { return x; } }; S s; return s.g(); }
	codeOuterVariable = "outer-variable"

	// codeUndefinedFunction: a call of a function without a body, or a use of a variable that is
	// declared extern and defined nowhere.
	//
	// Example:
	//  int f(int x);
	//  kernel void k(device int *p [[buffer(0)]]) { p[0] = f(1); }
	codeUndefinedFunction = "undefined-function"

	// codeRedefined: a second definition of a function or template.
	//
	// Example:
	//  int f(int x) { return x; }
	//  int f(int y) { return y; }
	codeRedefined = "redefined"

	// codeOverloadResult: functions that differ in their result type only.
	//
	// Example:
	//  int f(int x) { return x; }
	//  float f(int x) { return x; }
	codeOverloadResult = "overload-result"

	// codeUnknownType: a function without result type. (The parser, which cannot tell it from a type that is not
	// declared, has the same code.)
	//
	// Example:
	//  struct S { T(int x) {} };
	codeUnknownType = "unknown-type"

	// codeMain: a function called main.
	//
	// Example:
	//  int main() { return 0; }
	codeMain = "main"

	// codeArrayResult: a function that returns an array.
	//
	// Example:
	//  typedef int pair[2];
	//  pair f();
	codeArrayResult = "array-result"

	// codeOperatorParameter: an operator function for types of the language.
	//
	// Example:
	//  int operator+(int a, int b) { return a - b; }
	codeOperatorParameter = "operator-parameter"

	// codeDefaultArgument: a parameter without default argument after one that has one, or a default
	// argument that reads another parameter or a variable of the function around.
	//
	// Example:
	//  int f(int x = 1, int y) { return x; }
	codeDefaultArgument = "default-argument"

	// codeStaticAssert: a static_assert whose condition is false.
	//
	// Example:
	//  static_assert(sizeof(int) == 8, "int has eight bytes");
	codeStaticAssert = "static-assert"

	// codeAttribute: an attribute in the wrong place or without its argument.
	//
	// Example:
	//  kernel void k(device int *p [[threadgroup(0)]]) {}
	codeAttribute = "attribute"

	// codeLanguageVersion: a feature of a later version of the language.
	//
	// Example:
	//  void f() { atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst); }
	codeLanguageVersion = "language-version"

	// codeMisplaced: break, continue or a case outside of a loop or switch. (The parser reports most of them, with the
	// same code.)
	//
	// Example:
	//  void f() { break; }
	codeMisplaced = "misplaced"

	// codeUnsupported: legal Metal that this front end does not support.
	//
	// Example:
	//  union U { ~U() device; };
	codeUnsupported = "unsupported"
)

// Types.
const (
	// codeVoidObject: an object or reference of type void.
	//
	// Example:
	//  void f() { void x; }
	codeVoidObject = "void-object"

	// codeNotAMetalType: double, which Metal lacks. (The parser reports it too, with the same code.)
	//
	// Example:
	//  double f() { return 0; }
	codeNotAMetalType = "not-a-metal-type"

	// codeIncompleteType: an object of a struct that is not defined yet.
	//
	// Example:
	//  struct S;
	//  int f(thread S *p) { S s = *p; return 0; }
	codeIncompleteType = "incomplete-type"

	// codeAuto: auto without an initialiser to give the type.
	//
	// Example:
	//  void f() { auto x; }
	codeAuto = "auto"

	// codeArrayLength: an array without elements, without a length, or too long.
	//
	// Example:
	//  void f() { int a[0]; }
	codeArrayLength = "array-length"

	// codeArrayElement: an array of what cannot be an element.
	//
	// Example:
	//  typedef int t(int);
	//  void g() { t a[2]; }
	codeArrayElement = "array-element"

	// codeBitField: a bit-field of a type or width that it cannot have.
	//
	// Example:
	//  struct S { float f : 3; };
	codeBitField = "bit-field"

	// codePointerToReference: a pointer to a reference.
	//
	// Example:
	//  typedef thread int &r;
	//  void f(r *p) {}
	codePointerToReference = "pointer-to-reference"

	// codeTemplateArguments: wrong template arguments of a template of the library.
	//
	// Example:
	//  void f(vec<float, 5> v) {}
	codeTemplateArguments = "template-arguments"

	// codeAtomicType: an atomic type that does not exist, or an atomic object where none can be.
	//
	// Example:
	//  void f() { atomic_int x; }
	codeAtomicType = "atomic-type"

	// codeEnumType: an enumeration whose underlying type is no integer, or missing.
	//
	// Example:
	//  enum E : float { A };
	codeEnumType = "enum-type"

	// codeEnumRange: an enumerator that its type cannot hold.
	//
	// Example:
	//  enum E : uchar { A = 300 };
	codeEnumRange = "enum-range"

	// codeFunctionValue: a function used as a value.
	//
	// Example:
	//  int f(int x) { return x; }
	//  int g() { return f; }
	codeFunctionValue = "function-value"
)

// Address spaces and qualifiers.
const (
	// codeMissingAddressSpace: a pointer or reference without address space.
	//
	// Example:
	//  float f(float *p) { return *p; }
	codeMissingAddressSpace = "missing-address-space"

	// codeAddressSpace: address spaces that do not go together.
	//
	// Example:
	//  void f(device float *p) { thread float *q = p; }
	codeAddressSpace = "address-space"

	// codeProgramScope: a variable outside of functions that is not constant data.
	//
	// Example:
	//  int counter = 0;
	codeProgramScope = "program-scope"

	// codeUninitialised: a constant or reference without initialiser.
	//
	// Example:
	//  constant float x;
	codeUninitialised = "uninitialised"

	// codeLocalConstant: a local variable in address space constant.
	//
	// Example:
	//  void f() { constant float x = 1.0f; }
	codeLocalConstant = "local-constant"

	// codeLocalDevice: a local variable in device memory.
	//
	// Example:
	//  void f() { device float x; }
	codeLocalDevice = "local-device"

	// codeThreadgroupVariable: a threadgroup variable outside of a kernel's body, or initialised.
	//
	// Example:
	//  void f() { threadgroup float x[4]; }
	codeThreadgroupVariable = "threadgroup-variable"

	// codeParameterSpace: a value parameter in an address space.
	//
	// Example:
	//  void f(device float x) {}
	codeParameterSpace = "parameter-space"

	// codeResultSpace: a function that returns a value in an address space.
	//
	// Example:
	//  device float f(device float *p) { return *p; }
	codeResultSpace = "result-space"

	// codeThisSpace: a member function of another address space or constness than its object.
	//
	// Example:
	//  struct S { int x; int g() { return x; } };
	//  int f(const thread S &s) { return s.g(); }
	codeThisSpace = "this-space"

	// codeDropsConst: a conversion that would lose const or volatile.
	//
	// Example:
	//  void f(const device float *p) { device float *q = p; }
	codeDropsConst = "drops-const"

	// codeWriteConstant: a write to the constant address space.
	//
	// Example:
	//  void f(constant float *p) { *p = 1.0f; }
	codeWriteConstant = "write-constant"

	// codeWriteConst: a write to a const object.
	//
	// Example:
	//  void f(const device float *p) { *p = 1.0f; }
	codeWriteConst = "write-const"
)

// Expressions.
const (
	// codeOperands: an operator that its operands' types do not have.
	//
	// Example:
	//  float f(float x) { return x % 2.0f; }
	codeOperands = "operands"

	// codeBfloatHalf: an operator that mixes bfloat and half.
	//
	// Example:
	//  float f(half h, bfloat b) { return h + b; }
	codeBfloatHalf = "bfloat-half"

	// codeConversion: a value of a type that does not convert to the one wanted.
	//
	// Example:
	//  struct S { int x; };
	//  S f(int x) { return x; }
	codeConversion = "conversion"

	// codeVectorConversion: vectors do not convert implicitly.
	//
	// Example:
	//  float4 f(int4 v) { return v; }
	codeVectorConversion = "vector-conversion"

	// codeBfloatConversion: other floating types do not convert to bfloat implicitly, nor bfloat to half.
	//
	// Example:
	//  bfloat f(float x) { return x; }
	codeBfloatConversion = "bfloat-conversion"

	// codeCast: a cast between types that none connects.
	//
	// Example:
	//  struct S { int x; };
	//  int f(S s) { return (int)s; }
	codeCast = "cast"

	// codeAsType: as_type between types of different size, or of pointers.
	//
	// Example:
	//  half f(float x) { return as_type<half>(x); }
	codeAsType = "as-type"

	// codeConstruct: a type that cannot be made of these arguments.
	//
	// Example:
	//  float f(float x) { return float(x, x); }
	codeConstruct = "construct"

	// codeComponentCount: too few or too many components for a vector or matrix.
	//
	// Example:
	//  float4 f(float2 v) { return float4(v, 1.0f); }
	codeComponentCount = "component-count"

	// codeNarrowing: a narrowing conversion in a braced list.
	//
	// Example:
	//  int f(float x) { int a[1] = {x}; return a[0]; }
	codeNarrowing = "narrowing"

	// codeInitialiserCount: more initialisers than there are elements.
	//
	// Example:
	//  void f() { int a[2] = {1, 2, 3}; }
	codeInitialiserCount = "initialiser-count"

	// codeDesignator: a designated initialiser that names no field.
	//
	// Example:
	//  struct S { int a; };
	//  void f() { S s = {.b = 1}; }
	codeDesignator = "designator"

	// codeBracedList: a braced list where an expression is wanted.
	//
	// Example:
	//  float4 f() { return float4({1, 2}, 3, 4); }
	codeBracedList = "braced-list"

	// codeArrayCopy: an array initialised with another.
	//
	// Example:
	//  void f() { int a[2] = {1, 2}; int b[2] = a; }
	codeArrayCopy = "array-copy"

	// codeNoDefault: an object without initialiser of a struct that wants one.
	//
	// Example:
	//  struct S { S(int x) {} };
	//  void f() { S s; }
	codeNoDefault = "no-default"

	// codeDeleted: a use of a deleted function.
	//
	// Example:
	//  struct S { S() = delete; };
	//  void f() { S s; }
	codeDeleted = "deleted"

	// codeCondition: a condition that is no scalar bool.
	//
	// Example:
	//  int f(float4 v) { if (v) { return 1; } return 0; }
	codeCondition = "condition"

	// codeNotAssignable: an assignment to what is no object.
	//
	// Example:
	//  void f(int x) { x + 1 = 2; }
	codeNotAssignable = "not-assignable"

	// codeReferenceBinding: a reference that cannot denote what it is given.
	//
	// Example:
	//  void f(float4 v) { thread float &r = v.x; }
	codeReferenceBinding = "reference-binding"

	// codeAddressOf: the address of a value or of part of a vector.
	//
	// Example:
	//  void f(float4 v) { thread float *p = &v.x; }
	codeAddressOf = "address-of"

	// codeDereference: "*" or "->" on what is no pointer.
	//
	// Example:
	//  int f(int x) { return *x; }
	codeDereference = "dereference"

	// codeVoidPointer: arithmetic on or through a pointer to void.
	//
	// Example:
	//  int f(thread void *p) { return *p; }
	codeVoidPointer = "void-pointer"

	// codeIndex: an index that is no integer, or of what has no elements.
	//
	// Example:
	//  int f(int x) { return x[0]; }
	codeIndex = "index"

	// codeIndexRange: a constant index beyond the end.
	//
	// Example:
	//  float f(float4 v) { return v[4]; }
	codeIndexRange = "index-range"

	// codeSwizzle: a swizzle that names no components of the vector.
	//
	// Example:
	//  float2 f(float4 v) { return v.xg; }
	codeSwizzle = "swizzle"

	// codeNoMember: a member that the type does not have.
	//
	// Example:
	//  struct S { int a; };
	//  int f(S s) { return s.b; }
	codeNoMember = "no-member"

	// codeArrow: "." on a pointer or "->" on an object.
	//
	// Example:
	//  struct S { int a; };
	//  int f(thread S *p) { return p.a; }
	codeArrow = "arrow"

	// codeMemberCall: a member function that is named without being called.
	//
	// Example:
	//  struct S { int g() { return 1; } };
	//  int f(S s) { return s.g; }
	codeMemberCall = "member-call"

	// codeNoObject: a data member or this without an object.
	//
	// Example:
	//  int f() { return this->x; }
	codeNoObject = "no-object"

	// codeSizeof: the size of what has none.
	//
	// Example:
	//  int f(int x) { return x; }
	//  ulong g() { return sizeof(f); }
	codeSizeof = "sizeof"

	// codeAtomicAccess: an atomic object that is used like a plain one.
	//
	// Example:
	//  int f(device atomic_int *p) { return *p; }
	codeAtomicAccess = "atomic-access"

	// codeNotConstant: an expression that has to be known at compile time and is not.
	//
	// Example:
	//  void f(int n) { int a[n]; }
	codeNotConstant = "not-constant"

	// codeNotInteger: a constant that has to be an integer.
	//
	// Example:
	//  void f() { int a[2.5f]; }
	codeNotInteger = "not-integer"

	// codeConstantRange: a constant that is too large for its purpose.
	//
	// Example:
	//  void f() { int a[0xffffffffffffffff]; }
	codeConstantRange = "constant-range"
)

// Calls, templates and statements.
const (
	// codeNotFunction: a call of what is no function.
	//
	// Example:
	//  int f(int x) { return x(); }
	codeNotFunction = "not-function"

	// codeArgumentCount: too few or too many arguments.
	//
	// Example:
	//  int f(int x) { return x; }
	//  int g() { return f(); }
	codeArgumentCount = "argument-count"

	// codeNoMatch: arguments that no function of the name takes.
	//
	// Example:
	//  int f(float4 v) { return 0; }
	//  int f(float3 v) { return 0; }
	//  int g(float2 v) { return f(v); }
	codeNoMatch = "no-match"

	// codeAmbiguousCall: a call that several functions fit equally well.
	//
	// Example:
	//  float f(float x) { return max(x, 1); }
	codeAmbiguousCall = "ambiguous-call"

	// codeNoDeduction: template arguments that the call's arguments do not give.
	//
	// Example:
	//  template <typename T> T f() { return T(0); }
	//  float g() { return f(); }
	codeNoDeduction = "no-deduction"

	// codeTemplateParameter: a template parameter of a type that none can have.
	//
	// Example:
	//  template <float X> struct S { float x; };
	//  float f() { S<1.0f> s; return s.x; }
	codeTemplateParameter = "template-parameter"

	// codeTooLarge: a type that nothing can hold.
	//
	// Example:
	//  struct S { float a[1 << 28]; float b[1 << 28]; };
	codeTooLarge = "too-large"

	// codeTemplateDepth: template instances that nest without end.
	//
	// Example:
	//  template <int N> int f() { return f<N + 1>(); }
	//  int g() { return f<0>(); }
	codeTemplateDepth = "template-depth"

	// codeSpecialisation: a template specialised after a use of that instance.
	//
	// Example:
	//  template <typename T> T f(T x) { return x; }
	//  int g(int x) { return f(x); }
	//  template <> int f<int>(int x) { return -x; }
	codeSpecialisation = "specialisation"

	// codeInstantiationType: an explicit instantiation of another type than the template's instance.
	//
	// Example:
	//  template <typename T> kernel void k(device T *p [[buffer(0)]]) {}
	//  template [[host_name("k_float")]] kernel void k<float>(device int *);
	codeInstantiationType = "instantiation-type"

	// codeVoidValue: a value taken of an expression of type void.
	//
	// Example:
	//  void f() {}
	//  int g(int x) { return max(x, f()); }
	codeVoidValue = "void-value"

	// codeReturnValue: a return with a value where none is wanted, or without one.
	//
	// Example:
	//  int f() { return; }
	codeReturnValue = "return-value"

	// codeSwitch: a switch over what is no integer.
	//
	// Example:
	//  int f(float x) { switch (x) { default: return 1; } }
	codeSwitch = "switch"

	// codeCaseType: a case of another type than the switch.
	//
	// Example:
	//  int f(int x) { switch (x) { case 1.5f: return 1; } return 0; }
	codeCaseType = "case-type"

	// codeDuplicateCase: two cases with one value, or two defaults.
	//
	// Example:
	//  int f(int x) { switch (x) { case 1: return 1; case 1: return 2; } return 0; }
	codeDuplicateCase = "duplicate-case"

	// codeJumpPastInitialisation: a label that jumps over the initialisation of a variable in its scope.
	//
	// Example:
	//  int f(int x) { switch (x) { case 1: int y = 1; return y; case 2: return 2; } return 0; }
	codeJumpPastInitialisation = "jump-past-initialisation"

	// codeRange: a range-based for over what is no array.
	//
	// Example:
	//  int f(int x) { for (int y : x) { return y; } return 0; }
	codeRange = "range"
)

// Kernels.
const (
	// codeKernelResult: a kernel that returns a value.
	//
	// Example:
	//  kernel int k(device int *p [[buffer(0)]]) { return 0; }
	codeKernelResult = "kernel-result"

	// codeKernelOverload: two kernels of one name.
	//
	// Example:
	//  kernel void k(device int *p [[buffer(0)]]) {}
	//  kernel void k(device float *p [[buffer(0)]]) {}
	codeKernelOverload = "kernel-overload"

	// codeKernelCall: a call of a kernel.
	//
	// Example:
	//  kernel void k(device int *p [[buffer(0)]]) {}
	//  void f(device int *p) { k(p); }
	codeKernelCall = "kernel-call"

	// codeKernelMember: a kernel inside a struct.
	//
	// Example:
	//  struct S { kernel void k(device int *p [[buffer(0)]]) {} };
	codeKernelMember = "kernel-member"

	// codeKernelMismatch: an instance declared as a kernel of a template that is none.
	//
	// Example:
	//  template <typename T> void f(device T *p) {}
	//  template [[host_name("f_int")]] kernel void f<int>(device int *);
	codeKernelMismatch = "kernel-mismatch"

	// codeDuplicateKernel: two entry points with one host name.
	//
	// Example:
	//  kernel void k(device int *p [[buffer(0)]]) {}
	//  [[host_name("k")]] kernel void m(device int *p [[buffer(0)]]) {}
	codeDuplicateKernel = "duplicate-kernel"

	// codeKernelArgument: a parameter of a kernel that nothing can be bound to.
	//
	// Example:
	//  kernel void k(uint i) {}
	codeKernelArgument = "kernel-argument"

	// codeKernelArgumentSpace: a pointer or reference in the wrong address space for a kernel.
	//
	// Example:
	//  kernel void k(thread int *p [[buffer(0)]]) {}
	codeKernelArgumentSpace = "kernel-argument-space"

	// codeUnknownAttribute: an attribute of Metal's that parameters of kernels do not have.
	//
	// Example:
	//  kernel void k(uint i [[vertex_id]]) {}
	codeUnknownAttribute = "unknown-attribute"

	// codeIgnoredAttribute: a warning of an attribute that Metal does not know and ignores.
	//
	// Example:
	//  kernel void k(device int *p [[buffer(0)]] [[bufer]]) {}
	codeIgnoredAttribute = "ignored-attribute"

	// codeCharacters: a warning of a character constant with several characters, whose value is up to the compiler.
	//
	// Example:
	//  constant int x = 'ab';
	codeCharacters = "characters"

	// codeEmptyDeclaration: a warning of a declaration that declares nothing, or a function where a variable may be
	// meant.
	//
	// Example:
	//  kernel void k(device int *p [[buffer(0)]]) { int; }
	codeEmptyDeclaration = "empty-declaration"

	// codeUnusedVariable: a warning of a variable of a function that nothing names.
	//
	// Example:
	//  kernel void k(device int *p [[buffer(0)]]) { const int n = 1; }
	codeUnusedVariable = "unused-variable"

	// codeReturnType: a warning of a function with a result that may end without one.
	//
	// Example:
	//  int f(int x) { if (x > 0) return 1; }
	//  kernel void k(device int *p [[buffer(0)]]) { p[0] = f(1); }
	codeReturnType = "return-type"

	// codeNeverRuns: a warning of what compiles, and of which no device makes a pipeline.
	//
	// Example:
	//  [[max_total_threads_per_threadgroup(2048)]] kernel void k(device int *p [[buffer(0)]]) {}
	codeNeverRuns = "never-runs"

	// codeStage: a warning of a function of another stage, which is not checked.
	//
	// Example:
	//  fragment half4 f() { return 0; }
	codeStage = "stage"

	// codeAsmLabel: a label of a function that compilers refuse: all, or those since some version.
	//
	// Example:
	//  void f(int) __asm("air.f");
	codeAsmLabel = "asm-label"

	// codeDuplicateIndex: two arguments with one index.
	//
	// Example:
	//  kernel void k(device int *p [[buffer(0)]], device int *q [[buffer(0)]]) {}
	codeDuplicateIndex = "duplicate-index"

	// codeIndexLimit: an index or size beyond Metal's limits.
	//
	// Example:
	//  kernel void k(device int *p [[buffer(31)]]) {}
	codeIndexLimit = "index-limit"

	// codeInputType: a thread position or index of a type that it cannot have.
	//
	// Example:
	//  kernel void k(float i [[thread_position_in_grid]]) {}
	codeInputType = "input-type"

	// codeInputWidth: vectors of positions with different numbers of components.
	//
	// Example:
	//  kernel void k(uint2 i [[thread_position_in_grid]], uint3 g [[threadgroup_position_in_grid]]) {}
	codeInputWidth = "input-width"

	// codeInputTypeMismatch: positions and sizes of one space with different types.
	//
	// Example:
	//  kernel void k(uint i [[thread_position_in_grid]], ushort n [[threads_per_grid]]) {}
	codeInputTypeMismatch = "input-type-mismatch"
)

// Structs.
const (
	// codeBase: a base that is no struct.
	//
	// Example:
	//  enum E { A };
	//  struct S : E { int x; };
	codeBase = "base"

	// codeStaticMember: a constexpr member that is not static.
	//
	// Example:
	//  struct S { constexpr int n = 1; };
	codeStaticMember = "static-member"

	// codeAlignment: an alignment that is no power of two.
	//
	// Example:
	//  struct alignas(3) S { int x; };
	codeAlignment = "alignment"
)

// Function constants.
const (
	// codeFunctionConstant: a faulty declaration of a function constant.
	//
	// Example:
	//  constant bool a [[function_constant(5)]];
	//  constant bool b [[function_constant(5)]];
	codeFunctionConstant = "function-constant"

	// codeFunctionConstantValue: a value given by the host that the constant's type does not have.
	// (The host gives 2 to function constant 0.)
	//
	// Example:
	//  constant bool a [[function_constant(0)]];
	codeFunctionConstantValue = "function-constant-value"
)

// The standard library.
const (
	// codeNoBuiltin: a call that fits no function of the library of that name.
	//
	// Example:
	//  float f(float4 a, float3 b) { return dot(a, b); }
	codeNoBuiltin = "no-builtin"

	// codeNoVariant: a function that namespace precise or fast does not have.
	//
	// Example:
	//  float f(float2 v) { return fast::dot(v, v); }
	codeNoVariant = "no-variant"

	// codeBuiltinArgument: an argument with a value that the function does not allow.
	//
	// Example:
	//  void f(device atomic_int *p) { atomic_store_explicit(p, 1, memory_order_seq_cst); }
	codeBuiltinArgument = "builtin-argument"

	// codeSimdgroupMatrix: a simdgroup matrix of another shape or element, or in the wrong place.
	//
	// Example:
	//  void f() { auto m = make_filled_simdgroup_matrix<float, 4, 4>(0.0f); }
	codeSimdgroupMatrix = "simdgroup-matrix"
)
