package model_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

func TestEditedGenerations(t *testing.T) {
	set := func(generation string) *appsv1.DaemonSet {
		return &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{appsv1.DeprecatedTemplateGeneration: generation}}}
	}
	pod := func(generation string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{model.PodTemplateGeneration: generation}}}
	}
	none := model.ParseEditedGenerations("")
	require.Empty(t, none.String())
	require.False(t, none.Made(&corev1.Pod{}), "a Pod without the label is of no generation")
	require.Equal(t, none, none.Add(&appsv1.DaemonSet{}), "a DaemonSet without a generation")

	once := none.Add(set("3"))
	twice := once.Add(set("3")).Add(set("12"))
	require.Equal(t, "3", once.String(), "adding changes nothing in place")
	require.Equal(t, "3,12", twice.String())
	require.Equal(t, twice, model.ParseEditedGenerations(twice.String()))
	for generation, made := range map[string]bool{"3": true, "12": true, "1": false, "2": false, "13": false, "": false} {
		require.Equal(t, made, twice.Made(pod(generation)), generation)
	}

	many := none
	for i := range 20 {
		many = many.Add(set(strconv.Itoa(i)))
	}
	require.Equal(t, 16, strings.Count(many.String(), ",")+1)
	require.True(t, many.Made(pod("19")) && many.Made(pod("4")) && !many.Made(pod("3")), "the oldest are forgotten: %s", many)
}
