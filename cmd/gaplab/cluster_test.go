package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/cluster/slurm/slurmtest"
)

// pageBlock returns the sh block below a heading of docs/CLUSTER.md.
func pageBlock(t *testing.T, heading string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "CLUSTER.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if section, _, _ := strings.Cut(after, "\n## "); ok {
		for _, b := range fenced(section) {
			if b.language == "sh" {
				return b.text
			}
		}
	}
	t.Fatalf("no commands below %q", heading)
	return ""
}

// shell runs a script in a folder until a command fails, and returns its output.
func shell(t *testing.T, dir, script string, env ...string) string {
	t.Helper()
	cmd := command(dir)
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd.Path, cmd.Args, cmd.Env = path, []string{"sh", "-ec", script}, append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the script failed: %v\n%s\noutput:\n%s", err, script, out)
	}
	return string(out)
}

// clusterPage runs the commands that docs/CLUSTER.md shows for Slurm, at smoke scale.
func clusterPage(t *testing.T, c *slurmtest.Cluster) {
	t.Helper()
	dir := checkout(t, filepath.Join("..", ".."))
	block := strings.ReplaceAll(pageBlock(t, "Slurm"), "--scale paper", "--scale smoke")
	first, rest, ok := strings.Cut(block, "gaplab collect")
	if !ok {
		t.Fatalf("docs/CLUSTER.md has no command gaplab collect in\n%s", block)
	}
	conf := "SLURM_CONF=" + filepath.Join(c.Dir, "slurm.conf")
	shell(t, dir, first, conf)
	idle(c)
	if out := shell(t, dir, "gaplab collect"+rest, conf); !strings.Contains(out, "c1  reproduced") {
		t.Errorf("no results in\n%s", out)
	}
}

// TestClusterPageParallel runs the commands of docs/CLUSTER.md for machines without a scheduler. This machine plays
// both nodes.
func TestClusterPageParallel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test builds the program from a copy of the checkout")
	}
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Skip("GNU parallel is not installed (Debian: apt-get install parallel)")
	}
	const there = "8/node1,8/node2"
	block := pageBlock(t, "Machines without a scheduler")
	if !strings.Contains(block, there) {
		t.Fatalf("docs/CLUSTER.md does not name the nodes %s in\n%s", there, block)
	}
	dir := checkout(t, filepath.Join("..", ".."))
	out := shell(t, dir, strings.ReplaceAll(block, there, "2/:"), "HOME="+t.TempDir())
	if !strings.Contains(out, "tasks 0 to 3") || !strings.Contains(out, "c1  reproduced") {
		t.Errorf("no results in\n%s", out)
	}
}

// TestClusterPageKubernetes runs the commands that docs/CLUSTER.md shows for Kubernetes, and then the commands in the
// exported jobs. A test in tools/k8s checks the fields of the jobs.
func TestClusterPageKubernetes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test builds the program from a copy of the checkout")
	}
	dir := checkout(t, filepath.Join("..", ".."))
	lines, _ := shellLines(pageBlock(t, "Kubernetes"))
	shell(t, dir, strings.Join(lines[:2], "\n"))
	text, err := os.ReadFile(filepath.Join(dir, "jobs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Items []struct {
			Spec struct {
				Completions int
				Template    struct {
					Spec struct {
						Containers []struct {
							Image string
							Args  []string
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(text, &list); err != nil || len(list.Items) != 1 {
		t.Fatalf("jobs.json: error %v, %d jobs, want one in\n%s", err, len(list.Items), text)
	}
	spec := list.Items[0].Spec
	container := spec.Template.Spec.Containers[0]
	for i := range spec.Completions {
		var args []string
		for _, a := range container.Args {
			a = strings.Replace(a, "/runs/", filepath.Join(dir, "results/runs")+"/", 1)
			args = append(args, strings.Replace(a, "$(JOB_COMPLETION_INDEX)", []string{"0", "1", "2", "3"}[i], 1))
		}
		succeeds(t, dir, args...)
	}
	if out := shell(t, dir, "gaplab collect"); !strings.Contains(out, "c1  reproduced") || spec.Completions != 4 {
		t.Errorf("no results in\n%s", out)
	}
}

// TestImage builds the container image of the Dockerfile and runs a task of a campaign in it.
func TestImage(t *testing.T) {
	minutes(t)
	if _, err := exec.LookPath("buildah"); err != nil {
		t.Skip("buildah is not installed (Debian: apt-get install buildah)")
	}
	if os.Geteuid() != 0 {
		t.Skip("an ordinary user needs ranges of subordinate ids to build images")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	shell(t, dir, `cp "$root"/Dockerfile "$root"/.dockerignore .
(cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$here"/bin/gaplab ./cmd/gaplab)
images() { buildah --storage-driver vfs --root "$here"/images --runroot "$here"/running "$@"; }
images build --isolation chroot -t gaplab .
bin/gaplab run eg/fig06 --launcher none --out runs
c=$(images from gaplab)
images run --isolation chroot -v "$here"/runs:/runs "$c" -- /usr/bin/gaplab task /runs/.grids/"$(ls runs/.grids)" 3
bin/gaplab status --out runs | grep '^tasks   1 done, 3 queued$'
images rm "$c"`, "root="+root, "here="+dir)
}
