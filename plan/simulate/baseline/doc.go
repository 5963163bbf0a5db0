// Package baseline holds the ways to roll that this library's strategies are compared with, as planners for
// simulate.Run: the native rolling update of one DaemonSet, with maxUnavailable or with maxSurge, and the barrier
// planner of an operator prototype for the prepared pair.
//
// They are comparisons and no strategies: nothing outside of a simulation should run them. What each leaves unsafe
// stands at its function. Each takes its budget from the rollout's spec.strategy.maxUnavailable and leaves every other
// setting of the pacing unread: exemptUnhealthy, settleSeconds, spreadBy, partition, slowStart and maxSurge are not
// theirs. They trust what they see: the list of issued actions is not read, so with lagging caches they may spend
// their budget twice.
package baseline
