// Package property states the promises of the planner once, as data: [All] lists them with their sentences, what a driver
// must offer for each to be judged, the predicates, and the names of the faulty planners that each one kills.
//
// [Open] are promises that the planner is known not to keep everywhere yet; they are judged only where somebody asks for them.
//
// A driver is whatever lets a rollout go on: the random games of package plan's tests, package simulate, and the exhaustive
// search of package verify. It says once what it can offer ([Offer]), asks [For] for the properties that it can judge, and
// shows them what happens: every state of the world, every plan with its snapshot, every step, and the end. No driver has
// predicates of its own, and what plan.Validate judges is asked of it and not written here again.
package property
