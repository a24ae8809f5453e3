package codegen

// predictor gives the number of a stride predictor for an access of a run.
func (c *Compiler) predictor() int {
	c.P.Predictors++
	return c.P.Predictors - 1
}
