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
// # Limits
//
// An input is held in memory and its objects are decoded one by one; Options.MaxBytes bounds it, by default
// at 1 GiB (100,000 Pods of 10 KB). Text must be UTF-8. YAML anchors with aliases are refused: kubectl never
// prints them, and a short file could expand to gigabytes. Values are nested at most 1,000 deep. Of
// one document 1,000 faults are kept, and 50 of all are shown. A YAML mapping outside the plain block style costs time
// with the square of its keys, and a quantity (cpu: "1") with the square of its digits, in the libraries that read them.
//
//	go test -fuzz FuzzRead ./model/dump        (and FuzzBlockParser; FuzzRollout in ./plan)
package dump
