package lanes

// Native is the fastest table that this processor can run.
func Native() *Table { return Portable }
