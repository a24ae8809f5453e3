package types

// BuiltinSignatures lists the prototypes of all functions of the library, in the
// order of their names.
func BuiltinSignatures() (signatures []string) {
	for _, name := range sortedKeys(library()) {
		for _, s := range library()[name] {
			signatures = append(signatures, s.row.sig)
		}
	}
	return signatures
}
