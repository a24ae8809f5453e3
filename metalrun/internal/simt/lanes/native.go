//go:build !amd64

package lanes

// Native is Portable on this architecture.
func Native() *Table { return Portable }
