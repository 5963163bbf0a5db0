// Package page opens the pages of the command rollout in a browser and looks at them: it has tests only. It is a module of its own, since the
// library and the command need no browser; the script install brings one where Debian's package manager is.
package page
