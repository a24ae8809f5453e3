// Package forecast says how long an Apple GPU is likely to take, on a machine that has none.
//
// What a launch asks of a device is counted ([metalrun.Profile]); a [Device] is what others
// have published of it. A [Model] puts the two together: the seconds that each [Resource]
// would take alone, which work side by side but not quite. The few numbers that nobody has
// published are fitted to times that were measured, and every forecast carries the interval
// in which four of five measured times lay for tasks that the fit had not seen.
//
// The rule of the layer: a forecast is never a measurement. What is printed of it says
// "forecast", and nothing here launches anything.
package forecast
