// Package covering makes covering arrays: few rows of values that bring together every class of one factor with every
// class of another.
//
// A fault often needs two values at once, such as a width of 64 and a causal mask. Rows that vary one factor at a time
// never meet it. An array of strength 2 has a row for each pair of classes of two factors, and an array of strength 3
// for each triple. The number of rows grows with the two or three largest factors, and not with the product of all.
//
// The array is made row by row. A row begins from the first tuple of classes that no row has. It takes the values of
// the base row elsewhere, and is repaired until the caller's constraints hold. Then each free factor takes the class
// that brings most new tuples. This is the greedy method of AETG (Cohen, Dalal, Fredman and Patton, 1997), with a fixed
// order in place of random candidates.
//
// Invariants: rows depend on the arguments alone. Every row is possible and affordable by the caller's word. A tuple is
// covered, missing, or refused: no possible row was found that has it. The work is bounded, whatever the factors are.
//
// The rule of the layer: covering knows integers and names, and nothing of kernels.
package covering
