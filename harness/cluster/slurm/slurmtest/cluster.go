// Package slurmtest runs a Slurm cluster of two nodes on this machine, for tests. The daemons run as the current user,
// with their own configuration, key, ports and folder. The package needs the programs of Slurm and MUNGE, but neither
// root rights nor systemd.
//
//	c := slurmtest.Start(t)
//	cmd := exec.Command("sbatch", …)
//	cmd.Env = c.Env()
package slurmtest

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"
)

// life is the time after which each daemon ends, even if the test was killed and could not stop it.
const life = 30 * time.Minute

// Cluster is a running Slurm cluster.
type Cluster struct {
	t   *testing.T
	Dir string // folder with the configuration, logs and state
	// Patience is the longest time that Wait waits. Start sets it to one minute.
	Patience time.Duration

	daemons map[string]*exec.Cmd // running daemons, such as "slurmd n1"
}

// Programs lists the programs that Start needs, in PATH or in /usr/sbin.
func Programs() []string {
	return []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo", "timeout"}
}

// Start starts a cluster with two nodes, n1 and n2, with two processors each. The cluster stops when the test ends. If
// a program is not installed, Start skips the test.
func Start(t *testing.T) *Cluster {
	t.Helper()
	for _, name := range Programs() {
		if find(name) == "" {
			t.Skipf("%s is not installed (Debian: apt-get install slurm-wlm munge)", name)
		}
	}
	dir, err := os.MkdirTemp("", "slurm") // not t.TempDir, whose path may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	c := &Cluster{t: t, Dir: dir, Patience: time.Minute, daemons: map[string]*exec.Cmd{}}
	t.Cleanup(c.stop)
	c.must(os.Chmod(dir, 0o755)) // munged requires this for the folder of its socket
	c.configure()
	c.start("munged", "--foreground", "--key-file="+c.file("key"), "--socket="+c.file("munge"),
		"--pid-file="+c.file("munge.pid"), "--log-file="+c.file("log/munged"), "--seed-file="+c.file("seed"))
	c.Wait("the socket of munged", func() bool { _, err := os.Stat(c.file("munge")); return err == nil })
	c.StartController()
	c.StartNode("n1")
	c.StartNode("n2")
	c.Wait("two idle nodes", func() bool {
		return strings.TrimSpace(c.Say("sinfo", "-h", "-N", "-o", "%T")) == "idle\nidle"
	})
	return c
}

// find returns the path of a program, or "" if it is not installed.
func find(name string) string {
	for _, place := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(place); err == nil {
			return path
		}
	}
	return ""
}

// file returns the path of a file in the cluster's folder.
func (c *Cluster) file(name string) string { return filepath.Join(c.Dir, name) }

// configuration is the template of slurm.conf. It has short times, so that a node counts as dead, and a requeued job
// starts again, after a few seconds.
const configuration = `ClusterName=test
SlurmctldHost={{.Host}}(127.0.0.1)
SlurmctldPort={{index .Ports 0}}
SlurmUser={{.User}}
SlurmdUser={{.User}}
AuthType=auth/munge
AuthInfo=socket={{.Dir}}/munge,cred_expire=6
StateSaveLocation={{.Dir}}/state
SlurmdSpoolDir={{.Dir}}/%n
SlurmctldPidFile={{.Dir}}/slurmctld.pid
SlurmdPidFile={{.Dir}}/%n.pid
SlurmctldLogFile={{.Dir}}/log/slurmctld
SlurmdLogFile={{.Dir}}/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
KillWait=5
MaxArraySize=1001
MaxJobCount=20000
SchedulerParameters=sched_min_interval=10000,sched_interval=2,bf_interval=2,batch_sched_delay=0
NodeName=n1 NodeHostname={{.Host}} NodeAddr=127.0.0.1 Port={{index .Ports 1}} CPUs=2 CoresPerSocket=2 RealMemory=4000
NodeName=n2 NodeHostname={{.Host}} NodeAddr=127.0.0.1 Port={{index .Ports 2}} CPUs=2 CoresPerSocket=2 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=10 State=UP
`

// configure writes the configuration and the key, and creates the folders.
func (c *Cluster) configure() {
	for _, name := range []string{"state", "log", "n1", "n2"} {
		c.must(os.MkdirAll(c.file(name), 0o755))
	}
	key := make([]byte, 1024)
	rand.Read(key)
	c.must(os.WriteFile(c.file("key"), key, 0o600))
	host, err := os.Hostname()
	c.must(err)
	host, _, _ = strings.Cut(host, ".")
	me, err := user.Current()
	c.must(err)
	var text bytes.Buffer
	c.must(template.Must(template.New("").Parse(configuration)).Execute(&text, map[string]any{
		"Host": host, "User": me.Username, "Dir": c.Dir, "Ports": c.ports(3)}))
	c.must(os.WriteFile(c.file("slurm.conf"), text.Bytes(), 0o644))
}

// ports returns n unused ports.
func (c *Cluster) ports(n int) (ports []int) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		c.must(err)
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// must fails the test if err is not nil.
func (c *Cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// Env returns the environment for programs that use the cluster.
func (c *Cluster) Env() []string { return append(os.Environ(), "SLURM_CONF="+c.file("slurm.conf")) }

// start starts a daemon in a separate process group.
func (c *Cluster) start(name string, args ...string) {
	c.t.Helper()
	args = append([]string{"--kill-after=5", fmt.Sprint(int(life.Seconds())), find(name)}, args...)
	cmd := exec.Command("timeout", args...)
	cmd.Env = c.Env()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := os.OpenFile(c.file("log/daemons"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	c.must(err)
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	c.must(cmd.Start())
	c.daemons[strings.TrimSpace(name+" "+node(args))] = cmd
}

// node returns the name of the node in the arguments of slurmd, or "" for other daemons.
func node(args []string) string {
	if i := slices.Index(args, "-N"); i >= 0 {
		return args[i+1]
	}
	return ""
}

// StartController starts slurmctld for the first time, or again with its saved state.
func (c *Cluster) StartController() {
	c.t.Helper()
	c.start("slurmctld", "-D", "-f", c.file("slurm.conf"))
	c.Wait("the controller", func() bool {
		return strings.Contains(c.Say("scontrol", "ping"), "is UP")
	})
}

// KillController kills slurmctld with SIGKILL.
func (c *Cluster) KillController() { c.kill("slurmctld") }

// StartNode starts slurmd for a node.
func (c *Cluster) StartNode(name string) {
	c.t.Helper()
	c.start("slurmd", "-N", name, "-D", "-f", c.file("slurm.conf"))
}

// KillNode kills the slurmd (Slurm's daemon) of a node with SIGKILL. Jobs on the node continue, as on a node that lost
// its network.
func (c *Cluster) KillNode(name string) { c.kill("slurmd " + name) }

// kill kills a daemon, if it is running.
func (c *Cluster) kill(daemon string) {
	cmd := c.daemons[daemon]
	if cmd == nil {
		return
	}
	delete(c.daemons, daemon)
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait()
}

// Command returns a Slurm command that is ready to run on this cluster.
func (c *Cluster) Command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = c.Env()
	return cmd
}

// Say runs a Slurm command and returns its output, even if it fails.
func (c *Cluster) Say(name string, args ...string) string {
	out, _ := c.Command(name, args...).CombinedOutput()
	return string(out)
}

// Do runs a Slurm command. If the command fails, the test fails.
func (c *Cluster) Do(name string, args ...string) {
	c.t.Helper()
	if out, err := c.Command(name, args...).CombinedOutput(); err != nil {
		c.t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

// Wait calls the function "so" until it returns true. If this takes longer than Patience, the test fails. The argument
// "what" describes the awaited state in the message.
func (c *Cluster) Wait(what string, so func() bool) {
	c.t.Helper()
	for until := time.Now().Add(c.Patience); !so(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			c.t.Fatalf("waited for %[1]s; not reached within %[2]v\n%[3]s\n%[4]s", what, c.Patience, c.Say("squeue"), c.Log())
		}
	}
}

// Log returns the last 30 lines of each daemon's log.
func (c *Cluster) Log() string {
	var out strings.Builder
	for _, name := range []string{"daemons", "slurmctld", "n1", "n2"} {
		text, _ := os.ReadFile(c.file("log/" + name))
		lines := strings.Split(string(text), "\n")
		fmt.Fprintf(&out, "--- %s\n%s\n", name, strings.Join(lines[max(0, len(lines)-30):], "\n"))
	}
	return out.String()
}

// stop cancels the jobs and then kills the daemons.
func (c *Cluster) stop() {
	if c.daemons["slurmctld"] != nil {
		me, err := user.Current()
		if err == nil {
			c.Say("scancel", "--user="+me.Username)
		}
		for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
			if strings.TrimSpace(c.Say("squeue", "-h")) == "" {
				break
			}
		}
	}
	for daemon := range c.daemons {
		c.kill(daemon)
	}
	if err := os.RemoveAll(c.Dir); err != nil {
		c.t.Log(err)
	}
}

// Left returns the ids of the processes whose command lines contain the path of a folder. Such a process is, for
// example, a job that the controller has forgotten.
func Left(folder string) (pids []int) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range lines {
		text, err := os.ReadFile(name)
		pid, bad := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err == nil && bad == nil && pid != os.Getpid() && bytes.Contains(text, []byte(folder)) {
			pids = append(pids, pid)
		}
	}
	return pids
}
