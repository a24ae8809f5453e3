// Package bitcode reads LLVM bitcode: the binary form of LLVM's intermediate representation, in which Apple's Metal
// compiler stores AIR.
//
// # Theory
//
// A file is a stream of bits. It is a tree of blocks, and a block is a list of records: a code and numbers. Most
// records are written through abbreviations, which say how many bits each number takes. A BLOCKINFO block declares
// abbreviations for all blocks of a kind (LLVM, "LLVM Bitcode File Format"). The numbers of a record name types,
// values and metadata by the order in which they were defined; operands of instructions count backwards from the
// instruction. A record may name a value that is defined later.
//
// # Data structures
//
//   - [Module] has the types, globals, functions and metadata. Functions have blocks, blocks have instructions.
//   - [Value] is a constant, global, argument or the result of an instruction. Operands are pointers to values.
//   - [Node] is a metadata node. Its operands are resolved when somebody asks for them.
//
// # Invariants
//
//   - Every operand of an instruction is defined, and every block that is named exists.
//   - A type that contains another by value is younger than that type, so no type contains itself.
//   - The memory and the time that reading takes are proportional to the size of the file. [Read] returns an error
//     for every other file.
//
// # The rule of the layer
//
// bitcode knows how LLVM stores a module, and the sizes of types by AIR's data layout. It knows nothing of the
// meaning of an instruction, of Metal's functions, or of the IR of this module.
package bitcode
