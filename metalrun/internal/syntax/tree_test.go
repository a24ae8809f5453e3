package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// prelude declares what statementTrees use.
const prelude = "struct T { int y; T(int); }; template <typename A, int N = 1> struct X { A a; using type = A; };\n" +
	"template <typename A> A f(A a); float a, b, c; int g(int);\n"

// statementTrees are the trees of what is easily parsed wrongly: where C++
// needs to know what a name denotes, and how declarators and operators nest.
var statementTrees = []struct{ stmt, want string }{
	{"T * p;", `DeclStmt{Decls:[VarDecl{Type:PointerType{Elem:T} Name:"p"}]}`},
	{"a * b;", `ExprStmt{X:BinaryExpr{Op:"*" X:a Y:b}}`},
	{"T(p);", `DeclStmt{Decls:[VarDecl{Type:T Name:"p"}]}`},
	{"T(1);", `ExprStmt{X:ConstructExpr{Type:T Args:[1]}}`},
	{"T(b).y;", `ExprStmt{X:MemberExpr{X:ConstructExpr{Type:T Args:[b]} Member:y}}`},
	{"a(b);", `ExprStmt{X:CallExpr{Fun:a Args:[b]}}`},
	{"(T)-1;", `ExprStmt{X:CastExpr{Type:T X:UnaryExpr{Op:"-" X:1}}}`},
	{"(a)-1;", `ExprStmt{X:BinaryExpr{Op:"-" X:ParenExpr{X:a} Y:1}}`},
	{"(T(1));", `ExprStmt{X:ParenExpr{X:ConstructExpr{Type:T Args:[1]}}}`},
	{"(float(int(a)));", `ExprStmt{X:ParenExpr{X:ConstructExpr{Type:float Args:[ConstructExpr{Type:int Args:[a]}]}}}`},
	{"f<int>(1);",
		`ExprStmt{X:CallExpr{Fun:Name{Parts:[NamePart{Ident:"f" HasArgs:true Args:[TemplateArg{Type:int}]}]} ` +
			`Args:[1]}}`},
	{"a < b > c;", `ExprStmt{X:BinaryExpr{Op:">" X:BinaryExpr{Op:"<" X:a Y:b} Y:c}}`},
	{"X<X<int>> x;",
		`DeclStmt{Decls:[VarDecl{Type:Name{Parts:[NamePart{Ident:"X" HasArgs:true ` +
			`Args:[TemplateArg{Type:Name{Parts:[NamePart{Ident:"X" HasArgs:true Args:[TemplateArg{Type:int}]}]}}]}]} ` +
			`Name:"x"}]}`},
	{"a >> b;", `ExprStmt{X:BinaryExpr{Op:">>" X:a Y:b}}`},
	{"a >>= b;", `ExprStmt{X:AssignExpr{Op:">>=" X:a Y:b}}`},
	{"X<int, (1 > 2)>::type x = 0;",
		`DeclStmt{Decls:[VarDecl{Type:Name{Parts:[NamePart{Ident:"X" HasArgs:true Args:[TemplateArg{Type:int} ` +
			`TemplateArg{X:ParenExpr{X:BinaryExpr{Op:">" X:1 Y:2}}}]} NamePart{Ident:"type"}]} Name:"x" Init:0}]}`},
	{"float *p[3], (*q)[3];",
		`DeclStmt{Decls:[VarDecl{Type:ArrayType{Elem:PointerType{Elem:float} Len:3} Name:"p"} ` +
			`VarDecl{Type:PointerType{Elem:ArrayType{Elem:float Len:3}} Name:"q" Joined:true}]}`},
	{"float m[2][3];", `DeclStmt{Decls:[VarDecl{Type:ArrayType{Elem:ArrayType{Elem:float Len:3} Len:2} Name:"m"}]}`},
	{"float (*h)(int) = 0;",
		`DeclStmt{Decls:[VarDecl{Type:PointerType{Elem:FuncType{Result:float Params:[Param{Type:int}]}} Name:"h" ` +
			`Init:0}]}`},
	{"device const float *const p = 0;",
		`DeclStmt{Decls:[VarDecl{Type:QualType{Quals:Quals{Const:true} ` +
			`Base:PointerType{Elem:QualType{Quals:Quals{Const:true Space:device} Base:float}}} Name:"p" Init:0}]}`},
	{"const float device *p = 0;",
		`DeclStmt{Decls:[VarDecl{Type:PointerType{Elem:QualType{Quals:Quals{Const:true Space:device} Base:float}} ` +
			`Name:"p" Init:0}]}`},
	{"thread float (&r)[2] = *(thread float (*)[2])0;",
		`DeclStmt{Decls:[VarDecl{Type:ReferenceType{Elem:ArrayType{Elem:QualType{Quals:Quals{Space:thread} ` +
			`Base:float} Len:2}} Name:"r" Init:UnaryExpr{Op:"*" ` +
			`X:CastExpr{Type:PointerType{Elem:ArrayType{Elem:QualType{Quals:Quals{Space:thread} Base:float} Len:2}} ` +
			`X:0}}}]}`},
	{"T x(1), y{1}, z = {1}, w(1, 2);", `DeclStmt{Decls:[VarDecl{Type:T Name:"x" Init:1 Direct:true} ` +
		`VarDecl{Type:T Name:"y" Init:InitList{Elems:[1] Fields:[""]} Direct:true Joined:true} ` +
		`VarDecl{Type:T Name:"z" Init:InitList{Elems:[1] Fields:[""]} Joined:true} ` +
		`VarDecl{Type:T Name:"w" Init:InitList{Elems:[1 2] Fields:["" ""] Paren:true} Direct:true Joined:true}]}`},
	{"T proto(int);", `DeclStmt{Decls:[FuncDecl{Result:T Name:proto Params:[Param{Type:int}]}]}`},
	{"unsigned long u; unsigned v; signed char w;",
		`DeclStmt{Decls:[VarDecl{Type:ulong Name:"u"}]} DeclStmt{Decls:[VarDecl{Type:uint Name:"v"}]} ` +
			`DeclStmt{Decls:[VarDecl{Type:char Name:"w"}]}`},
	{"int T = 1; T * a;", `DeclStmt{Decls:[VarDecl{Type:int Name:"T" Init:1}]} ExprStmt{X:BinaryExpr{Op:"*" X:T Y:a}}`},
	{"{ int T; } T * a;",
		`BlockStmt{List:[DeclStmt{Decls:[VarDecl{Type:int Name:"T"}]}]} ` +
			`DeclStmt{Decls:[VarDecl{Type:PointerType{Elem:T} Name:"a"}]}`},
	{"a ? b : c = 1;", `ExprStmt{X:CondExpr{Cond:a X:b Y:AssignExpr{Op:"=" X:c Y:1}}}`},
	{"a = b, c;", `ExprStmt{X:BinaryExpr{Op:"," X:AssignExpr{Op:"=" X:a Y:b} Y:c}}`},
	{"a || b && c | a ^ b & c == a < b << c + a * -b;",
		`ExprStmt{X:BinaryExpr{Op:"||" X:a Y:BinaryExpr{Op:"&&" X:b Y:BinaryExpr{Op:"|" X:c Y:BinaryExpr{Op:"^" X:a ` +
			`Y:BinaryExpr{Op:"&" X:b Y:BinaryExpr{Op:"==" X:c Y:BinaryExpr{Op:"<" X:a Y:BinaryExpr{Op:"<<" X:b ` +
			`Y:BinaryExpr{Op:"+" X:c Y:BinaryExpr{Op:"*" X:a Y:UnaryExpr{Op:"-" X:b}}}}}}}}}}}}`},
	{"sizeof(T) * a;", `ExprStmt{X:BinaryExpr{Op:"*" X:SizeofExpr{Type:T} Y:a}}`},
	{"sizeof(a)[0];", `ExprStmt{X:SizeofExpr{X:IndexExpr{X:ParenExpr{X:a} Index:0}}}`},
	{"if (a) if (b) c; else a;", `IfStmt{Cond:a Then:IfStmt{Cond:b Then:ExprStmt{X:c} Else:ExprStmt{X:a}}}`},
	{"(float4)(1, 2);", `ExprStmt{X:CastExpr{Type:float4 X:ParenExpr{X:BinaryExpr{Op:"," X:1 Y:2}}}}`},
	{"float4 v = (float4){1, 2};",
		`DeclStmt{Decls:[VarDecl{Type:float4 Name:"v" Init:ConstructExpr{Type:float4 Args:[1 2] Brace:true}}]}`},
	{"struct S { int x; } s, t;", `DeclStmt{Decls:[` +
		`VarDecl{Type:DefinedType{Decl:StructDecl{Keyword:"struct" Name:S Body:true Members:[VarDecl{Type:int ` +
		`Name:"x"}]}} Name:"s"} ` +
		`VarDecl{Type:DefinedType{Decl:StructDecl{Keyword:"struct" Name:S Body:true Members:[VarDecl{Type:int ` +
		`Name:"x"}]}} Name:"t" Joined:true}]}`},
}

// declarationTrees are fields of declarations that statementTrees do not reach.
var declarationTrees = []struct{ decl, want string }{
	{`[[kernel]] void k(device float *x [[buffer(0)]], uint [[thread_position_in_grid]]);`,
		`[FuncDecl{Attrs:[Attr{Name:"kernel"}] Result:void Name:k Params:[` +
			`Param{Type:PointerType{Elem:QualType{Quals:Quals{Space:device} Base:float}} Name:"x" ` +
			`Attrs:[Attr{Name:"buffer" Args:[0]}]} ` +
			`Param{Type:uint Attrs:[Attr{Name:"thread_position_in_grid"}]}]}]`},
	{`template <typename T, int N> kernel void k(T x); template [[host_name("k4")]] kernel void k<float, 4>(float x);`,
		`[FuncDecl{Template:Template{Params:[TemplateParam{Name:"T"} TemplateParam{Name:"N" Type:int}]} ` +
			`Specs:Specs{Kernel:true} Result:void Name:k Params:[Param{Type:T Name:"x"}]} ` +
			`Instantiation{Attrs:[Attr{Name:"host_name" Args:[StringLit{Value:"k4"}]}] Specs:Specs{Kernel:true} ` +
			`Type:void ` +
			`Name:Name{Parts:[NamePart{Ident:"k" HasArgs:true Args:[TemplateArg{Type:float} TemplateArg{X:4}]}]} ` +
			`HasParams:true Params:[Param{Type:float Name:"x"}]}]`},
	{`template <typename T> void k(T x); typedef decltype(k<float>) k_t; template kernel k_t k<half>;`,
		`[FuncDecl{Template:Template{Params:[TemplateParam{Name:"T"}]} Result:void Name:k Params:[Param{Type:T ` +
			`Name:"x"}]} ` +
			`TypedefDecl{Name:"k_t" Type:DecltypeType{X:Name{Parts:[NamePart{Ident:"k" HasArgs:true ` +
			`Args:[TemplateArg{Type:float}]}]}}} ` +
			`Instantiation{Specs:Specs{Kernel:true} Type:k_t Name:Name{Parts:[NamePart{Ident:"k" HasArgs:true ` +
			`Args:[TemplateArg{Type:half}]}]}}]`},
	{`struct S { S(int a) : x(a) {} operator float() const; int x : 3; float operator+(S o) thread; ~S(); };`,
		`[StructDecl{Keyword:"struct" Name:S Body:true Members:[` +
			`FuncDecl{Name:S Params:[Param{Type:int Name:"a"}] Inits:[FieldInit{Name:"x" Args:[a]}] ` +
			`Body:BlockStmt{}} ` +
			`FuncDecl{Name:Name{Parts:[NamePart{Ident:"operator" Conversion:float}]} Quals:Quals{Const:true}} ` +
			`VarDecl{Type:int Name:"x" Bits:3} ` +
			`FuncDecl{Result:float Name:operator+ Params:[Param{Type:S Name:"o"}] Quals:Quals{Space:thread}} ` +
			`FuncDecl{Name:~S}]}]`},
	{`constant float pi = 3.0f, table[2] = {1, 2};`,
		`[VarDecl{Type:QualType{Quals:Quals{Space:constant} Base:float} Name:"pi" Init:FloatLit{Text:"3.0f" Value:3 ` +
			`Suffix:"f"}} ` +
			`VarDecl{Type:ArrayType{Elem:QualType{Quals:Quals{Space:constant} Base:float} Len:2} Name:"table" ` +
			`Init:InitList{Elems:[1 2] Fields:["" ""]} Joined:true}]`},
	{`enum class E : uchar { A = 1, B };`,
		`[EnumDecl{Scoped:true Name:"E" Underlying:uchar Body:true Values:[Enumerator{Name:"A" Value:1} ` +
			`Enumerator{Name:"B"}]}]`},
}

func TestStatementTrees(t *testing.T) {
	for _, c := range statementTrees {
		f := parseText(t, "x.metal", prelude+"void test() { "+c.stmt+" }")
		body := f.Decls[len(f.Decls)-1].(*FuncDecl).Body.List
		var got []string
		for _, s := range body {
			got = append(got, dump(s))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.stmt, diff)
		}
	}
}

func TestDeclarationTrees(t *testing.T) {
	for _, c := range declarationTrees {
		f := parseText(t, "x.metal", c.decl)
		if diff := cmp.Diff(c.want, dump(f.Decls)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.decl, diff)
		}
	}
}
