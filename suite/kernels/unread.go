package kernels

import "metalconform/suite"

// Elements that no result may depend on. TestUnread asks the oracles whether the
// declarations are right, and whether any is missing.

// everything is the whole of a buffer: one that a kernel writes without reading it.
func everything(extents ...suite.Extent) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		return []suite.Range{{First: 0, End: suite.Product(extents...).Size(s)}}
	}
}

// rowsFrom are the rows of a matrix from first on.
func rowsFrom(first, rows, width suite.Extent) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		return []suite.Range{{First: first.Size(s) * width.Size(s), End: rows.Size(s) * width.Size(s)}}
	}
}

// rowsWithin are, of matrices that follow each other, the rows that keep does not
// keep.
func rowsWithin(matrices, rows, width suite.Extent,
	keep func(s suite.Shape, row int) bool) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		var ranges []suite.Range
		n, w := rows.Size(s), width.Size(s)
		for row := range matrices.Size(s) * n {
			if !keep(s, row%n) {
				ranges = append(ranges, suite.Range{First: row * w, End: (row + 1) * w})
			}
		}
		return ranges
	}
}
