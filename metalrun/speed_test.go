package metalrun_test

import "metalconform/metalrun"

// bind puts all of data at an index.
func bind(index int, data []byte) metalrun.Binding {
	return metalrun.Binding{Index: index, Data: data, Length: len(data)}
}
