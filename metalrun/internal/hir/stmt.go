package hir

import "metalconform/metalrun/internal/syntax"

// Stmt is a typed statement.
type Stmt interface{ stmt() }

type (
	// Block is a scope.
	Block struct{ List []Stmt }
	// VarStmt declares a local. Init is nil when the variable is not
	// initialised (its value is indeterminate), an lvalue for a reference.
	// Threadgroup variables of a kernel body are declared so too, without Init.
	VarStmt struct {
		Var  *Var
		Init Expr
	}
	// Cover says that control comes to a statement of the source. There are such where coverage is asked for.
	Cover struct{ Of syntax.StmtID }
	// ExprStmt evaluates X for its effects.
	ExprStmt struct{ X Expr }
	// If has Else nil if absent. Cond is a scalar bool value.
	If struct {
		Cond       Expr
		Then, Else *Block
	}
	// Loop is for, while and do. For each iteration: test Cond (nil: true) unless it is the first iteration of a
	// TestLast loop, run Body, then Post (nil: none). continue goes to Post.
	Loop struct {
		Pos      syntax.Pos
		Cond     Expr
		Post     Expr
		Body     *Block
		TestLast bool // do … while
		Unroll   int  // as [syntax.Unroll] has it
	}
	// Switch runs from the case whose value equals X (an integer value), or
	// from the default, to the next break. Cases are in source order and fall through.
	Switch struct {
		Pos   syntax.Pos
		X     Expr
		Cases []Case
	}
	// Break leaves the innermost Loop or Switch.
	Break struct{ Pos syntax.Pos }
	// Continue goes to the next iteration of the innermost Loop.
	Continue struct{ Pos syntax.Pos }
	// Return leaves the function. X is nil for void.
	Return struct {
		Pos syntax.Pos
		X   Expr
	}
)

// Case is one label of a Switch with the statements up to the next label.
// Declarations before the first label are not supported.
type Case struct {
	Values  []int64 // sign- or zero-extended from the switch type; several labels may stand together
	Default bool
	Body    []Stmt
}

func (*Block) stmt()    {}
func (*VarStmt) stmt()  {}
func (*Cover) stmt()    {}
func (*ExprStmt) stmt() {}
func (*If) stmt()       {}
func (*Loop) stmt()     {}
func (*Switch) stmt()   {}
func (*Break) stmt()    {}
func (*Continue) stmt() {}
func (*Return) stmt()   {}
