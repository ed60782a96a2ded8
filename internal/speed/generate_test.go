//go:build unix

package speed

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// bareLoad is the environment variable that makes the test binary load a
// document with kin-openapi and end: the reference, as a process of its own.
const bareLoad = "TOOLMILL_SPEED_LOAD"

func TestMain(m *testing.M) {
	if file := os.Getenv(bareLoad); file != "" {
		if _, err := openapi3.NewLoader().LoadFromFile(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// BenchmarkGenerate generates GitHub's document (13 MB, 1,223 operations), from
// the start of the command to the last file written, beside a bare load of it.
// x/load is the ratio of the times, rss/load that of the peak memories.
func BenchmarkGenerate(b *testing.B) {
	document := prove.Shared(b, "corpus", "github", "api.github.com.json")
	command := prove.Command(b)
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	var ours, theirs samples
	for b.Loop() {
		out := filepath.Join(b.TempDir(), "out")
		ours.add(b, exec.Command(command, "generate", document, "-o", out, "-module", "example.com/github"))
		load := exec.Command(self)
		load.Env = append(os.Environ(), bareLoad+"="+document)
		theirs.add(b, load)
	}
	b.ReportMetric(ours.time().Seconds(), "s/generate")
	b.ReportMetric(theirs.time().Seconds(), "s/load")
	b.ReportMetric(ours.time().Seconds()/theirs.time().Seconds(), "x/load")
	b.ReportMetric(float64(ours.rss())/1e3, "MB/generate")
	b.ReportMetric(float64(theirs.rss())/1e3, "MB/load")
	b.ReportMetric(float64(ours.rss())/float64(theirs.rss()), "rss/load")
}

// samples are runs of one process.
type samples struct {
	times []time.Duration
	peaks []int64 // kB
}

func (s *samples) add(b *testing.B, cmd *exec.Cmd) {
	b.Helper()
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	s.times = append(s.times, time.Since(start))
	s.peaks = append(s.peaks, int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss))
}

// time is the median.
func (s *samples) time() time.Duration {
	slices.Sort(s.times)
	return s.times[len(s.times)/2]
}

// rss is the median of the peaks.
func (s *samples) rss() int64 {
	slices.Sort(s.peaks)
	return s.peaks[len(s.peaks)/2]
}
