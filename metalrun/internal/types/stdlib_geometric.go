package types

// Functions of <metal_geometric> and <metal_matrix>. The order in which
// products are added is the device's choice.
var geometricBuiltins = []builtin{
	{sig: "Ts dot(T x, T y)", over: floatVecs, doc: "sum of products"},
	{sig: "T cross(T x, T y)", over: class{floatKinds, vector3}, doc: "cross product"},
	{sig: "Ts length(T x)", over: floatVecs, prec: true, doc: "sqrt(dot(x, x))"},
	{sig: "Ts length_squared(T x)", over: floatVecs, doc: "dot(x, x)"},
	{sig: "Ts distance(T x, T y)", over: floatVecs, prec: true, doc: "length(x - y)"},
	{sig: "Ts distance_squared(T x, T y)", over: floatVecs, doc: "length_squared(x - y)"},
	{sig: "T normalize(T x)", over: floatVecs, prec: true, doc: "x·rsqrt(dot(x, x))"},
	{sig: "T faceforward(T n, T i, T nref)", over: floatVecs, doc: "n if dot(nref, i) < 0, otherwise -n"},
	{sig: "T reflect(T i, T n)", over: floatVecs, doc: "i - 2·dot(n, i)·n"},
	{sig: "T refract(T i, T n, Ts eta)", over: floatVecs, doc: "direction of refraction, 0 at total reflection"},

	{sig: "Tt transpose(T m)", over: class{floatKinds, matrixShape}, doc: "rows as columns"},
	{sig: "Ts determinant(T m)", over: class{floatKinds, squareShape}, doc: "determinant"},
}
