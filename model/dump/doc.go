// Package dump reads what the offline commands plan on: nodes, Pods and DaemonSets as
// `kubectl get nodes,pods,daemonsets -A -o yaml` (or json) prints them, and one Rollout document.
//
// An input is YAML or JSON: a stream of documents, each one object or a List (also NodeList, PodList and
// DaemonSetList) of objects. Several inputs make one dump. Objects of other kinds are skipped and counted.
//
// API objects are read as a client of the API reads them: fields that this version does not know are
// ignored, a value of the wrong type is a fault. The Rollout document is ours and is read strictly: unknown
// and repeated fields are faults, in spec.desired too, since a field that is dropped in silence would be
// missing in the rolled out Pods. All faults of all inputs are reported together.
//
// Begin with Files, or Read for one input; Dump.Snapshot then makes what plan.Next takes, fills in what a person need not write,
// and says so in Dump.Notes. Write is the way back.
//
// # Limits
//
// An input is held in memory and its objects are decoded one by one; Options.MaxBytes bounds it, by default
// at 1 GiB (100,000 Pods of 10 KB). Text must be UTF-8. YAML anchors with aliases are refused: kubectl never
// prints them, and a short file could expand to gigabytes. Values are nested at most 1,000 deep. Of
// one document 1,000 faults are kept, and 50 of all are shown. A number, quantity, percentage, duration or time has 1,024
// bytes at most, since the libraries that read them take time with the square of their digits. What is read takes time with
// its size; YAML outside the plain block style that kubectl prints takes some ten times as long.
//
//	go test -fuzz FuzzRead ./model/dump        (and FuzzBlockParser, FuzzQuickReaders, FuzzPrintedItems; FuzzRollout in ./plan)
package dump
