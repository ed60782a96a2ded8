package runtime

import (
	"cmp"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"
)

// Limits bound how much is called at a time.
type Limits struct {
	Session int             // calls of one session in flight; 0 is 64, negative is no limit
	Total   int             // calls in flight; 0 is 256, negative is no limit
	Rates   map[string]Rate // of a tool, all sessions together
}

// Rate is how often a tool may be called: N times at once, and as many again
// evenly over Per.
type Rate struct {
	N   int
	Per time.Duration
}

func (l Limits) withDefaults() Limits {
	l.Session, l.Total = cmp.Or(l.Session, 64), cmp.Or(l.Total, 256)
	return l
}

// limiter counts calls.
type limiter struct {
	limits   Limits
	mu       sync.Mutex
	total    int
	sessions map[*mcp.ServerSession]int
	rates    map[string]*rate.Limiter
}

func newLimiter(limits Limits) *limiter {
	l := &limiter{limits: limits, sessions: map[*mcp.ServerSession]int{}, rates: map[string]*rate.Limiter{}}
	for name, r := range limits.Rates {
		l.rates[name] = rate.NewLimiter(rate.Limit(float64(r.N)/r.Per.Seconds()), r.N)
	}
	return l
}

// enter lets a call in, to be let out by leave, or returns what to tell the model.
func (l *limiter) enter(c *Call) (leave func(), full *Result) {
	session := c.origin.session
	l.mu.Lock()
	defer l.mu.Unlock()
	if most := l.limits.Session; most > 0 && l.sessions[session] >= most {
		return nil, Failure("%s was not called: %d calls of this session are in flight, and there may be no more. Try again when one of them has ended.", c.tool.Name, most)
	}
	if most := l.limits.Total; most > 0 && l.total >= most {
		return nil, Failure("%s was not called: this server is busy with %d calls, and there may be no more. Try again in a moment.", c.tool.Name, most)
	}
	l.total++
	l.sessions[session]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.total--
		if l.sessions[session]--; l.sessions[session] == 0 {
			delete(l.sessions, session)
		}
	}, nil
}

// tooSoon refuses a call beyond its tool's rate. A call that may go is counted
// unless it is only looked ahead, as before people are asked.
func (l *limiter) tooSoon(name string, ahead bool) *Result {
	r := l.rates[name]
	if r == nil {
		return nil
	}
	var wait time.Duration
	if ahead {
		if lacking := 1 - r.Tokens(); lacking > 0 {
			wait = time.Duration(lacking / float64(r.Limit()) * float64(time.Second))
		}
	} else if turn := r.Reserve(); turn.Delay() > 0 {
		wait = turn.Delay()
		turn.Cancel()
	}
	if wait <= 0 {
		return nil
	}
	limit := l.limits.Rates[name]
	return Failure("%s was not called: it may be called %s. The next call is possible in %s.", name, limit, seconds(wait))
}

// String is the rate in words.
func (r Rate) String() string {
	times := "once"
	if r.N > 1 {
		times = fmt.Sprintf("%d times", r.N)
	}
	for _, unit := range units {
		if r.Per == unit.length {
			return times + " per " + unit.name
		}
	}
	return times + " in " + r.Per.String()
}

// units are what a rate is given in.
var units = []struct {
	name   string
	length time.Duration
}{{"second", time.Second}, {"minute", time.Minute}, {"hour", time.Hour}}

// seconds is a time in words, rounded up so that it is not too soon.
func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f seconds", math.Ceil(d.Seconds()*10)/10)
	}
	return fmt.Sprintf("%.0f seconds", math.Ceil(d.Seconds()))
}
