// Package judge judges single sources for programs that look for kernels, such as loops of language
// models.
//
// Whoever is judged again and again learns what the judge looks at. So a source is judged at points that
// the seed draws as well as at those of its specification, and a kernel that
// conforms where it could expect to be asked and not elsewhere is told apart from one that is wrong: it is tuned to
// the sizes, takes a number for a constant, leaves out work where there is much of it, ignores an input, or makes
// use of what an output holds before the launch. To read the pattern that marks elements as unwritten is a fault.
//
// Whoever is bounded by his own roundings can lose what he likes: so the accuracy of what conforms is held against
// what the definition costs when it is evaluated operation by operation ([suite.Loss]).
//
// The rule of the layer: a source comes from anybody. It is bounded in size and in instructions, and runners are
// handed in. Every name of a check here has a fault that only it tells (TestChecks).
package judge
