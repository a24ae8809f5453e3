//go:build !amd64 && !arm64

package lanes

// Native is Portable on these architectures.
func Native() *Table { return Portable }
