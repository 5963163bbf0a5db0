// Package extendeddaemonset makes a Rollout document of an ExtendedDaemonSet (datadoghq.com/v1alpha1), and says field by
// field what becomes of it, the defaults that it leaves implicit included. It is an example of how a document of another
// system is taken over; nothing of the planner needs it.
//
// Read a dump that keeps [Kinds], and call Convert on what [Read] finds:
//
//	inputs, err := dump.Options{Keep: extendeddaemonset.Kinds()}.Files("eds.yaml")
//	manifest, err := extendeddaemonset.Read(inputs)
//	imported, err := manifest.Convert()
//	err = imported.Write(os.Stdout)
//
// The files, in reading order:
//
//	types.go      what is read of the API, strictly
//	read.go       the manifest in a dump
//	validate.go   what ExtendedDaemonSet itself refuses, and what it breaks on
//	import.go     the answer: the document, and a line for every field
//	convert.go    fields that have a counterpart
//	unmatched.go  annotations, resources by node, and behaviour, which have none or another
package extendeddaemonset
