// Package metallib reads the container in which Apple's compiler stores a Metal library.
//
// # Theory
//
// A library begins with "MTLB" and has four sections: a table of functions, two sections of metadata, and bitcode. The
// header says where they are. An entry of the table is a list of tags: the name and kind of a function, the digest and
// size of its bitcode, where its bitcode and metadata are within their sections, and the versions of AIR and of the
// language. Each kernel has a bitcode module of its own. Apple has not published the format; this reader rests on the
// public description by YuAo (MetalLibraryArchive) and on libraries of Xcode 14 to 26.
//
// A fat file is a table of slices, each a library for another platform.
//
// # Data structures
//
// [Library] is one slice with its functions; [Function] has the bytes of its module, which share the file's memory.
//
// # Invariants
//
// Every slice and module lies within the file. Reading takes time and memory proportional to the table of functions.
//
// # The rule of the layer
//
// metallib knows nothing of bitcode or of kernels.
package metallib
