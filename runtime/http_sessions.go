package runtime

import (
	"iter"
	"log/slog"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionRoom bounds the sessions of clients before 2026-07-28. They end when the
// client says so, which many do not, or after -session-idle.
type sessionRoom struct {
	open    func() iter.Seq[*mcp.ServerSession]
	most    int          // negative: no limit
	opening atomic.Int64 // requests that are being answered with a new session
	log     *slog.Logger
}

// enter lets a request open a session, to be followed by leave when it is
// answered, or says that there is no room. A session that is just being opened
// may count twice.
func (room *sessionRoom) enter() (leave func(), ok bool) {
	leave = func() { room.opening.Add(-1) }
	count := int(room.opening.Add(1))
	if room.most < 0 {
		return leave, true
	}
	for session := range room.open() {
		if session.ID() != "" {
			count++
		}
	}
	if count > room.most {
		leave()
		room.log.Warn("a client was refused a session: there are as many as -max-sessions allows", "sessions", room.most)
		return nil, false
	}
	return leave, true
}
