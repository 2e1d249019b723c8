package k8s_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/cluster/k8s"
)

// list has those fields of the written jobs that the test checks, with the names of Kubernetes.
type list struct {
	Kind  string
	Items []struct {
		Kind     string
		Metadata struct {
			Name                string
			Labels, Annotations map[string]string
		}
		Spec struct {
			CompletionMode                                                   string
			Completions, Parallelism, BackoffLimitPerIndex, MaxFailedIndexes int
			Suspend                                                          bool
			PodFailurePolicy                                                 struct {
				Rules []struct {
					Action      string
					OnExitCodes *struct {
						Operator string
						Values   []int
					}
				}
			}
			Template struct {
				Metadata struct{ Labels map[string]string }
				Spec     struct {
					RestartPolicy string
					Containers    []struct {
						Image        string
						Args         []string
						Env          []struct{ Name, Value string }
						Resources    struct{ Requests, Limits map[string]string }
						VolumeMounts []struct {
							Name, MountPath string
							ReadOnly        bool
						}
					}
					Volumes []struct {
						Name                  string
						PersistentVolumeClaim struct {
							ClaimName string
							ReadOnly  bool
						}
					}
					Affinity *struct {
						PodAntiAffinity struct {
							Required []struct {
								TopologyKey   string
								LabelSelector struct{ MatchLabels map[string]string }
							} `json:"requiredDuringSchedulingIgnoredDuringExecution"`
						}
					}
				}
			}
		}
	}
}

// TestJobs checks the jobs of a campaign with an array of each kind, for each choice of options.
func TestJobs(t *testing.T) {
	c := &cluster.Campaign{ID: "20261127T100000Z-AB", Dir: filepath.FromSlash("/home/me/runs/campaigns/x"),
		Arrays: []cluster.Array{
			{First: 0, Count: 4, Workers: 1, Memory: 1 << 30},
			{First: 4, Count: 2, Workers: 3, After: []int{0}},
			{First: 6, Count: 9, Alone: true, After: []int{0, 1}, Memory: 5},
		}}
	for _, o := range []k8s.Options{
		{Image: "image:1", Claim: "results", Mount: "/runs"},
		{Image: "image:1", Claim: "results", Mount: "/mnt/runs", DataClaim: "sets", AtOnce: 3, Offline: true},
	} {
		made, err := k8s.Jobs(c, o)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		var got list
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if got.Kind != "List" || len(got.Items) != len(c.Arrays) {
			t.Fatalf("a %s of %d items, want a List of %d", got.Kind, len(got.Items), len(c.Arrays))
		}
		for i, a := range c.Arrays {
			checkJob(t, got, i, a, o)
		}
	}
}

// checkJob checks the job of array i.
func checkJob(t *testing.T, got list, i int, a cluster.Array, o k8s.Options) {
	t.Helper()
	name := func(i int) string { return fmt.Sprintf("gaplab-20261127t100000z-ab-%d", i) }
	job := got.Items[i]
	same := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("job %d with %+v: %s = %v, want %v", i, o, what, got, want)
		}
	}
	same("kind", job.Kind, "Job")
	same("name", job.Metadata.Name, name(i))
	spec, pod := job.Spec, job.Spec.Template.Spec
	same("completions", []any{spec.CompletionMode, spec.Completions}, []any{"Indexed", a.Count})
	atOnce := a.Count
	if o.AtOnce > 0 && o.AtOnce < a.Count {
		atOnce = o.AtOnce
	}
	same("parallelism", spec.Parallelism, atOnce)
	same("failures that do not end the job", spec.MaxFailedIndexes, a.Count)
	same("suspended", spec.Suspend, len(a.After) > 0)
	var after []string
	for _, b := range a.After {
		after = append(after, name(b))
	}
	same("jobs to wait for", job.Metadata.Annotations["gaplab/after"], strings.Join(after, " "))
	for _, rule := range spec.PodFailurePolicy.Rules {
		if codes := rule.OnExitCodes; (codes != nil) != (rule.Action == "FailIndex") ||
			codes != nil && (codes.Operator != "In" || !slices.Equal(codes.Values, []int{2, 3, 4})) {
			t.Errorf("job %d: the rule %+v, want that a pod fails for good only after the exit codes 2, 3 and 4", i, rule)
		}
	}
	same("rules", len(spec.PodFailurePolicy.Rules), 2)

	container := pod.Containers[0]
	same("image", container.Image, o.Image)
	workers := max(1, a.Workers)
	args := fmt.Sprintf("task %s/campaigns/x --first %d -j %d", o.Mount, a.First, workers)
	if o.Offline {
		args += " --offline"
	}
	same("arguments", strings.Join(container.Args, " "), args+" $(JOB_COMPLETION_INDEX)")
	same("processors", container.Resources.Requests["cpu"], workers)
	memory := ""
	if a.Memory > 0 {
		memory = fmt.Sprint(a.Memory)
	}
	same("requested memory", container.Resources.Requests["memory"], memory)
	same("limit of memory", container.Resources.Limits["memory"], memory)
	same("restart policy", pod.RestartPolicy, "Never")

	mounts, volumes, env := "[{runs "+o.Mount+" false}]", "[{runs {results false}}]", "[]"
	if o.DataClaim != "" {
		mounts = "[{runs " + o.Mount + " false} {data /data true}]"
		volumes, env = "[{runs {results false}} {data {sets true}}]", "[{GAPLAB_DATA /data}]"
	}
	same("mounts", container.VolumeMounts, mounts)
	same("volumes", pod.Volumes, volumes)
	same("environment", container.Env, env)

	if (pod.Affinity != nil) != a.Alone {
		t.Errorf("job %d: affinity %v, want one only if each task needs its own machine", i, pod.Affinity)
	}
	if pod.Affinity != nil { // the selector must match the labels of the pods of each job of the campaign
		required := pod.Affinity.PodAntiAffinity.Required[0]
		same("places that are kept apart", required.TopologyKey, "kubernetes.io/hostname")
		for _, other := range got.Items {
			for key, value := range required.LabelSelector.MatchLabels {
				same("label "+key, other.Spec.Template.Metadata.Labels[key], value)
			}
		}
		same("number of labels", len(required.LabelSelector.MatchLabels), 1)
	}
}

// TestIncompleteOptions checks that jobs without an image, a claim or an absolute path are refused.
func TestIncompleteOptions(t *testing.T) {
	for want, o := range map[string]k8s.Options{
		"no container image":       {Claim: "results", Mount: "/runs"},
		"no PersistentVolumeClaim": {Image: "image", Mount: "/runs"},
		"an absolute path":         {Image: "image", Claim: "results", Mount: "runs"},
	} {
		if _, err := k8s.Jobs(&cluster.Campaign{}, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", o, err, want)
		}
	}
}
