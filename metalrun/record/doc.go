// Package record keeps what launches were given and what they wrote, so that what a device
// computed can be judged again on a machine that does not have it.
//
// The rule of the layer: a launch is known by its source, its options, its geometry and
// every byte that it was given. A recorded device answers these launches with the bytes
// that the real one wrote, and no other launch. A file is a launch: its buffers as
// safetensors, compressed by gzip. Nothing in a file is believed before it is checked.
package record
