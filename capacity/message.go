package capacity

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// MaxMessageBytes and MaxReasons bound what [ParseMessage] reads. The API server keeps a condition's
// message whole, so its length is not to be trusted; a scheduler writes a few hundred bytes.
const (
	MaxMessageBytes = 16 << 10
	MaxReasons      = 64
)

// Message is the text that a scheduler leaves in the condition PodScheduled, taken apart.
type Message struct {
	// Known: it has the form "0/N nodes are available: …", every clause with its count. The kind of a
	// clause may still be unknown.
	Known bool
	// Nodes is N; -1 where the text has an x in its place, or where it is not known.
	Nodes int
	// Reasons in the order of the text; nil unless the text has at least the form of such a message.
	Reasons []Reason
	// Preempting: the scheduler says that it is about to make room by removing Victims Pods of lower
	// priority. It proves nothing, but their owners will want to know.
	Preempting bool
	Victims    int
}

// tails are the words that begin what follows the clauses. A ". " before anything else is part of a
// clause.
var tails = []string{"preemption:", "no new claims to deallocate", "not found"}

// apostrophes undoes what editors make of the plain one in a pasted text.
var apostrophes = strings.NewReplacer("\u2019", "'", "\u2018", "'", "\u02bc", "'")

// ParseMessage takes the message apart. It accepts any text: one that has not the form of a current
// scheduler's message (before 1.9, other schedulers, autoscalers, longer than [MaxMessageBytes]) comes
// back as not Known. Typographic apostrophes, two final dots or none, and "0/x" are read as what they
// stand for. The result holds at most [MaxReasons] reasons.
func ParseMessage(s string) Message {
	unknown := Message{Nodes: -1}
	if len(s) > MaxMessageBytes {
		return unknown
	}
	s = strings.TrimSpace(apostrophes.Replace(s))

	rest, ok := strings.CutPrefix(s, "0/")
	if !ok {
		return unknown
	}
	total, rest, ok := strings.Cut(rest, " nodes are available: ")
	if !ok {
		return unknown
	}
	m := Message{Known: true, Nodes: -1}
	if total != "x" {
		if m.Nodes, ok = parseCount(total); !ok {
			return unknown
		}
	}
	head, tail := splitTail(rest)
	m.Victims, m.Preempting = parseVictims(tail)

	head = strings.TrimSuffix(strings.TrimSuffix(head, "."), ".")
	clauses := splitClauses(head)
	if len(clauses) > MaxReasons {
		return unknown
	}
	for _, clause := range clauses {
		r := parseClause(clause)
		m.Known = m.Known && r.Count > 0
		m.Reasons = append(m.Reasons, r)
	}
	return m
}

// splitTail cuts at the first ". " that begins a known tail.
func splitTail(s string) (head, tail string) {
	for from := 0; ; {
		i := strings.Index(s[from:], ". ")
		if i < 0 {
			return s, ""
		}
		at := from + i
		for _, t := range tails {
			if strings.HasPrefix(s[at+2:], t) {
				return s[:at], s[at+2:]
			}
		}
		from = at + 2
	}
}

// splitClauses cuts at each comma, space, number, space: a clause may hold a comma of its own.
func splitClauses(head string) []string {
	var clauses []string
	start := 0
	for i := 0; i+2 <= len(head); i++ {
		if head[i] == ',' && head[i+1] == ' ' && startsWithCount(head[i+2:]) {
			clauses = append(clauses, head[start:i])
			start = i + 2
			i++
		}
	}
	return append(clauses, head[start:])
}

func startsWithCount(s string) bool {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n > 0 && n < len(s) && s[n] == ' '
}

func parseClause(clause string) Reason {
	if number, text, ok := strings.Cut(clause, " "); ok {
		if count, ok := parseCount(number); ok && count > 0 && text != "" {
			kind, resource := classify(text)
			return Reason{Kind: kind, Count: count, Resource: resource, Text: text}
		}
	}
	return Reason{Kind: ReasonUnknown, Text: clause}
}

// parseCount reads digits only, and no more of them than a cluster has use for.
func parseCount(s string) (int, bool) {
	if len(s) == 0 || len(s) > 9 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// parseVictims finds "preempting N victims" in a tail.
func parseVictims(tail string) (int, bool) {
	_, after, ok := strings.Cut(tail, "preempting ")
	if !ok {
		return 0, false
	}
	number, after, ok := strings.Cut(after, " ")
	if !ok || !strings.HasPrefix(after, "victim") {
		return 0, false
	}
	n, ok := parseCount(number)
	return n, ok && n > 0
}

// OnlyCapacity reports whether the message, read for a Pod that is bound for one node, names CPU or
// memory (and Pod slots, if asked for) of exactly one node and nothing else but that the other nodes
// are not the Pod's. It is evidence for arithmetic, not proof: the counts do not say which node is
// meant.
//
// False for every doubt: a text that is not understood, no reason or an unknown one, a count other
// than 1 (a Pod is bound for one node), a resource named twice, or as many turned-away nodes as there
// are nodes.
func (m Message) OnlyCapacity(countPodSlots bool) bool {
	if !m.Known {
		return false
	}
	pinned := 0
	seen := make(map[corev1.ResourceName]bool, 2)
	for _, r := range m.Reasons {
		name := r.Resource
		switch r.Kind {
		case ReasonNodePin:
			pinned += r.Count
			continue
		case ReasonResource:
			if name != corev1.ResourceCPU && name != corev1.ResourceMemory {
				return false
			}
		case ReasonTooManyPods:
			if !countPodSlots {
				return false
			}
			name = corev1.ResourcePods
		case ReasonHostPort, ReasonTaint, ReasonPodAffinity, ReasonNodeState, ReasonUnknown:
			return false
		default:
			return false
		}
		if r.Count != 1 || seen[name] {
			return false
		}
		seen[name] = true
	}
	return len(seen) > 0 && (m.Nodes < 0 || pinned < m.Nodes)
}
