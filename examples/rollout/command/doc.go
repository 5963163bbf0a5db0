// Package command is the command line of the planner: Program.Run is the whole of it. A program that can read a cluster gives it Live.
//
// The files, in reading order:
//
//	command.go                      Program, the root command, errors and exit codes
//	input.go, set.go, set_faults.go dumps and the document, with --set, and what is wrong with them
//	ineffective.go                  settings that do nothing with the strategy
//	plan.go, plan_groups.go         plan: the next actions, and the nodes by shape
//	explain.go                      explain: why nodes move or do not, and what a reason means
//	tree.go                         tree: the owner, its DaemonSets and their Pods
//	difference.go                   plan --diff: what changed between two dumps, and why
//	actions.go                      actions in words
//	simulate.go                     simulate: one run, and what is tried around it
//	timings.go                      how long things take
//	faults.go, faults_kinds.go      --fault and --image
//	inherited.go                    what fails in the inputs, and goes on failing
//	decide.go                       --decide, and what either direction costs
//	check_plans.go                  plans are validated on a second core
//	timeline.go, gantt.go           what happened, in lines and in a picture
//	summary.go, summary_json.go     what it cost
//	bound.go                        the lower bound in words
//	compare.go                      compare: every way to roll
//	compare_rows.go                 its rows, several at the same time
//	compare_table.go                the table, a row when it is made
//	compare_json.go                 the same for programs
//	advise.go                       advise: settings that keep a deadline
//	verify.go, verify_print.go      verify: every state of a few nodes
//	render.go, diff.go, check.go    render and check-template
//	import.go                       import, of package extendeddaemonset
//	history.go                      what the plans of a run say, for the page
//	html.go, html_simulate.go, html_compare.go, html_plan.go
//	                                -o html, by package page
//	output.go                       JSON and YAML, with version and kind
//	table.go, natural.go            aligned text, and names in the order of people
//	terminal.go                     width and colour
//	terminal_ioctl.go               asked of a terminal
//	terminal_other.go               where that cannot be asked
//	progress.go                     how far a long work is
//	decision.go                     decide: a decision as a patch
//	watch.go                        watch: a rollout on a cluster, until it ends
//	version.go                      what the binary was built from
package command
