// Package gate judges a change: a pull request, or what has not been committed yet.
//
// A [Gate] has two states of a repository, the commit where the change begins and the work tree. The scope is what the
// change can affect: kernels whose sources, included files, specifications or oracles differ, and the pipelines that
// launch these kernels. A [Side] is one state with its shaders, declarations and results. Both sides are judged by the
// specifications and with the flags of now, and compared by the policy of the base, so that a change cannot loosen what
// it is judged by.
//
// A failure that is new is shown at a changed line. Hunks of the difference are taken back one by one: the hunk without
// which a case passes, or which alone makes it fail, is the culprit.
//
// Git runs as a command, in an environment that no variable of a hook redirects. Files of the repository are untrusted.
package gate
