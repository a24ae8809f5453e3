package syntax

// Codes of the errors of this package, one for each rule. They are stable:
// machines and tests match on them.
const (
	// Scanner.
	codeIllegalChar  = "illegal-character"      // a byte that no token begins with
	codeUnterminated = "unterminated"           // comment, string, conditional or macro call without an end
	codeBadNumber    = "bad-number"             // 1.2.3, 08, 0x, 1.0q
	codeBadChar      = "bad-character-constant" // '', 'ab', '\q'

	// Preprocessor.
	codeDirective    = "bad-directive"     // unknown or malformed directive
	codeInclude      = "include-not-found" // a file or header that is not there
	codeMacro        = "bad-macro"         // malformed definition, wrong number of arguments, bad ##
	codeCondition    = "bad-condition"     // a #if expression that is none
	codeConditional  = "conditional"       // #else, #elif, #endif out of place
	codeErrorMessage = "error-directive"   // #error
	codePragma       = "bad-pragma"        // malformed METAL, STDC or unroll pragma
	codeLimit        = "limit"             // too deep or too big

	// Parser.
	codeExpected       = "expected-token"      // got X, want Y
	codeExpectedExpr   = "expected-expression" // got X, want an expression
	codeExpectedType   = "expected-type"       // got X, want a type
	codeExpectedName   = "expected-name"       // got X, want a name
	codeExpectedStmt   = "expected-statement"  // got X, want a statement
	codeUnknownType    = "unknown-type"        // a name used as a type and not declared as one
	codeTypename       = "missing-typename"    // a dependent type without typename
	codeTemplate       = "missing-template"    // arguments of a dependent member without template
	codeSpecifier      = "bad-specifier"       // specifiers that do not go together
	codeNotMetalType   = "not-a-metal-type"    // double, long long
	codeNotMetal       = "not-in-metal"        // goto, virtual, new
	codeUnsupported    = "unsupported"         // in the language, not in this front end
	codePragmaPosition = "pragma-position"     // a pragma where it may not stand
	codeMisplaced      = "misplaced"           // a construct outside its context: case without switch
)
