// Package probe finds out what a device can do, and what it does where Metal leaves a
// choice: by small kernels, through the interface that every runner has.
//
// The rule of the layer: an answer is what the device was seen to do on operands for
// which the possible answers differ. What matches none of them is called so, and what the
// device refuses is an answer, too.
package probe
