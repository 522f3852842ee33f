package ui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

func (p *detailPane) key(msg tea.KeyMsg) tea.Cmd {
	defer func() { p.sync(); p.fit() }()
	switch {
	case key.Matches(msg, p.NextTab):
		p.turn(1)
	case key.Matches(msg, p.PrevTab):
		p.turn(-1)
	case key.Matches(msg, p.Zoom):
		p.zoom = !p.zoom
	case key.Matches(msg, p.Find):
		return emit(openMsg{newFindLine(p.th, findInBody, "find in the body", p.body.find.query)})
	case key.Matches(msg, p.NextHit):
		p.body.hop(1)
	case key.Matches(msg, p.PrevHit):
		p.body.hop(-1)
	case key.Matches(msg, p.Next):
		return emit(stepDetailMsg(1))
	case key.Matches(msg, p.Prev):
		return emit(stepDetailMsg(-1))
	case p.scrollKey(msg):
	default:
		return p.act(msg)
	}
	return nil
}

// turn shows the next tab.
func (p *detailPane) turn(by detailTab) {
	p.tab = (p.tab + by + detailTabs) % detailTabs
	switch p.tab {
	case tabPretty:
		p.body.setMode(modePretty)
	case tabRaw:
		p.body.setMode(modeRaw)
	case tabHex:
		p.body.setMode(modeHex)
	}
}

func (p *detailPane) scrollKey(msg tea.KeyMsg) bool {
	if p.inBody() {
		return p.body.move(msg, p.Move)
	}
	_, height := p.window()
	top, moved := scrollTo(msg, p.Move, p.tops[p.tab], height, len(p.tabLines()))
	p.tops[p.tab] = top
	return moved
}

func (p *detailPane) inBody() bool { return p.tab <= tabHex }

// act is for the keys that ask for something to be done to the message.
func (p *detailPane) act(msg tea.KeyMsg) tea.Cmd {
	row, rows := p.detail.Row, []engine.Row{p.detail.Row}
	refs := []engine.Ref{p.ref}
	switch {
	case key.Matches(msg, p.Peek) && row.DeadLetters:
		return emit(askPeekMsg{row, p.detail.MaxReceives, p.detail.DLQ})
	case key.Matches(msg, p.Peek):
		return emit(peekMsg{ref: p.ref, id: row.Message.ID})
	case key.Matches(msg, p.Extend):
		by := p.timeout()
		if p.now.Add(by).Before(row.Due) {
			return emit(askSoonerMsg{rows, by, 1})
		}
		return emit(extendMsg{refs, by})
	case key.Matches(msg, p.ExtendTo):
		return emit(askExtendMsg{p.detail.Queue, rows})
	case key.Matches(msg, p.Release):
		return emit(releaseMsg{refs})
	case key.Matches(msg, p.Redrive):
		return emit(askRedriveMsg{p.detail.Queue, rows})
	case key.Matches(msg, p.Forward):
		return emit(askMoveMsg{p.detail.Queue, rows})
	case key.Matches(msg, p.Delete):
		return emit(askRemoveMsg{p.detail.Queue, rows})
	case key.Matches(msg, p.Copy):
		return emit(openMsg{newCopyMenu(p.th, p.detail)})
	}
	return nil
}

// timeout is the queue's visibility timeout, 0 when it is not known.
func (p *detailPane) timeout() time.Duration {
	if q := p.queue(); q != nil {
		return q.Attributes.VisibilityTimeout
	}
	return 0
}

// sync enables exactly the keys that can act.
func (p *detailPane) sync() {
	there := p.loaded && p.gone == ""
	ready, held := there && p.detail.State == engine.Ready, there && p.detail.State == engine.InFlight
	q := p.queue()
	p.Peek.SetEnabled(ready && !blocked(&p.detail.Row))
	p.Extend.SetEnabled(held && p.timeout() > 0)
	p.ExtendTo.SetEnabled(held)
	p.Release.SetEnabled(held)
	p.Redrive.SetEnabled(ready && q != nil && len(q.Sources) > 0)
	p.Forward.SetEnabled(there && !held)
	p.Delete.SetEnabled(there)
	p.Copy.SetEnabled(p.loaded)
	p.Next.SetEnabled(p.at == 0 && p.total > 0 || p.at < p.total)
	p.Prev.SetEnabled(p.at > 1)
	p.Find.SetEnabled(p.loaded && p.inBody())
	hits := p.inBody() && len(p.body.find.hits) > 0
	p.NextHit.SetEnabled(hits)
	p.PrevHit.SetEnabled(hits)
}

// why says why a key is off.
func (p *detailPane) why(b key.Binding) string {
	help := b.Help()
	switch {
	case b.Enabled():
		return ""
	case help == p.Left.Help() || help == p.Right.Help():
		return "long lines are wrapped"
	case help == p.Next.Help():
		return "it is the last of its list"
	case help == p.Prev.Help():
		return "it is the first of its list"
	case !p.loaded:
		return "the message is not read yet"
	case help == p.Find.Help():
		return "this tab is no body"
	case help == p.NextHit.Help() || help == p.PrevHit.Help():
		return "nothing is found: / looks for something"
	case p.gone != "":
		return "the message " + p.gone
	}
	return p.whyState(help)
}

// whyState says what the message's state has to do with it.
func (p *detailPane) whyState(help key.Help) string {
	switch help {
	case p.Peek.Help():
		if blocked(&p.detail.Row) {
			return whyBlocked
		}
		if p.detail.State == engine.Delayed {
			return "delayed: nobody may receive it before its delay is over"
		}
		return "in flight: hidden from receives until its lease lapses"
	case p.Forward.Help():
		return "in flight: release it first"
	case p.Redrive.Help():
		if p.dead() {
			return "in flight or delayed: a redrive passes it over"
		}
		return "only what lies in a dead-letter queue is redriven"
	case p.Extend.Help():
		if p.detail.State == engine.InFlight {
			return "the queue's visibility timeout is 0: X takes a time"
		}
		return "nobody holds it: only a lease can be extended"
	default:
		return "nobody holds it: there is no lease"
	}
}
