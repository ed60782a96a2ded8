package weather

import (
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

func TestServer(t *testing.T) {
	upstream := prove.NewUpstream(t)
	client := prove.Start(t, upstream.Env(), prove.Build(t, "server"))

	tools := client.Tools()
	if len(tools) != 2 || tools[0].Name != "getAlerts" || tools[1].Name != "getForecast" {
		t.Fatalf("tools/list has %+v", tools)
	}

	const forecast = `{"place":"Denver, CO","updated":"2025-03-04T11:42:00Z","periods":[{"name":"Tonight","temperature":31,"unit":"F","text":"Clear."}]}`
	upstream.Reply(prove.Answer{Raw: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n" + forecast})
	result := client.Call("getForecast", `{"latitude":39.7392,"longitude":-104.9903,"units":"us"}`)
	if result.IsError || result.Text() != forecast || string(result.Structured) != forecast {
		t.Errorf("getForecast gave %s", result.Raw)
	}
	requireRequest(t, upstream, "GET https://weather.example/v1/points/39.7392,-104.9903/forecast?units=us")

	upstream.Reply(prove.Answer{Raw: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[]"})
	if result := client.Call("getAlerts", `{"area":"CO","severity":["extreme","severe"]}`); result.IsError {
		t.Errorf("getAlerts gave %s", result.Raw)
	}
	requireRequest(t, upstream, "GET https://weather.example/v1/alerts/active?area=CO&severity=extreme,severe")

	upstream.Reply(prove.Answer{Raw: "HTTP/1.1 404 Not Found\nContent-Type: application/problem+json\n\n" +
		`{"title":"Position not covered","status":404}`})
	if result := client.Call("getForecast", `{"latitude":48.8566,"longitude":2.3522}`); !result.IsError || !strings.Contains(result.Text(), "Position not covered") {
		t.Errorf("a position in France gave %s", result.Raw)
	}
	requireRequest(t, upstream, "GET https://weather.example/v1/points/48.8566,2.3522/forecast")

	if result := client.Call("getAlerts", `{"area":"Colorado"}`); !result.IsError || !strings.Contains(result.Text(), "area") {
		t.Errorf("an area that is no code gave %s", result.Raw)
	}
	if seen := upstream.Take(); len(seen) > 0 {
		t.Errorf("it was sent: %s", seen[0].URL)
	}
}

func requireRequest(t *testing.T, upstream *prove.Upstream, want string) {
	t.Helper()
	seen := upstream.Take()
	if len(seen) != 1 || seen[0].Method+" "+seen[0].URL != want {
		t.Fatalf("the API saw %d requests, want %s\n%+v", len(seen), want, seen)
	}
}
