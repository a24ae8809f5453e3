package types

import "metalconform/metalrun/internal/syntax"

// lambda is refused: the language has lambdas from version 4.0 on, this front end none.
func (c *checker) lambda(x *syntax.LambdaExpr) operand {
	if c.cfg.Version < 400 {
		c.errorf(x.Pos(), codeLanguageVersion, "lambda expressions are not supported in Metal %d.%d", c.cfg.Version/100, c.cfg.Version/10%10)
		return operand{}
	}
	c.errorf(x.Pos(), codeUnsupported, "lambdas are not supported")
	return operand{}
}
