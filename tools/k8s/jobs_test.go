// Package k8s_test reads what `gaplab export k8s` prints with the types of Kubernetes, which the product does not need.
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

// spec has runs that begin with the weights of others, and figures that show seconds.
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

// TestJobs: the jobs of a grid are jobs of Kubernetes, field by field, and each task is a pod of one of them.
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
		t.Fatalf("%s %s of %d jobs; want a v1 List of two", list.APIVersion, list.Kind, len(list.Items))
	}
	var jobs [2]batch.Job
	for i, item := range list.Items {
		strictly(t, item, &jobs[i])
		j := jobs[i]
		if j.APIVersion != "batch/v1" || j.Kind != "Job" || *j.Spec.CompletionMode != batch.IndexedCompletion {
			t.Errorf("job %d is %s %s, %v", i, j.APIVersion, j.Kind, *j.Spec.CompletionMode)
		}
		if want := []int32{4, 2}[i]; *j.Spec.Completions != want || *j.Spec.Parallelism != min(3, want) ||
			*j.Spec.MaxFailedIndexes != want {
			t.Errorf("job %d: %d completions, %d at a time", i, *j.Spec.Completions, *j.Spec.Parallelism)
		}
		pod := j.Spec.Template.Spec
		first := []string{"0", "4"}[i]
		args := strings.Join(pod.Containers[0].Args, " ")
		if !strings.HasPrefix(args, "task /runs/.grids/") ||
			!strings.HasSuffix(args, " --first "+first+" -j 1 $(JOB_COMPLETION_INDEX)") {
			t.Errorf("job %d runs %q", i, args)
		}
		if pod.RestartPolicy != "Never" || pod.Affinity == nil || len(pod.Volumes) != 2 ||
			pod.Containers[0].Name != *j.Spec.PodFailurePolicy.Rules[1].OnExitCodes.ContainerName {
			t.Errorf("job %d: %+v", i, pod)
		}
	}
	if jobs[0].Spec.Suspend != nil || !*jobs[1].Spec.Suspend || jobs[1].Annotations["gaplab/after"] != jobs[0].Name {
		t.Errorf("the second job waits for %q, and is not suspended", jobs[1].Annotations)
	}
}

// strictly decodes JSON into a value that has a field for every key.
func strictly(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}
