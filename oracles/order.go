package oracles

// order is a sum as an oracle forms it: what the oracle calls it, and the order
// of its terms.
type order struct {
	name string
	Schedule
}

// order is the sum called name, as the contract declares it.
func (c Contract) order(name string) order {
	if c.Tracer != nil {
		c.Tracer.asked[name] = true
	}
	return order{name, c.Sum(name)}
}

// inAnyOrder is a sum that no contract declares.
func inAnyOrder(name string) order { return order{name, AnyOrder()} }
