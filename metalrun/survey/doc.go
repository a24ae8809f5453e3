// Package survey asks a device in two minutes for everything that Conform assumes of Macs, and holds the answers
// against these assumptions anywhere.
//
// A [Report] is made in sections, each kept as soon as it is there: what the device has and does (package probe), what
// its compiler says of every shader file, what it makes of every kernel, and the types of the system's methods. A
// section that fails is part of the report.
//
// [Assumptions] are what was believed when nobody had measured: each has a name, what depends on it, and a judge that
// reads a report. A judge says confirmed or refuted only of what the report has; everything else was not asked.
//
// The rule of the layer: a report has what a device said, and no opinion. Opinions are made of it when it is read, so
// that an old file answers new questions.
package survey
