package scenario

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

const firstOrder = 8800

// order is the body of a message as the shop writes it. Amount is a number, or
// text where a shop got it wrong.
type order struct {
	ID       int       `json:"orderId"`
	Amount   any       `json:"amount"`
	Currency string    `json:"currency"`
	Customer *customer `json:"customer"`
	Lines    []line    `json:"lines"`
	Placed   string    `json:"placedAt"`
	Charge   string    `json:"chargeAt,omitempty"`
}

type customer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
	Cents    int    `json:"cents"`
}

var (
	people = []string{
		"Ana Costa", "Åse Ødegård", "Bola Adeyemi", "Chen Wei", "Dilek Şahin", "Emil Novák",
		"Farah Khan", "Grace Kim", "Hugo Martin", "山田 花子",
	}
	goods      = []string{"TEA-100", "MUG-012", "PEN-007", "INK-033", "BAG-210", "MAP-004", "KEY-555"}
	currencies = []string{"EUR", "EUR", "EUR", "USD", "GBP"}
)

// fault is what is wrong with an order.
type fault int

const (
	sound      fault = iota
	textAmount       // "amount":"12,50": unreadable until consumers are mended
	noCustomer       // "customer":null: unreadable for good
)

func (s *Scenario) newOrder(r *rand.Rand, at time.Time, wrong fault) order {
	s.orderID++
	who := r.IntN(len(people))
	o := order{
		ID:       s.orderID,
		Currency: currencies[r.IntN(len(currencies))],
		Customer: &customer{ID: fmt.Sprintf("c-%d", 1100+who*17), Name: people[who]},
		Placed:   at.UTC().Format(time.RFC3339),
	}
	total := 0
	for range 1 + r.IntN(3) {
		l := line{SKU: goods[r.IntN(len(goods))], Quantity: 1 + r.IntN(4), Cents: 190 + 10*r.IntN(400)}
		total += l.Quantity * l.Cents
		o.Lines = append(o.Lines, l)
	}
	o.Amount = json.Number(fmt.Sprintf("%d.%02d", total/100, total%100))
	switch wrong {
	case textAmount:
		o.Amount = fmt.Sprintf("%d,%02d", total/100, total%100)
	case noCustomer:
		o.Customer = nil
	}
	return o
}

func (o order) body() []byte {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(o); err != nil {
		panic("encode an order: " + err.Error()) // every field of it can be encoded
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// readable says whether a consumer can read the order in body. It really
// reads it, so an order that an operator composes is treated alike. A mended
// consumer takes an amount that is text, such as "12,50".
func readable(body []byte, mended bool) bool {
	var o struct {
		Amount   json.RawMessage `json:"amount"`
		Customer *customer       `json:"customer"`
	}
	if json.Unmarshal(body, &o) != nil || o.Customer == nil {
		return false
	}
	amount := string(o.Amount)
	if mended {
		amount = strings.Replace(strings.Trim(amount, `"`), ",", ".", 1)
	}
	var number float64
	return amount != "null" && json.Unmarshal([]byte(amount), &number) == nil
}
