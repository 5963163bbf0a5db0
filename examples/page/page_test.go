package page

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// A page of each command: it complains about nothing, loads nothing, has the numbers of -o json, is not blank, and is dark where dark is asked for.
func TestPages(t *testing.T) {
	for name, test := range map[string]struct {
		args  []string
		marks []string // selectors of what must be seen
	}{
		"simulate": {[]string{"simulate", "-f", "three-zones.yaml"},
			[]string{"#figure path.gap", "#figure path.overlap", "#figure path.target", "#figure path.source", "#figure path.exception", "#figure path.limit", "#figure .cursor", ".readout .bar i", "td .bar i.gap"}},
		"simulate, failed": {[]string{"simulate", "-f", "half-way.yaml", "--fault", "30s Image agent@gcr.io/datadoghq/agent:7.81.1=NeverReady"},
			[]string{"h1.bad", ".lead", "#figure path.gap", "#figure path.failed", "#figure .event", "ol.events li"}},
		"compare": {[]string{"compare", "-f", "two-workers.yaml"},
			[]string{"#figure path.gap", "#figure path.overlap", "#figure rect.source", "#figure path.limit", "#figure .cursor"}},
		"plan": {[]string{"plan", "-f", "half-way.yaml"},
			[]string{"#ledger i.available", "#ledger i.committed", "#ledger b", ".key li", "td .bar i.overlap"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, rollout(t, append(test.args, "-o", "html")...), 1200, 900)
			for _, mark := range test.marks {
				require.True(t, eval[bool](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => { const b = e.getBoundingClientRect(); return b.width + b.height > 0; })`, mark)), "%s is not seen", mark)
			}
			want := object(t, rollout(t, append(test.args, "-o", "json")...))
			require.Equal(t, want, eval[map[string]any](p, `JSON.parse(document.getElementById("data").textContent).result`))

			p.prefer("light")
			colours, light := look(p.shot())
			require.Greater(t, colours, 50)
			require.Greater(t, light, 0.8)
			p.prefer("dark")
			picture := p.shot()
			colours, dark := look(picture)
			require.Greater(t, colours, 50)
			require.Less(t, dark, 0.3)
			// The switch overrules the system, either way.
			p.do(chromedp.Click(chromedp.CSS("#theme")))
			_, switched := look(p.shot())
			require.InDelta(t, light, switched, 0.02)
			p.do(chromedp.Click(chromedp.CSS("#theme")))
			_, switched = look(p.shot())
			require.InDelta(t, dark, switched, 0.02)

			p.do(chromedp.EmulateViewport(390, 844))
			require.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), 390, "a phone scrolls down only")
			colours, _ = look(p.shot())
			require.Greater(t, colours, 50)
			p.quiet()
		})
	}
}

// The keyboard reaches every instant and every node, and what is read out is what the data say.
func TestKeyboard(t *testing.T) {
	p := open(t, rollout(t, "simulate", "-f", "three-zones.yaml", "-o", "html"), 1200, 900)
	said := func() string {
		return eval[string](p, `document.querySelector(".scrub").getAttribute("aria-valuetext")`)
	}
	p.do(chromedp.Focus(chromedp.CSS(".scrub")), chromedp.KeyEvent(kb.Home))
	require.Contains(t, said(), "0s, Preparing: ")
	for range 5 {
		p.do(chromedp.KeyEvent(kb.ArrowRight))
	}
	fifth := said()
	require.NotContains(t, fifth, "0s, Preparing: ")
	for range 30 {
		p.do(chromedp.KeyEvent(kb.ArrowRight))
	}
	require.NotEqual(t, fifth, said())
	for range 30 {
		p.do(chromedp.KeyEvent(kb.ArrowLeft))
	}
	require.Equal(t, fifth, said())
	p.do(chromedp.KeyEvent(kb.End))
	require.Contains(t, said(), eval[string](p, `(() => {
		const { plans, phases } = JSON.parse(document.getElementById("data").textContent).chart, end = (column) => plans[column].at(-1);
		return phases.at(-1).text + ": " + end("available") + " available, " + end("ambient") + " ambient, " + end("committed") + " committed of " + end("eligible") + ".";
	})()`))
	require.Equal(t, eval[float64](p, `JSON.parse(document.getElementById("data").textContent).result.durationSeconds`), eval[float64](p, `Number(document.querySelector(".scrub").value)`))
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	node := said()
	require.Contains(t, node, "worker-")
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	require.NotEqual(t, node, said())
	p.do(chromedp.KeyEvent(kb.ArrowUp))
	require.Equal(t, node, said())
	require.NotEqual(t, "none", eval[string](p, `getComputedStyle(document.activeElement).outlineStyle`), "the focus is seen")

	// What is focused by hand or by key is named.
	require.Empty(t, eval[[]string](p, `[...document.querySelectorAll("button, input, select, [tabindex], [role=img], [role=region]")].filter((e) =>
		!(e.getAttribute("aria-label") || e.textContent.trim() && e.tagName === "BUTTON" || e.closest("label") || e.getAttribute("aria-labelledby") && document.getElementById(e.getAttribute("aria-labelledby")))
	).map((e) => e.outerHTML.slice(0, 80))`))
	p.quiet()
}

// At every change of the run the readout has the numbers of the data, under the pointer as by key.
func TestPointer(t *testing.T) {
	p := open(t, rollout(t, "simulate", "-f", "two-workers.yaml", "-o", "html"), 1200, 900)
	require.Empty(t, eval[[]string](p, `(() => {
		const { plans, samples } = JSON.parse(document.getElementById("data").textContent).chart, wrong = [];
		const scrub = document.querySelector(".scrub"), readout = document.querySelector(".readout");
		const times = [...plans.at, ...samples.at].sort((a, b) => a - b);
		let looked = 0;
		for (let i = 0; i + 1 < times.length; i++) {
			if (times[i + 1] - times[i] < 0.01) continue;
			const t = (times[i] + times[i + 1]) / 2;
			looked++;
			scrub.value = t;
			scrub.dispatchEvent(new Event("input"));
			const before = (list) => list.filter((at) => at <= t).length - 1;
			const k = before(plans.at), j = before(samples.at);
			for (const part of [plans.available[k] + " available", "of " + plans.eligible[k] + " eligible", "budget " + plans.budget[k], plans.onTarget[k] + " target",
				samples.withoutAgent[j] + " without an agent", samples.inOverlap[j] + " with two Pods", samples.pulling[j] + " pulling"]) {
				if (!readout.textContent.includes(part)) wrong.push(t + ": " + part + " is not in " + readout.textContent);
			}
		}
		return looked > 15 ? wrong : ["only " + looked + " instants"];
	})()`))
	box := eval[[]float64](p, `(() => { document.querySelector("#figure svg").scrollIntoView({ block: "end" }); const b = document.querySelector("#figure svg").getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()`)
	p.do(chromedp.MouseEvent("mouseMoved", box[0]+box[2]*0.6, box[1]+box[3]-10))
	require.Contains(t, eval[string](p, `document.querySelector(".readout").textContent`), "worker-", "the last line is a node's")
	p.quiet()
}

// Text has the contrast that WCAG 2 asks for (AA: 4.5), in light and dark.
func TestContrast(t *testing.T) {
	for name, args := range map[string][]string{"simulate": {"simulate", "-f", "three-zones.yaml"}, "plan": {"plan", "-f", "half-way.yaml"}} {
		p := open(t, rollout(t, append(args, "-o", "html")...), 1200, 900)
		for _, scheme := range []string{"light", "dark"} {
			p.prefer(scheme)
			require.Empty(t, eval[[]string](p, `(() => {
				const rgb = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
				const light = (text) => rgb(text).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
				const ground = light(getComputedStyle(document.body).backgroundColor), poor = new Set();
				for (const e of document.querySelectorAll("body *")) {
					if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(e.tagName)) continue;
					const style = getComputedStyle(e), ink = light(e.namespaceURI.endsWith("svg") ? style.fill : style.color);
					const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
					if (ratio < 4.5) poor.add(e.tagName + "." + e.getAttribute("class") + ": " + ratio.toFixed(2));
				}
				return [...poor];
			})()`), "%s, %s", name, scheme)
		}
		p.quiet()
	}
}

// In print everything is open, dark ink is on white paper whatever the screen shows, and the paper's pages are made.
func TestPrint(t *testing.T) {
	p := open(t, rollout(t, "simulate", "-f", "three-zones.yaml", "-o", "html"), 1200, 900)
	p.prefer("dark")
	require.False(t, eval[bool](p, `document.querySelector("details.whole").open`))
	require.True(t, eval[bool](p, `dispatchEvent(new Event("beforeprint"))`))
	require.True(t, eval[bool](p, `[...document.querySelectorAll("details.whole")].every((d) => d.open)`))
	require.True(t, eval[bool](p, `dispatchEvent(new Event("afterprint"))`))
	require.False(t, eval[bool](p, `document.querySelector("details.whole").open`))
	paper, err := chromedp.Run(p, chromedp.PrintToPDF(chromedp.PDFPrintBackground()))
	require.NoError(t, err)
	require.Equal(t, "%PDF", string(paper[:4]))
	require.Greater(t, len(paper), 20_000)
	p.show("print", "dark")
	picture := p.shot()
	_, lightness := look(picture)
	require.Greater(t, lightness, 0.8)
	require.Greater(t, has(picture, 0xd4, 0x50, 0x0a), 1000, "gaps are drawn in their colour")
	p.quiet()
}

var rewrite = flag.Bool("rewrite", false, "make the README's picture anew")

// The README's picture is a small one of the page; -rewrite makes it. Fonts differ from machine to machine, so its pixels are not compared.
func TestPicture(t *testing.T) {
	const file, most = "page.png", 200_000
	if *rewrite {
		p := open(t, rollout(t, "simulate", "-f", "three-zones.yaml", "-o", "html"), 1080, 900)
		p.prefer("light")
		// The pointer is on the node that was the longest without an agent.
		box := eval[[]float64](p, `(() => { const b = [...document.querySelectorAll("#figure text.name")].find((e) => e.textContent === "worker-a-2").getBoundingClientRect(); return [b.top + b.height / 2, document.querySelector(".controls + div svg").getBoundingClientRect().right]; })()`)
		p.do(chromedp.MouseEvent("mouseMoved", box[1]*0.42, box[0]))
		picture := p.shot()
		end := eval[int](p, `Math.ceil(document.querySelector("#figure").getBoundingClientRect().bottom + scrollY) + 16`)
		cut := picture.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(image.Rect(0, 0, 1080, end))
		text, err := small(cut)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text, 0o644))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Less(t, len(text), most)
	picture, err := png.Decode(bytes.NewReader(text))
	require.NoError(t, err)
	for _, state := range [][3]uint32{{0xd3, 0xd8, 0xdd}, {0x64, 0xa8, 0xdc}, {0xd4, 0x50, 0x0a}, {0x1d, 0x5b, 0x94}} {
		require.Greater(t, has(picture, state[0], state[1], state[2]), 500, "the colours of the nodes' states are those of the page")
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "(examples/page/page.png)")
}
