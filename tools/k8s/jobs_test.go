// Package k8s_test decodes the output of `gaplab export k8s` into the types of Kubernetes. It is in a separate module,
// so that gaplab itself does not depend on these types.
package k8s_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
)

// spec is an experiment of two stages: in the second stage, runs start from the weights of runs of the first. Its
// figure shows seconds.
const spec = `apiVersion: gaplab/v1
id: my/stages
dataset: {name: digits, train: 200, validation: 50}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [10, 1]}
solvers: [{name: eg, eta: {grid: [0.5, 0.25]}}]
choose: [{solver: eg, over: eta, by: primal, at: {passes: 2}}]
stop: {passes: 5}
figure: {x: seconds, y: gap}
`

// TestJobs checks that each exported job is a valid Job of Kubernetes, field by field, and that each task is a pod of
// one of the jobs.
func TestJobs(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "gaplab")
	run := func(dir, name string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v", name, args, err)
		}
		return out
	}
	run("../..", "go", "build", "-o", program, "./cmd/gaplab")
	if err := os.WriteFile(filepath.Join(dir, "stages.yaml"), []byte(spec), 0o666); err != nil {
		t.Fatal(err)
	}
	run(dir, program, "run", "stages.yaml", "--launcher", "none", "--out", "runs")
	text := run(dir, program, "export", "k8s", "--out", "runs", "--image", "registry.example.org/gaplab",
		"--claim", "runs", "--data-claim", "data", "--at-once", "3")
	var list struct {
		APIVersion, Kind string
		Items            []json.RawMessage
	}
	strictly(t, text, &list)
	if list.APIVersion != "v1" || list.Kind != "List" || len(list.Items) != 2 {
		t.Fatalf("output is a %s %s of %d jobs, want a v1 List of 2", list.APIVersion, list.Kind, len(list.Items))
	}
	var jobs [2]batch.Job
	for i, item := range list.Items {
		strictly(t, item, &jobs[i])
		j := jobs[i]
		if j.APIVersion != "batch/v1" || j.Kind != "Job" || *j.Spec.CompletionMode != batch.IndexedCompletion {
			t.Errorf("job %d is a %s %s, %v; want a batch/v1 Job, Indexed", i, j.APIVersion, j.Kind, *j.Spec.CompletionMode)
		}
		if want := []int32{4, 2}[i]; *j.Spec.Completions != want || *j.Spec.Parallelism != min(3, want) ||
			*j.Spec.MaxFailedIndexes != want {
			t.Errorf("job %d has %d completions, %d at a time; want %d, %d at a time", i, *j.Spec.Completions,
				*j.Spec.Parallelism, want, min(3, want))
		}
		pod := j.Spec.Template.Spec
		first := []string{"0", "4"}[i]
		args := strings.Join(pod.Containers[0].Args, " ")
		if !strings.HasPrefix(args, "task /runs/.grids/") ||
			!strings.HasSuffix(args, " --first "+first+" -j 1 $(JOB_COMPLETION_INDEX)") {
			t.Errorf("arguments of job %d = %q; want task FOLDER --first %s -j 1 and the index", i, args, first)
		}
		if pod.RestartPolicy != "Never" || pod.Affinity == nil || len(pod.Volumes) != 2 ||
			pod.Containers[0].Name != *j.Spec.PodFailurePolicy.Rules[1].OnExitCodes.ContainerName {
			t.Errorf("pod of job %d = %+v; want RestartPolicy Never, an affinity, two volumes and a known container", i, pod)
		}
	}
	if jobs[0].Spec.Suspend != nil || !*jobs[1].Spec.Suspend || jobs[1].Annotations["gaplab/after"] != jobs[0].Name {
		t.Errorf("want a second job that is suspended and waits for the first; its annotations are %q", jobs[1].Annotations)
	}
}

// strictly decodes JSON into a value, and fails the test if a key has no field.
func strictly(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("decoding %T: %v in\n%s", into, err, text)
	}
}
