// Package forecast says how long an Apple GPU is likely to take, on a machine that has none.
//
// The simulator counts what a launch asks of a device ([metalrun.Profile]). A [Device] is what others have published of
// a GPU. A [Model] computes from both the time that the launch would take with each [Resource] if the others were free.
// Resources work at the same time, but not perfectly. A few numbers that nobody has published are fitted to measured
// times. Each forecast has an interval: for tasks that the fit had not seen, four of five measured times lay in it.
//
// The rule of the layer: a forecast is never a measurement. All output says "forecast", and this package launches
// nothing.
package forecast
