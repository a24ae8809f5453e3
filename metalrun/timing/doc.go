// Package timing takes the times of launches.
//
// The rule of the layer: a time is the median of samples with the interval that holds
// the true one, taken when they have become steady. What a submission costs by itself is
// no part of it: where buffers can stay on the device, a sample is the difference between
// n and 2n launches in one submission, divided by n. What is compared is taken in turns,
// there and back (A B B A), so that a drift of the clock touches all alike. Where a device has a clock of its own, a
// canary of pure arithmetic is timed between samples: a sample around which its time moves does not count.
package timing
