// Package budget does the arithmetic of a rollout's pacing: percentages, the ledger of a plan's
// nodes and the four limits that every move must pass. It knows numbers only: no nodes, no Pods, no
// clock.
//
// A ledger accounts for every eligible node:
//
//	eligible = available + ambient + committed
//
// Committed nodes are unavailable because the rollout moved them; ambient nodes are unavailable for
// any other cause. A handoff is paid if it takes an available node, and free if the node was
// unavailable before:
//
//	paid: committed + ambient − exempt + 1 ≤ maxUnavailable
//	free: committed + 1 ≤ maxUnavailable
//
// A free handoff takes a seat as well: otherwise a crashing source would spend a second node on a
// revision that hangs. Worked example, 20 nodes, maxUnavailable 3: with 1 committed and 1 ambient node
// one more available node may be taken (1 + 1 + 1 ≤ 3), and then none (2 + 1 + 1 > 3), while the ambient
// node may still be moved (2 + 1 ≤ 3).
//
// Begin with Resolve, which makes a number of nodes of a setting, put the numbers into Limits and what stands against them
// into an Account, and ask Account.Admit for each move.
//
// What the package is not: it does not choose nodes and it does not order moves. The caller asks move
// by move, in its own order, and every answer depends on the moves that were admitted before.
package budget
