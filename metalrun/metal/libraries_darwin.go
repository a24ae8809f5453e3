//go:build !ios

package metal

func libraries() []string { return systemLibraries }
