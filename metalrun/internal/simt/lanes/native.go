//go:build !amd64 && !arm64

package lanes

// Native is Portable on these architectures.
func Native() *Table { return Portable }

// tables are those that this processor can run, the fastest first.
var tables = []*Table{Portable}
