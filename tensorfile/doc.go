// Package tensorfile reads arrays from the files of other tools, NumPy's .npy and .npz and the
// .safetensors of PyTorch and others, and writes the last.
//
// The rule of the layer: bytes and numbers, nothing of kernels. A file may come from anybody:
// what it says of sizes is held against the bytes that are there before memory is taken for
// them, and what does not add up is refused.
package tensorfile
