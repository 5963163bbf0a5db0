// Package dump reads what the offline commands plan on: nodes, Pods and DaemonSets as
// `kubectl get nodes,pods,daemonsets -A -o json` (or yaml) prints them, and one Rollout document.
//
// Begin with Files, or Read for one input; Dump.Snapshot then makes what plan.Next takes, fills in what a person need not write,
// and says so in Dump.Notes. Write is the way back.
//
// An input is YAML or JSON: a stream of documents, each one object or a List (also NodeList, PodList and
// DaemonSetList) of objects. Several inputs make one dump. Objects of other kinds are skipped and counted.
//
// API objects are read as a client of the API reads them: fields that this version does not know are
// ignored, a value of the wrong type is a fault. The Rollout document is ours and is read strictly: unknown
// and repeated fields are faults, in spec.desired too, since a field that is dropped in silence would be
// missing in the rolled out Pods. All faults of all inputs are reported together, each with its line.
//
// # How it is read
//
// Decoding is the work of sigs.k8s.io/json and sigs.k8s.io/yaml. A list is cut at its items, which are decoded on all processors:
// by their brackets in what kubectl prints as JSON, by the column of the dash in YAML. The cut is a guess that is checked: JSON
// whose items are all valid can be cut in one way only, and a YAML item is parsed as the list of one element that it is. If a
// part does not parse the whole is read as one value, with the same result.
//
// A decoder stops at its first fault. All are found by walking an object beside its Go type (walk.go). A schema could do that
// too (k8s.io/kube-openapi validation), but it brings the modules of go-openapi, gnostic and protobuf, has to be made from the types
// first, and knows nothing of repeated keys, of the case of a field's name, and of values that are too long.
//
//	dump.go       Read, Files, Dump, Options, Error
//	text.go       an input as text, cut into documents
//	cut_json.go   a JSON document cut into objects and items
//	cut_yaml.go   a YAML document cut into items, and converted to JSON
//	each.go       work on all processors
//	decode.go     an item as Node, Pod, DaemonSet or Rollout
//	document.go   the Rollout document, with the faults of its values
//	walk.go       every fault of a JSON value beside its type
//	source.go     the lines of faults, and repeated keys
//	place.go      where something stands
//	collect.go    what all the inputs have
//	other.go      objects of other kinds
//	selecting.go  Services and others that select Pods by labels
//	snapshot.go   Dump.Snapshot
//	notes.go      what looks odd and is no fault
//	write.go      Write
//
// # Limits
//
// An input is held in memory and its objects are decoded one by one; Options.MaxBytes bounds it, by default
// at 1 GiB (100,000 Pods of 10 KB). Text must be UTF-8. YAML anchors with aliases are refused: kubectl never
// prints them, and a short file could expand to gigabytes. Values are nested at most 10,000 deep. Of
// one document 1,000 faults are kept, and 50 of all are shown. Lines within an object are told of objects up to 1 MiB. A number,
// quantity, percentage, duration or time has 1,024 bytes at most, since the libraries that read them take time with the square of
// their digits. What is read takes time with its size, YAML some three times as long as JSON.
//
//	go test -fuzz FuzzRead ./model/dump        (and FuzzListItems, FuzzDecode, FuzzPrintedItems; FuzzRollout in ./plan)
package dump
