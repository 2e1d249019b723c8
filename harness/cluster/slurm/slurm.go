// Package slurm submits campaigns to Slurm with its commands sbatch, squeue, scancel and scontrol.
//
//	queue := &slurm.Queue{}
//	largest, err := queue.Largest(ctx)
//	jobs, err := c.Submit(ctx, queue, cluster.How{Command: command, Largest: largest})
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/harness/cluster"
)

// Queue is the Slurm cluster that the commands on this machine connect to.
type Queue struct {
	Args []string // the user's arguments for sbatch; they come last, so they override gaplab's
}

var _ cluster.Queue = (*Queue)(nil)

// notice is how many seconds before its time limit a job receives the signal to write its checkpoint.
const notice = 60

// Submit submits an array of jobs by sbatch, as cluster.Queue requires.
func (q *Queue) Submit(ctx context.Context, a cluster.Submission) (string, error) {
	array := fmt.Sprintf("0-%d", a.Count-1)
	if a.AtOnce > 0 {
		array += fmt.Sprintf("%%%d", a.AtOnce)
	}
	args := []string{"--parsable", "--job-name=" + a.Name, "--array=" + array, "--ntasks=1",
		fmt.Sprintf("--cpus-per-task=%d", max(1, a.Workers)), fmt.Sprintf("--signal=B:USR1@%d", notice), "--requeue",
		"--open-mode=append", "--output=" + filepath.Join(a.Log, cluster.LogName("%A", "%a"))}
	if a.Seconds > 0 { // request twice the expected time, and ten minutes for the start
		args = append(args, fmt.Sprintf("--time=%d", 10+int(math.Ceil(2*a.Seconds/60)))) // in minutes
	}
	if a.Memory > 0 {
		args = append(args, fmt.Sprintf("--mem=%dM", int(math.Ceil(float64(a.Memory)/(1<<20)))))
	}
	if a.Alone {
		args = append(args, "--exclusive")
	}
	if len(a.AfterJobs) > 0 {
		args = append(args, "--dependency=afterany:"+strings.Join(a.AfterJobs, ":"))
	}
	args = append(args, q.Args...)
	words := make([]string, len(a.Command))
	for i, word := range a.Command {
		words[i] = quoted(word)
	}
	args = append(args, "--wrap=exec "+strings.Join(words, " ")+" $SLURM_ARRAY_TASK_ID")
	out, err := run(ctx, "sbatch", args...)
	if err != nil {
		return "", err
	}
	job, _, _ := strings.Cut(strings.TrimSpace(out), ";") // sbatch may print "job;cluster"
	if _, err := strconv.Atoi(job); err != nil {
		return "", fmt.Errorf("sbatch printed %q, want a job number", out)
	}
	return job, nil
}

// quoted returns a word in single quotes for the shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Phases reads the phases of jobs from squeue, as cluster.Queue requires.
func (q *Queue) Phases(ctx context.Context, jobs []string) (map[string]map[int]cluster.Phase, error) {
	out, err := run(ctx, "squeue", "--noheader", "--array", "--jobs="+strings.Join(jobs, ","),
		"--Format=ArrayJobID:30,ArrayTaskID:30,State:30,Reason:200")
	if err != nil && strings.Contains(err.Error(), "Invalid job id") { // Slurm has forgotten the ended jobs
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return phases(out)
}

// phases parses the output of squeue. Each line contains four fields: the number of a job's array, the job's index in
// the array, its state, and the reason why it waits.
func phases(text string) (map[string]map[int]cluster.Phase, error) {
	out := map[string]map[int]cluster.Phase{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		var index int
		err := errors.New("want at least four words")
		if len(words) > 3 {
			index, err = strconv.Atoi(words[1])
		}
		if err != nil {
			return nil, fmt.Errorf("squeue: %q: %w", line, err)
		}
		phase := cluster.Queued
		if reason := strings.ToLower(strings.Join(words[3:], " ")); strings.Contains(reason, "held") {
			phase = cluster.Held // reasons JobHeldUser, JobHeldAdmin, launch failed requeued held
		}
		switch words[2] {
		case "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT":
			phase = cluster.Running
		}
		if out[words[0]] == nil {
			out[words[0]] = map[int]cluster.Phase{}
		}
		out[words[0]][index] = phase
	}
	return out, nil
}

// Cancel ends arrays of jobs by scancel, as cluster.Queue requires.
func (q *Queue) Cancel(ctx context.Context, jobs []string) error {
	_, err := run(ctx, "scancel", jobs...)
	return err
}

// Largest returns the largest number of jobs that an array may have.
func (q *Queue) Largest(ctx context.Context) (int, error) {
	out, err := run(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(out) {
		if name, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(name) == "MaxArraySize" {
			return strconv.Atoi(strings.TrimSpace(value))
		}
	}
	return 0, errors.New("scontrol show config prints no MaxArraySize")
}

// Job is the Slurm job that runs this process.
type Job struct {
	Array, Index string // job number of the array, and the job's index in it
	Restarts     int    // number of times that the job was requeued
}

// Here returns the job of this process, or nil if the process is not a job of an array.
func Here(getenv func(string) string) *Job {
	j := &Job{Array: getenv("SLURM_ARRAY_JOB_ID"), Index: getenv("SLURM_ARRAY_TASK_ID")}
	if j.Array == "" || j.Index == "" {
		return nil
	}
	j.Restarts, _ = strconv.Atoi(getenv("SLURM_RESTART_COUNT")) // 0 if the variable is not set
	return j
}

// Requeue ends the job and queues it again.
func (j *Job) Requeue(ctx context.Context) error {
	// SLURM_JOB_ID cannot be used: in the last job of an array it equals the number of the array.
	_, err := run(ctx, "scontrol", "requeue", j.Array+"_"+j.Index)
	return err
}

// run runs a Slurm command and returns its standard output. The error contains its standard error.
func run(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s is not installed here; run this on a machine that can submit to Slurm", name)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(said.String()))
	}
	return out.String(), nil
}
