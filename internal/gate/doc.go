// Package gate judges a change: a pull request, or what has not been committed yet.
//
// A [Gate] has two states of a repository, the commit where the change begins and the work tree. Each state has
// kernels, and rules: specifications, declarations and all else that decides. A [Side] is kernels under rules. Three
// are judged:
//
//   - the base's kernels by the base's rules: what failed before;
//   - the head's kernels by the base's rules: whether the change keeps what was asked of it;
//   - the head's kernels by the head's rules, where these may say something else.
//
// The change passes if both judgements of the head do. The rule: only the base decides. What the change's own rules ask
// for less is told by name, and fails unless the policy of the base or a maintainer allows it. A failure is known if
// the base has the same one, no better, with elements compared. Of an error nothing is known.
//
// The scope follows from contents: a kernel is judged if any text differs that it is made of, or that decides of it,
// whatever links, submodules or options lead there. The base is a checkout of its own, see package checkout. It is a
// commit of the outermost repository: a submodule's own history, which a change may choose, decides nothing.
//
// A failure that is new is shown at a changed line. Hunks of the difference are taken back one by one: the hunk without
// which a case passes, or which alone makes it fail, is the culprit.
//
// Git runs as a command, in an environment that no variable of a hook redirects. Files of the repository are untrusted.
package gate
