package syntax

// Node is any part of the tree.
type Node interface{ Pos() Pos }

type node struct{ pos Pos }

// Pos is where the node's text begins (for a binary or postfix expression: its operator).
func (n *node) Pos() Pos { return n.pos }

// SetPos places a node that was made rather than parsed.
func (n *node) SetPos(p Pos) { n.pos = p }

// Decl, Stmt, Expr and TypeExpr are closed: their implementations are the
// nodes of this file.
type (
	Decl interface {
		Node
		declNode()
	}
	Stmt interface {
		Node
		stmtNode()
	}
	Expr interface {
		Node
		exprNode()
	}
	TypeExpr interface {
		Node
		typeNode()
	}
)

// Names

// Name is a possibly qualified name: [::] Part {:: Part}.
type Name struct {
	node
	Global bool // begins with ::
	Parts  []NamePart
}

// NamePart is Ident ['<' TemplateArg {, TemplateArg} '>'].
// An operator function's Ident is "operator+" and so on; a conversion
// function's Ident is "operator" and Conversion is its type; "~T" is a destructor.
type NamePart struct {
	Pos        Pos
	Ident      string
	Template   bool // written "template Ident"
	HasArgs    bool
	Trait      bool // written "__is_NAME(Args)", a question to the compiler
	Args       []TemplateArg
	Conversion TypeExpr
	Decltype   Expr // of the first part of "decltype(X)::y", whose Ident is "decltype"
}

// TemplateArg is a type or an expression. A bare name that is neither known
// as a type nor as a value stands in X.
type TemplateArg struct {
	Type TypeExpr
	X    Expr
	Pack bool // followed by "..."
}

// Last is the rightmost part.
func (n *Name) Last() *NamePart { return &n.Parts[len(n.Parts)-1] }

// Types

// Space is an address space as written. NoSpace means that none was.
type Space uint8

const (
	NoSpace Space = iota
	Device
	Constant
	Thread
	Threadgroup
	Imageblock // this and what follows is memory of other stages than kernels
	ObjectData
	RayData
)

func (s Space) String() string {
	return [...]string{"", "device", "constant", "thread", "threadgroup", "threadgroup_imageblock", "object_data",
		"ray_data"}[s]
}

// Foreign reports whether kernels have no memory of this address space.
func (s Space) Foreign() bool { return s >= Imageblock }

// Quals are the qualifiers of a type. They belong to the object of that type:
// in "device const float *p" they qualify the pointee.
type Quals struct {
	Const, Volatile, Restrict, Coherent bool
	Space                               Space
}

type (
	// NamedType is Name, or "struct Name", "enum Name", "typename Name".
	NamedType struct {
		node
		Keyword string // "struct", "class", "union", "enum", "typename" or ""
		Unknown bool   // no declaration of the name is known, which has been reported
		Name    *Name  // builtin types are single-part names: "float4", "uint", "unsigned int" → "uint"
	}
	// QualType is Base with qualifiers.
	QualType struct {
		node
		Quals Quals
		Base  TypeExpr
	}
	// PointerType is Elem '*'; qualifiers of the pointer itself wrap it in a QualType.
	PointerType struct {
		node
		Elem TypeExpr
	}
	// ReferenceType is Elem '&' or Elem '&&'.
	ReferenceType struct {
		node
		Elem   TypeExpr
		RValue bool
	}
	// ArrayType is Elem '[' Len ']'; Len is nil in "[]".
	ArrayType struct {
		node
		Elem TypeExpr
		Len  Expr
	}
	// FuncType is Result '(' Params ')'.
	FuncType struct {
		node
		Result TypeExpr
		Params []*Param
	}
	// DecltypeType is decltype '(' X ')', or __typeof__ '(' X ')' with Object set: the type
	// without reference. That of a type is the type itself. With Underlying set it is
	// __underlying_type '(' Type ')', and X is Type{}.
	DecltypeType struct {
		node
		X          Expr
		Object     bool
		Underlying bool
	}
	// AutoType is auto, or decltype(auto).
	AutoType struct {
		node
		Decltype bool
	}
	// DefinedType is a struct, union or enum defined where a type is wanted:
	// "struct { float x; } s;".
	DefinedType struct {
		node
		Decl Decl // *StructDecl or *EnumDecl
	}
)

func (*NamedType) typeNode()     {}
func (*QualType) typeNode()      {}
func (*PointerType) typeNode()   {}
func (*ReferenceType) typeNode() {}
func (*ArrayType) typeNode()     {}
func (*FuncType) typeNode()      {}
func (*DecltypeType) typeNode()  {}
func (*AutoType) typeNode()      {}
func (*DefinedType) typeNode()   {}

// Declarations

// Attr is one attribute of [[ … ]]: Name ['(' Args ')'], e.g. buffer(0),
// host_name("x"), thread_position_in_grid.
type Attr struct {
	node
	Scope string // "clang" in [[clang::x]]
	Name  string
	Args  []Expr
}

// Specs are the specifiers of a declaration that are not part of its type.
type Specs struct {
	Static, Inline, Constexpr, Extern, Explicit, Friend, Mutable, Kernel bool
	// "vertex" or "fragment", "" for neither
	Stage string
}

type (
	// VarDecl is one declarator of a variable or of a struct's field:
	// Specs Type Name [Attrs] [= Init | {Init} | (Init)].
	// "int a, b;" is two VarDecls; the second has Joined set and shares a
	// DefinedType of the first.
	VarDecl struct {
		node
		Template *Template // of a variable template, nil otherwise
		Specs    Specs
		Type     TypeExpr
		Name     string // "" for an anonymous union or struct member
		Written  *Name  // the name as written if it is qualified or has template arguments, nil otherwise
		NamePos  Pos
		Bindings []Binding // of "auto [a, b] = x", which has no Name
		Attrs    []*Attr
		Bits     Expr // bit-field width, nil otherwise
		Init     Expr // nil if absent; an *InitList for {…}
		Direct   bool // Init was written without "="; a multi-argument (…) is an *InitList with Paren set
		Joined   bool
	}
	// Binding is a name that a structured binding declares.
	Binding struct {
		Pos  Pos
		Name string
	}
	// FuncDecl is a function, member function, operator or constructor.
	FuncDecl struct {
		node
		Template *Template // nil if not a template; Params empty for "template <>"
		// of the classes around, the outermost first, of a member that is defined outside of class templates
		Outer           []*Template
		Attrs           []*Attr
		Specs           Specs
		Guide           bool     // a deduction guide: Name(Params) -> Result
		Result          TypeExpr // nil for constructors and conversion functions
		Trailing        bool     // written "auto f() -> Result"
		Name            *Name
		Params          []*Param
		Quals           Quals       // of a member function: const, address space
		Ref             string      // "&" or "&&" after them: called on lvalues or on rvalues only
		After           []*Attr     // [[…]] after the parameters, which belong to the type
		Inits           []FieldInit // constructor initialisers
		Default, Delete bool
		Broken          bool       // its parameters are faulty, which has been reported
		Body            *BlockStmt // nil for a prototype
	}
	// FieldInit is Name '(' Args ')' or Name '{' Args '}' (Brace) in a constructor.
	FieldInit struct {
		Pos   Pos
		Name  string
		Args  []Expr
		Brace bool
	}
	// Param is a parameter of a function.
	Param struct {
		node
		Type     TypeExpr
		Name     string // "" if unnamed
		NamePos  Pos
		Attrs    []*Attr
		Default  Expr
		Variadic bool // Type... Name
	}
	// Template is "template" '<' Params '>'.
	Template struct {
		node
		Params []*TemplateParam
	}
	// TemplateParam is "typename" [Name] [= Type], Type [Name] [= X], or
	// "template" '<' … '>' "class" [Name] [= Type] with the parameters in Template.
	TemplateParam struct {
		node
		Template    *Template
		Name        string
		Type        TypeExpr // nil for a type parameter
		DefaultType TypeExpr
		Default     Expr
		Variadic    bool
	}
	// Instantiation is an explicit instantiation definition:
	// "template" [Attrs] ["kernel"] Type Name ['(' Params ')'] ';'.
	// Type is the result type when HasParams, otherwise a function type
	// (decltype(f<int>) or a typedef name). That of a class has its Keyword and a Name.
	Instantiation struct {
		node
		Keyword   string // "struct", "class", "union" or ""
		Extern    bool   // "extern template": no definition
		Attrs     []*Attr
		Specs     Specs
		Type      TypeExpr
		Name      *Name
		HasParams bool
		Params    []*Param
	}
	// StructDecl is a struct, class or union. Forward declarations have Body false.
	StructDecl struct {
		node
		Template *Template
		Keyword  string // "struct", "class" or "union"
		Attrs    []*Attr
		Name     *Name // nil if anonymous; has template arguments in a specialisation
		Bases    []Base
		Pack     int // bound of its members' alignment by a pragma pack, 0 if there is none
		Body     bool
		// *VarDecl, *FuncDecl, *StructDecl, *EnumDecl, *TypedefDecl, *UsingDecl, *StaticAssert, *AccessDecl,
		//  *FriendDecl, *PragmaDecl, *EmptyDecl
		Members []Decl
	}
	// Base is a base class, or with "..." one for each element of a pack.
	Base struct {
		Pos    Pos
		Access string // "public", "private", "protected", or "" where none is written
		Type   TypeExpr
		Pack   bool
	}
	// EnumDecl is an enumeration.
	EnumDecl struct {
		node
		Scoped     bool // enum class
		Name       string
		Underlying TypeExpr // nil if not given
		Body       bool
		Values     []Enumerator
	}
	// Enumerator is Name [= Value].
	Enumerator struct {
		Pos   Pos
		Name  string
		Value Expr
	}
	// TypedefDecl is "typedef Type Name;" or "using Name = Type;" (Using).
	TypedefDecl struct {
		node
		Template *Template
		Using    bool
		Name     string
		Type     TypeExpr
	}
	// UsingDecl is "using namespace Name;", "namespace Alias = Name;", "using Name;",
	// "using Name...;" or "using enum Name;".
	UsingDecl struct {
		node
		Enum      bool
		Pack      bool
		Namespace bool
		Alias     string
		Name      *Name
	}
	// NamespaceDecl is a namespace; Name is "" for an unnamed one.
	NamespaceDecl struct {
		node
		Inline bool
		Name   string
		Decls  []Decl
	}
	// StaticAssert is static_assert '(' X [, "Msg"] ')'.
	StaticAssert struct {
		node
		X   Expr
		Msg string
	}
	// PragmaDecl is a #pragma that concerns the program, between declarations
	// or at the head of a block: Text is all after "#pragma", e.g.
	// "METAL fp contract(off)", "clang loop unroll(full)", "unroll".
	PragmaDecl struct {
		node
		Text string
	}
	// AccessDecl is "public:" in a struct or class; Access is "public",
	// "private" or "protected".
	AccessDecl struct {
		node
		Access string
	}
	// FriendDecl is "friend class X;" or "friend X;" in a class; Type is a *NamedType.
	// A friend that is a function is a FuncDecl.
	FriendDecl struct {
		node
		Template *Template
		Type     TypeExpr
	}
	// EmptyDecl is a lone ';', or a type before it that declares nothing.
	EmptyDecl struct {
		node
		Typed bool
	}
)

func (*VarDecl) declNode()       {}
func (*FuncDecl) declNode()      {}
func (*Instantiation) declNode() {}
func (*StructDecl) declNode()    {}
func (*EnumDecl) declNode()      {}
func (*TypedefDecl) declNode()   {}
func (*UsingDecl) declNode()     {}
func (*NamespaceDecl) declNode() {}
func (*StaticAssert) declNode()  {}
func (*PragmaDecl) declNode()    {}
func (*AccessDecl) declNode()    {}
func (*FriendDecl) declNode()    {}
func (*EmptyDecl) declNode()     {}

// Statements

type (
	// BlockStmt is '{' List '}'.
	BlockStmt struct {
		node
		List []Stmt
		End  Pos // of the closing brace
	}
	// DeclStmt is a declaration in a block; several VarDecls for "int a, b;".
	DeclStmt struct {
		node
		Decls []Decl
	}
	// ExprStmt is X ';'.
	ExprStmt struct {
		node
		X Expr
	}
	// IfStmt is "if" ["constexpr"] '(' [Init] Cond ')' Then ["else" Else].
	// A condition that declares a variable has CondDecl set and Cond nil.
	IfStmt struct {
		node
		Constexpr bool
		Init      Stmt
		Cond      Expr
		CondDecl  *VarDecl
		Then      Stmt
		Else      Stmt // nil if absent
	}
	// ForStmt is "for" '(' Init Cond ';' Post ')' Body. Pragmas holds the
	// loop pragmas written before it ("unroll", "clang loop unroll(full)").
	ForStmt struct {
		node
		Pragmas []string
		Attrs   []*Attr
		Init    Stmt // *DeclStmt, *ExprStmt or *EmptyStmt
		Cond    Expr // nil if absent
		Post    Expr // nil if absent
		Body    Stmt
	}
	// RangeStmt is "for" '(' Var ':' X ')' Body.
	RangeStmt struct {
		node
		Pragmas []string
		Attrs   []*Attr
		Var     *VarDecl
		X       Expr
		Body    Stmt
	}
	// WhileStmt is "while" '(' Cond ')' Body.
	WhileStmt struct {
		node
		Pragmas []string
		Cond    Expr
		Body    Stmt
	}
	// DoStmt is "do" Body "while" '(' Cond ')' ';'.
	DoStmt struct {
		node
		Pragmas []string
		Body    Stmt
		Cond    Expr
	}
	// SwitchStmt is "switch" '(' X ')' Body; case labels are statements of Body.
	SwitchStmt struct {
		node
		X    Expr
		Body *BlockStmt
	}
	// CaseStmt is "case" X ':', "case" X "..." Last ':' or, with X nil, "default" ':'.
	CaseStmt struct {
		node
		X    Expr
		Last Expr // nil if absent
	}
	// BreakStmt leaves a loop or a switch.
	BreakStmt struct{ node }
	// ContinueStmt goes on with the next iteration of a loop.
	ContinueStmt struct{ node }
	// ReturnStmt is "return" [X] ';'.
	ReturnStmt struct {
		node
		X Expr
	}
	// EmptyStmt is [Attrs] ';', with attributes in "[[fallthrough]];".
	EmptyStmt struct {
		node
		Attrs []*Attr
	}
)

func (*BlockStmt) stmtNode()    {}
func (*DeclStmt) stmtNode()     {}
func (*ExprStmt) stmtNode()     {}
func (*IfStmt) stmtNode()       {}
func (*ForStmt) stmtNode()      {}
func (*RangeStmt) stmtNode()    {}
func (*WhileStmt) stmtNode()    {}
func (*DoStmt) stmtNode()       {}
func (*SwitchStmt) stmtNode()   {}
func (*CaseStmt) stmtNode()     {}
func (*BreakStmt) stmtNode()    {}
func (*ContinueStmt) stmtNode() {}
func (*ReturnStmt) stmtNode()   {}
func (*EmptyStmt) stmtNode()    {}

// Expressions

type (
	// NameExpr is a name used as a value, or the callee of a call.
	NameExpr struct {
		node
		Name *Name
	}
	// IntLit is an integer or character literal. Suffix is lower case: "", "u", "l", "ul".
	IntLit struct {
		node
		Text   string
		Value  uint64
		Suffix string
		Hex    bool // hexadecimal, octal or binary: may become unsigned
		Chars  int  // of a character constant, otherwise 0
	}
	// FloatLit is a floating literal. Value is the literal's decimal or hex
	// value rounded once to the suffix's format and held exactly: f32 for ""
	// and "f", f16 for "h", bfloat for "bf".
	FloatLit struct {
		node
		Text   string
		Value  float64
		Suffix string
	}
	// UserLit is a number with a suffix that a program defines. Text is the number without it; Operator names the
	// function that makes a value of it.
	UserLit struct {
		node
		Text     string
		Operator *Name
	}
	// BoolLit is true or false.
	BoolLit struct {
		node
		Value bool
	}
	// StringLit appears in attributes and static_assert only.
	StringLit struct {
		node
		Value string
	}
	// NullLit is nullptr.
	NullLit struct{ node }
	// BadExpr stands for what is no expression, which has been reported.
	BadExpr struct{ node }
	// ThisExpr is this.
	ThisExpr struct{ node }
	// ParenExpr is '(' X ')'.
	ParenExpr struct {
		node
		X Expr
	}
	// UnaryExpr is Op X with Op one of + - ! ~ * & ++ --.
	UnaryExpr struct {
		node
		Op string
		X  Expr
	}
	// PostfixExpr is X Op with Op ++ or --.
	PostfixExpr struct {
		node
		Op string
		X  Expr
	}
	// BinaryExpr is X Op Y, including && || and the comma.
	BinaryExpr struct {
		node
		Op   string
		X, Y Expr
	}
	// AssignExpr is X Op Y with Op one of = += -= *= /= %= &= |= ^= <<= >>=.
	AssignExpr struct {
		node
		Op   string
		X, Y Expr
	}
	// CondExpr is Cond ? X : Y, or Cond ?: Y with X nil.
	CondExpr struct {
		node
		Cond, X, Y Expr
	}
	// CallExpr is Fun '(' Args ')'. T(x) with T known to be a type is a ConstructExpr.
	CallExpr struct {
		node
		Fun  Expr
		Args []Expr
	}
	// IndexExpr is X '[' Index ']'.
	IndexExpr struct {
		node
		X, Index Expr
	}
	// MemberExpr is X '.' Member or X "->" Member (Arrow).
	MemberExpr struct {
		node
		X      Expr
		Arrow  bool
		Member *Name
	}
	// CastExpr is '(' Type ')' X, or Keyword '<' Type '>' '(' X ')' with
	// Keyword static_cast, reinterpret_cast, const_cast or as_type.
	CastExpr struct {
		node
		Keyword string // "" for the C form
		Type    TypeExpr
		X       Expr
	}
	// ConstructExpr is Type '(' Args ')' or Type '{' Args '}' (Brace), where Fields names
	// the designators; it is nil if there are none.
	ConstructExpr struct {
		node
		Type   TypeExpr
		Args   []Expr
		Brace  bool
		Fields []string
	}
	// SizeofExpr is "sizeof" or "alignof" of a type or of an expression, or
	// "sizeof...(Pack)" with X the name of the pack, or offsetof(Type, X) where X begins
	// with the name of a member.
	SizeofExpr struct {
		node
		Align  bool
		Pack   bool
		Offset bool
		Type   TypeExpr
		X      Expr
	}
	// PackExpr is X "...", an expanded pack in a list of arguments.
	PackExpr struct {
		node
		X Expr
	}
	// FoldExpr is (X Op ...), (... Op X), (X Op ... Op Init) or (Init Op ... Op X);
	// Left tells that the dots stand before X.
	FoldExpr struct {
		node
		Op   string
		X    Expr
		Init Expr // nil if absent
		Left bool
	}
	// LambdaExpr is '[' [Default] {, Captures} ']' [Template] [Params] [-> Result] Body.
	LambdaExpr struct {
		node
		Template *Template // nil if absent
		Default  string    // "=", "&" or ""
		Captures []Capture
		Params   []*Param
		Mutable  bool
		Result   TypeExpr // nil if it is deduced
		Body     *BlockStmt
	}
	// StmtExpr is '(' Body ')', whose value is that of its last statement.
	StmtExpr struct {
		node
		Body *BlockStmt
	}
	// Capture is [&] Name [= Init], or "this" or "*this".
	Capture struct {
		Pos  Pos
		Name string
		Ref  bool
		Init Expr // nil if absent
	}
	// InitList is '{' Elems '}'; only as an initialiser, an argument or a
	// returned value. Fields names the designators, "" where there is none. Places,
	// nil if no element has an array designator, has one for each element.
	InitList struct {
		node
		Elems       []Expr
		Fields      []string
		Designators []*ArrayDesignator
		Paren       bool // written (…) after a declarator
	}
	// ArrayDesignator is the array designator [First] or [First ... Last]; Last is nil without "...".
	ArrayDesignator struct{ First, Last Expr }
)

func (*NameExpr) exprNode()      {}
func (*IntLit) exprNode()        {}
func (*UserLit) exprNode()       {}
func (*FloatLit) exprNode()      {}
func (*BoolLit) exprNode()       {}
func (*StringLit) exprNode()     {}
func (*NullLit) exprNode()       {}
func (*BadExpr) exprNode()       {}
func (*ThisExpr) exprNode()      {}
func (*ParenExpr) exprNode()     {}
func (*UnaryExpr) exprNode()     {}
func (*PostfixExpr) exprNode()   {}
func (*BinaryExpr) exprNode()    {}
func (*AssignExpr) exprNode()    {}
func (*CondExpr) exprNode()      {}
func (*CallExpr) exprNode()      {}
func (*IndexExpr) exprNode()     {}
func (*MemberExpr) exprNode()    {}
func (*CastExpr) exprNode()      {}
func (*ConstructExpr) exprNode() {}
func (*SizeofExpr) exprNode()    {}
func (*InitList) exprNode()      {}
func (*PackExpr) exprNode()      {}
func (*FoldExpr) exprNode()      {}
func (*LambdaExpr) exprNode()    {}
func (*StmtExpr) exprNode()      {}

// one is a list of one declaration.
func one(d Decl) []Decl { return []Decl{d} }
