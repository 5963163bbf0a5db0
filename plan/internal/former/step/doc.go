// Package step holds what every mechanism needs for one planning step, whatever the number of its DaemonSets: the clock by
// which a Pod is available, the place where Pods should run, the one order of admission, the guarded writes, the revision and
// the drift of a template, what was issued, and the words in which a plan reports what holds it.
//
// It decides nothing about a rollout: no function here knows a stage, a slot or a record.
package step
