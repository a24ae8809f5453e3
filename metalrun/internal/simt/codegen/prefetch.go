package codegen

// pace gives an access of a run the number of its pace.
func (c *Compiler) pace() int {
	c.P.Paces++
	return c.P.Paces - 1
}
