//go:build !amd64

package loops

// Native is Portable on these architectures.
func Native() *Table { return tables[0] }

// tables are those that these processors can run.
var tables = []*Table{Portable}
