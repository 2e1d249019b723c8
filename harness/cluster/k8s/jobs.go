// Package k8s writes a campaign as jobs for Kubernetes. Each array becomes an Indexed Job (batch/v1), and each pod of
// that job does one task. The package only writes the jobs; it does not connect to a cluster.
//
//	list, err := k8s.Jobs(c, k8s.Options{Image: "registry.example.org/gaplab:1", Claim: "results"})
//	err = json.NewEncoder(w).Encode(list)
package k8s

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/cluster"
)

// Options names the resources of a cluster that a campaign uses.
type Options struct {
	Image     string // container image; its entry point is gaplab
	Claim     string // PersistentVolumeClaim for the folder of the runs, to which many nodes can write
	Mount     string // absolute path where a pod mounts Claim
	DataClaim string // PersistentVolumeClaim with the data sets; "": the image contains them, or all are generated
	AtOnce    int    // largest number of pods of a job that run at the same time; 0: no limit
	Offline   bool   // whether the tasks never download data
}

// object is a JSON object.
type object = map[string]any

const (
	dataMount = "/data"
	// retries is how often a failed pod is restarted. Evictions do not count as failures. A pod is not restarted if its
	// exit code shows that it would fail again.
	retries = 6
)

// Jobs returns a List of jobs, in the order of the arrays. Kubernetes has no order among jobs, so a job that must wait
// for others is suspended. Its annotation gaplab/after names the jobs to wait for. When these jobs have ended, the user
// must resume the suspended job.
func Jobs(c *cluster.Campaign, o Options) (object, error) {
	switch {
	case o.Image == "":
		return nil, errors.New("no container image given")
	case o.Claim == "":
		return nil, errors.New("no PersistentVolumeClaim given for the folder of the runs")
	case !path.IsAbs(o.Mount):
		return nil, fmt.Errorf("mount %q; accepted: an absolute path", o.Mount)
	}
	var items []object
	for i := range c.Arrays {
		items = append(items, job(c, i, o))
	}
	return object{"apiVersion": "v1", "kind": "List", "items": items}, nil
}

// name returns the name of an array's job. It consists of lower-case letters, digits and dashes, as Kubernetes
// requires.
func name(c *cluster.Campaign, array int) string {
	return fmt.Sprintf("gaplab-%s-%d", strings.ToLower(c.ID), array)
}

// job returns the Indexed Job of array i.
func job(c *cluster.Campaign, i int, o Options) object {
	a := c.Arrays[i]
	labels := object{"app.kubernetes.io/name": "gaplab", "gaplab/grid": strings.ToLower(c.ID)}
	meta := object{"name": name(c, i), "labels": labels}
	spec := object{
		"completionMode": "Indexed",
		"completions":    a.Count,
		"parallelism":    a.Count,
		// if one task fails, the others continue
		"backoffLimitPerIndex": retries,
		"maxFailedIndexes":     a.Count,
		"podFailurePolicy": object{"rules": []object{
			{"action": "Ignore", "onPodConditions": []object{{"type": "DisruptionTarget", "status": "True"}}},
			{"action": "FailIndex", "onExitCodes": object{ // after these exit codes a pod would fail again
				"containerName": "task", "operator": "In", "values": []int{2, 3, 4}}},
		}},
		"template": object{"metadata": object{"labels": labels}, "spec": pod(c, a, o)},
	}
	if o.AtOnce > 0 {
		spec["parallelism"] = min(o.AtOnce, a.Count)
	}
	if len(a.After) > 0 {
		var after []string
		for _, b := range a.After {
			after = append(after, name(c, b))
		}
		meta["annotations"] = object{"gaplab/after": strings.Join(after, " ")}
		spec["suspend"] = true
	}
	return object{"apiVersion": "batch/v1", "kind": "Job", "metadata": meta, "spec": spec}
}

// pod returns the specification of the pods of an array.
func pod(c *cluster.Campaign, a cluster.Array, o Options) object {
	inPod := path.Join(o.Mount, filepath.ToSlash(strings.TrimPrefix(c.Dir, c.Out())))
	args := []string{"task", inPod, "--first", fmt.Sprint(a.First), "-j", fmt.Sprint(max(1, a.Workers))}
	if o.Offline {
		args = append(args, "--offline")
	}
	requests := object{"cpu": fmt.Sprint(max(1, a.Workers))}
	limits := object{}
	if a.Memory > 0 {
		requests["memory"], limits["memory"] = fmt.Sprint(a.Memory), fmt.Sprint(a.Memory)
	}
	container := object{
		"name": "task", "image": o.Image, "args": append(args, "$(JOB_COMPLETION_INDEX)"),
		"resources":    object{"requests": requests, "limits": limits},
		"volumeMounts": []object{{"name": "runs", "mountPath": o.Mount}},
	}
	volumes := []object{{"name": "runs", "persistentVolumeClaim": object{"claimName": o.Claim}}}
	if o.DataClaim != "" {
		container["env"] = []object{{"name": "GAPLAB_DATA", "value": dataMount}}
		container["volumeMounts"] = []object{{"name": "runs", "mountPath": o.Mount},
			{"name": "data", "mountPath": dataMount, "readOnly": true}}
		volumes = append(volumes, object{"name": "data", "persistentVolumeClaim": object{
			"claimName": o.DataClaim, "readOnly": true}})
	}
	spec := object{
		"restartPolicy":                 "Never",
		"terminationGracePeriodSeconds": 60, // seconds, enough to write the checkpoint of a run
		"containers":                    []object{container},
		"volumes":                       volumes,
	}
	if a.Alone { // different machines for all tasks of the campaign
		spec["affinity"] = object{"podAntiAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": []object{{
			"topologyKey":   "kubernetes.io/hostname",
			"labelSelector": object{"matchLabels": object{"gaplab/grid": strings.ToLower(c.ID)}},
		}}}}
	}
	return spec
}
