// Package serve shows the pages of results to browsers on this machine, and follows a run that writes the results.
//
// [Pages] makes the pages of a generation into a directory of its own whenever the results have changed, and then
// replaces the former generation at once. A page asks for the number of the generation now and then, and loads itself
// again when the number has grown. [Serve] bounds what clients can take, whatever they do: connections, the time of a
// request, and memory, as all clients of a page are written from the same bytes.
//
// The package knows nothing of flags or of where results come from: a [Source] reads them.
package serve
