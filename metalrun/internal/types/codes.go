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
	//  int f(S s) { return s.T; }
	codeNotValue = "not-value"

	// codeNotTemplate: template arguments for something that is no template.
	//
	// Example:
	//  float f(float x) { return metal::sin<float>(x); }
	codeNotTemplate = "not-template"

	// codeOuterVariable: a variable of the enclosing function in a member function of a local struct.
	//
	// Example:
	//  int f(int x) { struct S { int g() { return x; } }; S s; return s.g(); }
	codeOuterVariable = "outer-variable"

	// codeUndefinedFunction: a call of a function without a body.
	//
	// Example:
	//  int f(int x);
	//  kernel void k(device int *p [[buffer(0)]]) { p[0] = f(1); }
	codeUndefinedFunction = "undefined-function"

	// codeRecursion: a function that calls itself, directly or not.
	//
	// Example:
	//  int f(int x) { return x < 1 ? 0 : f(x - 1); }
	//  kernel void k(device int *p [[buffer(0)]]) { p[0] = f(1); }
	codeRecursion = "recursion"

	// codeStaticAssert: a static_assert whose condition is false.
	//
	// Example:
	//  static_assert(sizeof(int) == 8, "int has eight bytes");
	codeStaticAssert = "static-assert"

	// codePragma: a pragma that Metal knows, with arguments that it does not.
	//
	// Example:
	//  #pragma METAL fp contract(perhaps)
	codePragma = "pragma"

	// codeAttribute: an attribute in a place where it has no meaning.
	//
	// Example:
	//  void f() { int x [[buffer(0)]] = 1; }
	codeAttribute = "attribute"

	// codeLanguageVersion: a feature of a later version of the language.
	//
	// Example:
	//  void f() { atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst); }
	codeLanguageVersion = "language-version"

	// codeUnsupported: legal Metal that this front end does not support.
	//
	// Example:
	//  struct S { int x : 3; };
	codeUnsupported = "unsupported"
)

// Types.
const (
	// codeVoidObject: an object or reference of type void.
	//
	// Example:
	//  void f() { void x; }
	codeVoidObject = "void-object"

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
	//  void f(thread int &(a)[2]) {}
	//  typedef int t(int);
	//  void g() { t a[2]; }
	codeArrayElement = "array-element"

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
	//  struct S { S(int x) {} };
	//  void f() { S s = S(1, 2); }
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

	// codeDesignator: a designated initialiser that names no field, or out of order.
	//
	// Example:
	//  struct S { int a; };
	//  void f() { S s = {.b = 1}; }
	codeDesignator = "designator"

	// codeBracedList: a braced list where an expression is wanted.
	//
	// Example:
	//  void f() { auto x = sizeof(decltype({1})); }
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

	// codeString: a string outside of attributes and static_assert.
	//
	// Example:
	//  void f() { auto s = "text"; }
	codeString = "string"

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

	// codeAnonymousMember: a data member without name that is no struct or union.
	//
	// Example:
	//  struct S { enum { A, B }; int; };
	codeAnonymousMember = "anonymous-member"

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
	//  constant bool a [[function_constant(0)]];
	//  constant bool b [[function_constant(0)]];
	codeFunctionConstant = "function-constant"

	// codeFunctionConstantValue: a value given by the host that the constant's type does not have.
	// (The host gives 2 to function constant 0.)
	//
	// Example:
	//  constant bool a [[function_constant(0)]];
	codeFunctionConstantValue = "function-constant-value"

	// codeAbsentArgument: a use of an argument that a function constant excludes.
	//
	// Example:
	//  constant bool off [[function_constant(1)]];
	//  kernel void k(device int *p [[buffer(0)]], device int *q [[buffer(1), function_constant(off)]]) { p[0] = q[0]; }
	codeAbsentArgument = "absent-argument"
)

// The standard library.
const (
	// codeNoBuiltin: a call that fits no function of the library of that name.
	//
	// Example:
	//  float f(float4 a, float3 b) { return dot(a, b); }
	codeNoBuiltin = "no-builtin"

	// codeAmbiguousCall: a call that several functions fit equally well.
	//
	// Example:
	//  float f(float x) { return max(x, 1); }
	codeAmbiguousCall = "ambiguous-call"

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
