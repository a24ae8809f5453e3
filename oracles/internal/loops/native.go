//go:build !amd64

package loops

// Native is Portable on these architectures.
func Native() *Table { return Portable }
