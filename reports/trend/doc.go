// Package trend finds where verdicts, errors and times changed over many runs.
//
// Runs are compared only with runs of the same device, system and options. A change is
// attributed to the commits between two runs, and never to one that was not run.
package trend
