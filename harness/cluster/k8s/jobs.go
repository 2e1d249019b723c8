// Package k8s writes a campaign as jobs for Kubernetes: for each array an Indexed Job (batch/v1), whose pods do a
// task each. It speaks to no cluster.
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

// Options name what a cluster provides for a campaign.
type Options struct {
	Image     string // whose entry point is gaplab
	Claim     string // PersistentVolumeClaim of the folder of the runs, which many nodes can write
	Mount     string // where that is in a pod: an absolute path
	DataClaim string // PersistentVolumeClaim of the data sets; "": the image or generators have them
	AtOnce    int    // pods at a time, of each job; 0: any number
	Offline   bool   // never download data
}

// object is an object of JSON.
type object = map[string]any

const (
	dataMount = "/data"
	retries   = 6 // of a pod, unless it was told to stop or its program returned that it fails
)

// Jobs is a List of jobs, in the order of the arrays. Those that wait for others are suspended, since Kubernetes
// knows no order among jobs: whoever applies them resumes each when those that its annotation names have ended.
func Jobs(c *cluster.Campaign, o Options) (object, error) {
	switch {
	case o.Image == "":
		return nil, errors.New("no image")
	case o.Claim == "":
		return nil, errors.New("no claim of a volume for the folder of the runs")
	case !path.IsAbs(o.Mount):
		return nil, fmt.Errorf("mount %q; accepted: an absolute path", o.Mount)
	}
	var items []object
	for i := range c.Arrays {
		items = append(items, job(c, i, o))
	}
	return object{"apiVersion": "v1", "kind": "List", "items": items}, nil
}

// name returns the name of the job of an array: letters, digits and dashes.
func name(c *cluster.Campaign, array int) string {
	return fmt.Sprintf("gaplab-%s-%d", strings.ToLower(c.ID), array)
}

func job(c *cluster.Campaign, i int, o Options) object {
	a := c.Arrays[i]
	labels := object{"app.kubernetes.io/name": "gaplab", "gaplab/grid": strings.ToLower(c.ID)}
	meta := object{"name": name(c, i), "labels": labels}
	spec := object{
		"completionMode": "Indexed",
		"completions":    a.Count,
		"parallelism":    a.Count,
		// one task that fails ends no other
		"backoffLimitPerIndex": retries,
		"maxFailedIndexes":     a.Count,
		"podFailurePolicy": object{"rules": []object{
			{"action": "Ignore", "onPodConditions": []object{{"type": "DisruptionTarget", "status": "True"}}},
			{"action": "FailIndex", "onExitCodes": object{ // a failed run, wrong usage, no data: it would fail again
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
		"terminationGracePeriodSeconds": 60, // to write the checkpoint of a run
		"containers":                    []object{container},
		"volumes":                       volumes,
	}
	if a.Alone { // no two tasks of the campaign on one machine
		spec["affinity"] = object{"podAntiAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": []object{{
			"topologyKey":   "kubernetes.io/hostname",
			"labelSelector": object{"matchLabels": object{"gaplab/grid": strings.ToLower(c.ID)}},
		}}}}
	}
	return spec
}
