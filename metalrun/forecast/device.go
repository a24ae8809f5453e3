package forecast

import "metalconform/metalrun"

// Device is an Apple GPU as others have measured and described it.
type Device struct {
	Name       string
	Cores      int
	Clock      float64 // Hz
	Simdgroups float64 // that a core holds at most
	Registers  float64 // bytes of a core
	Memory     float64 // bytes of threadgroup memory of a core
	Last       float64 // bytes of the last cache
	Bandwidth  float64 // of the memory, bytes a second
	Cycles     [metalrun.Classes]float64
}

// Model forecasts times on a device.
type Model struct {
	Device     Device
	Parameters Parameters
}

var apple7 = [metalrun.Classes]float64{
	metalrun.FloatAdd: 1, metalrun.FloatMultiply: 1, metalrun.FloatFused: 1, metalrun.FloatOther: 1, metalrun.Half: 1,
	metalrun.Conversion: 4, metalrun.Integer: 1, metalrun.IntegerMultiply: 4, metalrun.Integer64: 3, metalrun.IntegerDivision: 30,
	metalrun.Division: 6, metalrun.Root: 8, metalrun.Exponential: 4, metalrun.Circular: 14.3, metalrun.Function: 40,
	metalrun.Matrix: 20, metalrun.Shuffle: 2, metalrun.Reduction: 14,
}

var M1Pro = Device{"m1pro", 16, 1.296e9, 96, 208 << 10, 60 << 10, 24 << 20, 200e9, apple7}
