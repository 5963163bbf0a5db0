"use strict";
// The figures. Everything is drawn from the script element #data, into SVG; styles come from classes alone, so that light, dark and print need
// no second drawing.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const chart = data.chart || {};
  const host = document.getElementById("figure");

  // Small tools.
  const svgNode = (name, attributes = {}, parent) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (parent) parent.append(node);
    return node;
  };
  const html = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const text = (parent, x, y, words, attributes = {}) => {
    const node = svgNode("text", { x, y, ...attributes }, parent);
    node.textContent = words;
    return node;
  };
  const most = (list) => (list || []).reduce((a, b) => Math.max(a, b), 0);
  const px = (x) => Math.round(x * 10) / 10;
  // at is the index of the last instant that is not after t, or 0.
  const at = (instants, t) => {
    let low = 0, high = instants.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (instants[middle] <= t) low = middle + 1; else high = middle;
    }
    return Math.max(0, low - 1);
  };
  // elapsed writes seconds as the command does.
  const elapsed = (seconds) => {
    const tenths = Math.round(seconds * 10);
    let s = tenths / 10, out = "";
    if (seconds >= 3600) s = Math.round(seconds);
    const h = Math.floor(s / 3600), m = Math.floor((s % 3600) / 60);
    if (h) out += h + "h";
    if (h || m) out += m + "m";
    return out + Math.round((s - h * 3600 - m * 60) * 10) / 10 + "s";
  };
  const cores = (milli) => (milli >= 10000 ? String(Math.round(milli / 100) / 10) : milli % 1000 ? milli + "m" : String(milli / 1000));
  const memory = (bytes) => {
    const units = ["", "Ki", "Mi", "Gi", "Ti"];
    let i = 0;
    while (i < 4 && bytes >= 10240) { bytes /= 1024; i++; }
    return Math.round(bytes) + units[i];
  };
  const plural = (n, one) => n + " " + one + (n === 1 ? "" : "s");

  // The switch between light and dark.
  const root = document.documentElement, theme = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const label = () => {
    theme.textContent = isDark() ? "Light" : "Dark";
    theme.setAttribute("aria-label", isDark() ? "Show in light colours" : "Show in dark colours");
  };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
  dark.addEventListener("change", label);
  label();

  // In print everything that is closed is open.
  addEventListener("beforeprint", () => document.querySelectorAll("details.whole").forEach((d) => { d.dataset.was = d.open ? "1" : ""; d.open = true; }));
  addEventListener("afterprint", () => document.querySelectorAll("details.whole").forEach((d) => { d.open = d.dataset.was === "1"; }));

  // A long table gets a field that filters its rows.
  document.querySelectorAll("section.table").forEach((section) => {
    const rows = [...section.querySelectorAll("tbody tr")];
    if (rows.length < 25) return;
    const field = html("input", { type: "search", placeholder: "Filter rows", "aria-label": "Filter the rows of " + section.querySelector("h2").textContent });
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    });
    section.querySelector(".wide").before(html("p", { class: "filter" }, field));
  });

  // ticks are round times of a whole, about so many.
  const ticks = (whole, count) => {
    const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
    const step = steps.find((s) => whole / s <= count) || Math.ceil(whole / count / 86400) * 86400;
    const list = [];
    for (let t = 0; t <= whole; t += step) list.push(t);
    return list;
  };
  const tick = (t) => (t === 0 ? "0" : elapsed(t).replace(/(\d)m0s$/, "$1m").replace(/h0m$/, "h"));

  // area is the path of a step function down to its base; line without it.
  const steps = (x, y, instants, values, end) => {
    let d = "", last;
    for (let i = 0; i < instants.length; i++) {
      const next = px(y(values[i]));
      if (i === 0) d = `M${px(x(instants[i]))} ${next}`;
      else if (next !== last) d += `H${px(x(instants[i]))}V${next}`;
      last = next;
    }
    return d + `H${px(x(end))}`;
  };
  const area = (x, y, instants, values, end) => steps(x, y, instants, values, end) + `V${px(y(0))}H${px(x(instants[0]))}Z`;

  const axis = (g, x, whole, y, bottom, width) => {
    for (const t of ticks(whole, Math.max(3, width / 90))) {
      svgNode("path", { class: "rule", d: `M${px(x(t))} ${y + 4}V${bottom}` }, g);
      text(g, x(t), y, tick(t), { "text-anchor": t === 0 ? "start" : x(t) > width - 24 && t > whole * 0.97 ? "end" : "middle" });
    }
  };

  if (host && data.command === "simulate" && chart.plans) simulate();
  if (host && data.command === "compare" && chart.ways) compare();

  // byKey lets the arrow keys go from one instant at which something changes to the next, and the page keys over ten of them.
  function byKey(scrub, instants, now, show) {
    scrub.addEventListener("keydown", (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[e.key];
      if (!by) return;
      e.preventDefault();
      let i = at(instants, now());
      if (by < 0 && instants[i] < now()) i++; // from within an interval to its beginning
      show(instants[Math.min(Math.max(i + by, 0), instants.length - 1)]);
    });
  }

  function redraw(draw) {
    let width = 0;
    const again = () => {
      const next = Math.max(280, host.clientWidth); // nothing is drawn narrower
      if (next !== width) draw(width = next);
    };
    again();
    new ResizeObserver(again).observe(host);
  }

  function simulate() {
    const whole = Math.max(chart.durationSeconds, 0.001);
    const samples = chart.samples, plans = chart.plans;
    const nodes = chart.nodes || [], groups = chart.groups || [], events = chart.events || [], phases = chart.phases || [];
    const classes = ["source", "overlap", "gap", "target", "away"];
    const words = ["on the source", "in overlap: the target prepares beside the source", "without an agent", "on the target", "without an agent, and not eligible"];
    const empty = !(plans.at || []).length;
    let order = nodes.map((_, i) => i), chosen = -1, band = null, now = 0, draw = () => {}, place = () => {};

    // All instants at which something changes: the arrow keys go from one to the next.
    const instants = [...new Set([0, ...(samples ? samples.at : []), ...(plans.at || []), ...nodes.flatMap((n) => n.turns.map((t) => t[0])), ...phases.map((p) => p.at),
      ...events.map((e) => e.at), whole])].filter((t) => t <= whole).sort((a, b) => a - b);

    const time = html("div", { class: "time" }), ledger = html("p"), counts = html("p", { class: "counts" });
    const readout = html("div", { class: "readout" }, time, html("div", {}, ledger), counts);
    const scrub = html("input", { type: "range", class: "scrub", min: 0, max: whole, step: "any", value: 0,
      "aria-label": "Instant of the rollout; left and right go to the next change, up and down to another node" });
    const canvas = html("div");
    const sort = html("select", {}, ...[["done", "done first"], ["gap", "longest without an agent"], ["zone", "zone"], ["name", "name"]].map(([value, name]) => html("option", { value }, name)));
    const item = (name, said) => html("li", {}, html("i", { class: name }), said);
    const key = html("ul", { class: "key", "aria-label": "Colours of the nodes' lines" });
    [["source", "source"], ["overlap", "overlap"], ["gap", "without an agent"], ["target", "target"], ["away", "not eligible"]].forEach(([name, said], state) => {
      const column = { away: "notEligible" }[name] || name;
      if (nodes.some((n) => n.turns.some((t) => t[1] === state)) || groups.some((g) => name === "source" || most(g[column]) > 0)) key.append(item(name, said));
    });
    if (nodes.some((n) => n.failed) || groups.some((g) => g.failed)) key.append(item("failed", "target failed"));
    if (nodes.some((n) => n.exception) || groups.some((g) => g.exception)) key.append(item("exception", "exception"));
    const controls = html("div", { class: "controls" }, key);
    if (nodes.length > 1) controls.append(html("label", {}, "Nodes by ", sort));
    host.append(readout, controls, canvas);
    if (events.length) {
      host.append(html("ol", { class: "events", "aria-label": "Faults and decisions" }, ...events.map((e, i) => html("li", {}, html("b", {}, String(i + 1)), html("span", {}, elapsed(e.at)), e.text))));
    }

    const natural = new Intl.Collator("en", { numeric: true }).compare;
    sort.addEventListener("change", () => {
      order = nodes.map((_, i) => i);
      if (sort.value === "gap") order.sort((a, b) => (nodes[b].longestGapSeconds || 0) - (nodes[a].longestGapSeconds || 0) || a - b);
      if (sort.value === "name") order.sort((a, b) => natural(nodes[a].node, nodes[b].node));
      if (sort.value === "zone") order.sort((a, b) => natural(nodes[a].zone || "", nodes[b].zone || "") || a - b);
      draw(Math.max(280, host.clientWidth));
    });

    // show brings the cursor to an instant, and says everything that holds then.
    function show(t, fromScrub) {
      now = Math.min(Math.max(t, 0), whole);
      const phase = phases.length ? phases[at(phases.map((p) => p.at), now)].text : "";
      time.replaceChildren(elapsed(now), html("small", {}, phase));
      if (!empty) {
        const i = at(plans.at, now), of = (name) => plans[name][i];
        const parts = [["exempt", of("exempt"), "exempt"], ["joining", of("joining"), "joining"], ["available", of("available"), "available"],
          ["ambient", of("ambient") - of("exempt"), "ambient"], ["committed", of("committed"), "committed"]];
        const bar = html("span", { class: "bar", "aria-hidden": "true" });
        for (const [name, n] of parts) if (n > 0) bar.append(html("i", { class: name, style: "" }));
        [...bar.children].forEach((part, k) => { part.style.width = (parts.filter((p) => p[1] > 0)[k][1] / Math.max(1, of("eligible"))) * 100 + "%"; part.style.flex = "0 1 auto"; });
        ledger.replaceChildren(bar, parts.filter(([name, n]) => n > 0 || name === "available").map(([, n, said]) => n + " " + said).join(" + "),
          html("span", { class: "soft" }, ` of ${of("eligible")} eligible; budget ${of("budget")}`), html("br"),
          html("span", { class: "soft" }, `labels: ${of("onSource")} source, ${of("inOverlap")} overlap, ${of("onTarget")} target; ${of("updated")} updated`));
        let really = "";
        if (samples && samples.at.length) {
          const k = at(samples.at, now);
          really = `${samples.withoutAgent[k]} without an agent, ${samples.inOverlap[k]} with two Pods, ${samples.pulling[k]} pulling`;
          if (most(samples.extraMilliCPU)) really += `; +${cores(samples.extraMilliCPU[k])} CPU, +${memory(samples.extraMemoryBytes[k])}`;
        }
        counts.replaceChildren(really, html("br"), nodeWords());
        scrub.setAttribute("aria-valuetext", `${elapsed(now)}, ${phase}: ${of("available")} available, ${of("ambient")} ambient, ${of("committed")} committed of ${of("eligible")}. ${really}. ${counts.lastChild.textContent}`);
      }
      if (!fromScrub) scrub.value = now;
      place();
    }
    function nodeWords() {
      if (band) {
        const i = Math.min(Math.round(now / band.stepSeconds), band.gap.length - 1);
        return html("span", {}, html("b", {}, `${plural(band.nodes, "node")}${band.zone ? ", " + band.zone : ""}`), `: ${band.overlap[i]} in overlap, ${band.gap[i]} without an agent, ${band.target[i]} on the target; ${band.shape}`);
      }
      if (chosen < 0 || !nodes.length) return html("span", { class: "soft" }, nodes.length ? "Point at a node, or use the arrow keys." : "Point at the figure, or use the arrow keys.");
      const n = nodes[chosen], state = n.turns[at(n.turns.map((t) => t[0]), now)][1];
      const within = (spans) => (spans || []).some((s) => now >= s.from && now <= s.until);
      let said = words[state];
      if (n.reasons && n.reasons.length) said += ", " + chart.reasons[n.reasons[at(n.reasons.map((r) => r[0]), now)][1]];
      if (within(n.failed)) said += "; target failed";
      if (within(n.exception)) said += "; exception";
      return html("span", {}, html("b", {}, n.node), (n.zone ? " " + n.zone : "") + ": " + said);
    }
    scrub.addEventListener("input", () => show(Number(scrub.value), true));
    byKey(scrub, instants, () => now, show);
    scrub.addEventListener("keydown", (e) => {
      if (!nodes.length || (e.key !== "ArrowUp" && e.key !== "ArrowDown")) return;
      e.preventDefault();
      const row = order.indexOf(chosen) + (e.key === "ArrowDown" ? 1 : -1);
      chosen = order[Math.min(Math.max(row, 0), order.length - 1)];
      show(now);
    });

    draw = (width) => {
      const narrow = width < 640;
      const left = narrow ? 0 : Math.min(190, Math.max(130, width * 0.16)), right = 12;
      const x = (t) => left + (t / whole) * (width - left - right);
      const svg = svgNode("svg", { role: "img", "aria-label": "The rollout over its time; the same is told by the tables below" });
      let y = 14;
      const axisAt = y;
      const grid = svgNode("g", {}, svg);
      y += 10;
      // phases
      let free = -1;
      phases.forEach((p, i) => {
        const until = i + 1 < phases.length ? phases[i + 1].at : whole;
        const wide = x(until) - x(p.at);
        svgNode("rect", { class: "phase", x: px(x(p.at)), y, width: px(Math.max(wide, 0.5)), height: 18 }, svg);
        if (wide > p.text.length * 6.4 + 8 && x(p.at) > free) { text(svg, x(p.at) + 5, y + 13, p.text, { class: "small name" }); free = x(p.at); }
      });
      if (!narrow) text(svg, left - 10, y + 13, "phase", { "text-anchor": "end" });
      y += 24;
      const eventsAt = y;
      if (events.length) y += 16;

      // panel draws one quantity over the time, and says its peak.
      const panel = (name, said, height, top, paint) => {
        if (narrow) { text(svg, 0, y + 11, name, { class: "strong" }); text(svg, width, y + 11, said, { "text-anchor": "end" }); y += 17; }
        else {
          text(svg, left - 10, y + 13, name, { "text-anchor": "end", class: "name" });
          said.split("; ").forEach((line, i) => text(svg, left - 10, y + 28 + i * 14, line, { "text-anchor": "end", class: "small" }));
        }
        const base = y + height;
        paint((v) => base - (v / Math.max(top, 1e-9)) * (height - 3));
        svgNode("path", { class: "base", d: `M${left} ${base}H${width - right}` }, svg);
        y = base + 14;
      };
      if (!empty) {
        const all = most(plans.eligible);
        panel("Nodes", `${plans.updated[plans.updated.length - 1]} of ${all} updated; as the plans count`, 58, all, (v) => {
          const sum = (...names) => plans.at.map((_, i) => Math.min(plans.eligible[i], names.reduce((s, n) => s + plans[n][i], 0)));
          svgNode("path", { class: "source", d: area(x, v, plans.at, plans.eligible, whole) }, svg);
          svgNode("path", { class: "overlap", d: area(x, v, plans.at, sum("updated", "committed", "inOverlap"), whole) }, svg);
          svgNode("path", { class: "gap", d: area(x, v, plans.at, sum("updated", "committed"), whole) }, svg);
          svgNode("path", { class: "target", d: area(x, v, plans.at, plans.updated, whole) }, svg);
        });
      }
      if (samples && samples.at.length && !empty) {
        const unserved = most(samples.withoutAgent), overlap = most(samples.inOverlap), budget = most(plans.budget);
        const charged = plans.at.map((_, i) => plans.committed[i] + plans.ambient[i] - plans.exempt[i]);
        const top = Math.max(unserved, most(charged), budget, 1);
        panel("Without an agent", `at most ${unserved}` + (narrow && budget ? "; budget " + budget : "") + (most(charged) ? "; line: as charged" : ""), 74, top, (v) => {
          svgNode("path", { class: "gap", d: area(x, v, samples.at, samples.withoutAgent, whole) }, svg);
          svgNode("path", { class: "plans", d: steps(x, v, plans.at, charged, whole) }, svg);
          if (budget) svgNode("path", { class: "limit", d: steps(x, v, plans.at, plans.budget, whole) }, svg);
          if (budget && !narrow) text(svg, width - right, v(plans.budget[plans.budget.length - 1]) - 4, "budget " + plans.budget[plans.budget.length - 1], { class: "small halo name", "text-anchor": "end" });
        });
        const window = most(plans.window), shown = window > 0 && window <= overlap * 2;
        if (overlap) panel("With two Pods", `at most ${overlap}` + (window ? `; window ${window}` : ""), 44, Math.max(overlap, shown ? window : 0), (v) => {
          svgNode("path", { class: "overlap", d: area(x, v, samples.at, samples.inOverlap, whole) }, svg);
          if (shown) svgNode("path", { class: "limit", d: steps(x, v, plans.at, plans.window, whole) }, svg);
        });
        if (most(samples.pulling)) panel("Pulling", `at most ${most(samples.pulling)}`, 30, most(samples.pulling), (v) => {
          svgNode("path", { class: "pulls", d: area(x, v, samples.at, samples.pulling, whole) }, svg);
        });
        for (const [name, column, write] of [["Extra CPU", samples.extraMilliCPU, cores], ["Extra memory", samples.extraMemoryBytes, memory]]) {
          if (most(column)) panel(name, `at most ${write(most(column))}`, 30, most(column), (v) => {
            svgNode("path", { class: "pulls", d: area(x, v, samples.at, column, whole) }, svg);
          });
        }
      }

      const rowsAt = y + 4;
      y = rowsAt;
      let size = 0;
      if (nodes.length) {
        size = nodes.length <= 30 ? 17 : nodes.length <= 70 ? 12 : nodes.length <= 200 ? 4 : 2;
        if (narrow && size > 10) size = 26;
        const lane = narrow && size > 10 ? 10 : size > 6 ? size - 4 : size;
        const down = size - lane > 10 ? 14 : (size - lane) / 2;
        const paths = { source: "", overlap: "", gap: "", target: "", away: "", failed: "", exception: "" };
        const rect = (name, from, until, top, height) => {
          const w = Math.max(x(until) - x(from), name === "gap" || name === "failed" ? 1 : 0.3);
          paths[name] += `M${px(x(from))} ${px(top)}h${px(w)}v${px(height)}h${px(-w)}z`;
        };
        order.forEach((index, row) => {
          const n = nodes[index], top = rowsAt + row * size + down;
          n.turns.forEach((t, i) => rect(classes[t[1]], t[0], i + 1 < n.turns.length ? n.turns[i + 1][0] : whole, top, lane));
          const strip = Math.max(1.2, lane * 0.3);
          for (const s of n.failed || []) rect("failed", s.from, s.until, top - (size > 6 ? 1.5 : 0), strip);
          for (const s of n.exception || []) rect("exception", s.from, s.until, top + lane - strip, strip);
          // In thin lines a mark at the end points to what went wrong.
          if (size < 11 && (n.failed || n.exception)) paths[n.failed ? "failed" : "exception"] += `M${px(width - right + 3)} ${px(top + lane / 2)}l7 -4v8z`;
          if (size >= 11) text(svg, narrow ? 0 : left - 10, narrow ? top - 4 : top + lane - (size > 14 ? 2.5 : 0), n.node.length > 26 && !narrow ? "…" + n.node.slice(-25) : n.node,
            { class: (size > 14 ? "" : "small ") + "name", "text-anchor": narrow ? "start" : "end" });
        });
        for (const [name, d] of Object.entries(paths)) if (d) svgNode("path", { class: name, d }, svg);
        if (size < 11 && !narrow) {
          text(svg, left - 10, rowsAt + 12, plural(nodes.length, "node"), { "text-anchor": "end", class: "name" });
          text(svg, left - 10, rowsAt + 27, "a line each", { "text-anchor": "end", class: "small" });
        }
        y = rowsAt + nodes.length * size + 4;
      }
      const bands = [];
      const biggest = groups.reduce((a, g) => Math.max(a, g.nodes), 1);
      for (const g of groups) {
        const height = 22 + 68 * Math.sqrt(g.nodes / biggest), base = (narrow ? y + 18 : y) + height;
        const told = g.shape.split(" → ").join(" → ");
        if (narrow) text(svg, 0, y + 12, `${g.nodes} ${g.zone || ""} ${told}`, { class: "small name" });
        else {
          text(svg, left - 10, y + 12, plural(g.nodes, "node") + (height > 26 ? "" : " " + (g.zone || "")), { "text-anchor": "end", class: "name" });
          if (height > 26) text(svg, left - 10, y + 26, g.zone || "", { "text-anchor": "end", class: "small" });
        }
        const v = (n) => base - (n / g.nodes) * height, when = g.gap.map((_, i) => Math.min(i * g.stepSeconds, whole));
        const stack = (...columns) => when.map((_, i) => columns.reduce((s, c) => s + c[i], 0));
        // What is rare must be seen: a node without an agent takes a pixel and a half at least.
        const gap = g.gap.map((n) => (n ? Math.max(n, (1.5 / height) * g.nodes) : 0));
        const cap = (list) => list.map((n) => Math.min(n, g.nodes));
        svgNode("rect", { class: "source", x: left, y: px(base - height), width: px(width - left - right), height: px(height) }, svg);
        svgNode("path", { class: "overlap", d: area(x, v, when, cap(stack(g.overlap, gap, g.target)), whole) }, svg);
        svgNode("path", { class: "gap", d: area(x, v, when, cap(stack(gap, g.target)), whole) }, svg);
        svgNode("path", { class: "target", d: area(x, v, when, g.target, whole) }, svg);
        if (g.notEligible) svgNode("path", { class: "away", d: area(x, (n) => base - height + (n / g.nodes) * height, when, g.notEligible, whole).replace(/V[^V]*H([^H]*)Z$/, `V${px(base - height)}H$1Z`) }, svg);
        for (const [name, column] of [["failed", g.failed], ["exception", g.exception]]) {
          if (!column) continue;
          let d = "";
          column.forEach((n, i) => { if (n) d += `M${px(x(when[i]))} ${px(name === "failed" ? base - height : base - 3)}h${px(Math.max(x(g.stepSeconds) - x(0), 1))}v3h${px(-Math.max(x(g.stepSeconds) - x(0), 1))}z`; });
          svgNode("path", { class: name, d }, svg);
        }
        if (!narrow && height > 26) text(svg, left + 6, base - height + 14, told, { class: "small halo name" });
        bands.push([y, base, g]);
        y = base + 8;
      }
      axis(grid, x, whole, axisAt, y, width);
      events.forEach((e, i) => {
        svgNode("path", { class: "eventline", d: `M${px(x(e.at))} ${eventsAt + 10}V${y}` }, svg);
        svgNode("path", { class: "event", d: `M${px(x(e.at) - 4)} ${eventsAt}h8l-4 8z` }, svg);
        if (i === 0 || x(e.at) - x(events[i - 1].at) > 18) text(svg, x(e.at) + 6, eventsAt + 9, String(i + 1), { class: "small name halo" });
      });
      svg.setAttribute("viewBox", `0 0 ${width} ${y}`);
      const cursor = svgNode("path", { class: "cursor" }, svg), frame = svgNode("rect", { class: "chosen", visibility: "hidden" }, svg);
      place = () => {
        cursor.setAttribute("d", `M${px(x(now))} ${axisAt + 4}V${y}`);
        const row = order.indexOf(chosen);
        frame.setAttribute("visibility", row < 0 ? "hidden" : "visible");
        if (row >= 0) for (const [k, v] of Object.entries({ x: left - 0.5, y: rowsAt + row * size - 0.5, width: width - left - right + 1, height: size + 1 })) frame.setAttribute(k, v);
      };
      const point = (e) => {
        const box = svg.getBoundingClientRect(), scale = width / box.width;
        const row = Math.floor(((e.clientY - box.top) * scale - rowsAt) / size);
        if (nodes.length && row >= 0 && row < nodes.length) chosen = order[row];
        const y = (e.clientY - box.top) * scale, under = bands.find(([top, base]) => y >= top && y <= base);
        if (under) band = under[2];
        show((((e.clientX - box.left) * scale - left) / (width - left - right)) * whole);
      };
      svg.addEventListener("pointermove", point);
      svg.addEventListener("pointerdown", point);
      scrub.style.marginLeft = (Math.max(0, left - 8) / width) * 100 + "%";
      scrub.style.width = ((width - left - right + 16 - (narrow ? 8 : 0)) / width) * 100 + "%";
      canvas.replaceChildren(scrub, svg);
      show(now);
    };
    // Begin where the fewest are available: that is what one wants to know first.
    const worst = samples && samples.at.length ? samples.at[samples.withoutAgent.indexOf(most(samples.withoutAgent))] : 0;
    redraw(draw);
    show(worst);
  }

  function compare() {
    const ways = chart.ways, whole = Math.max(0.001, ...ways.map((w) => w.durationSeconds));
    const bound = data.result.lowerBound, made = ways.filter((w) => w.samples);
    const top = Math.max(1, bound.budget, ...made.map((w) => Math.max(most(w.samples.withoutAgent), most(w.samples.inOverlap))));
    const instants = [...new Set([0, ...made.flatMap((w) => w.samples.at), whole])].sort((a, b) => a - b);
    const scrub = html("input", { type: "range", class: "scrub", min: 0, max: whole, step: "any", value: 0, "aria-label": "Instant; left and right go to the next change" });
    const canvas = html("div"), item = (name, said) => html("li", {}, html("i", { class: name }), said);
    const key = html("ul", { class: "key" }, item("gap", "nodes without an agent"), item("overlap", "nodes with two Pods"), item("source", "under way"));
    host.append(html("div", { class: "controls" }, key), canvas);
    let now = 0, place = () => {};
    const show = (t, fromScrub) => {
      now = Math.min(Math.max(t, 0), whole);
      if (!fromScrub) scrub.value = now;
      place();
    };
    scrub.addEventListener("input", () => show(Number(scrub.value), true));
    byKey(scrub, instants, () => now, show);
    redraw((width) => {
      const narrow = width < 640, left = narrow ? 0 : 190, right = narrow ? 62 : 76;
      const x = (t) => left + (t / whole) * (width - left - right);
      const svg = svgNode("svg", { role: "img", "aria-label": "Every way on one axis of time; the same is told by the table below" });
      const grid = svgNode("g", {}, svg), said = [];
      const clock = text(svg, left, 12, "", { class: "strong halo", visibility: "hidden" });
      let y = 30;
      ways.forEach((w) => {
        if (narrow) y += 18;
        const height = 44, base = y + height;
        text(svg, narrow ? 0 : left - 12, narrow ? y - 5 : y + 16, w.strategy, { class: w.comparison ? "name" : "strong", "text-anchor": narrow ? "start" : "end" });
        if (!w.samples) {
          const columns = Math.floor((width - left) / 6.6), reason = w.reason || "";
          text(svg, left + 4, y + 16, reason.length > columns ? reason.slice(0, columns - 1) + "…" : reason, { class: "halo" });
          said.push(null);
          y += 34;
          return;
        }
        const v = (n) => base - (n / top) * (height - 2);
        svgNode("rect", { class: "source", x: px(x(0)), y: base - 3, width: px(x(w.durationSeconds) - x(0)), height: 6 }, svg);
        svgNode("path", { class: "overlap", d: area(x, v, w.samples.at, w.samples.inOverlap, w.durationSeconds) }, svg);
        svgNode("path", { class: "gap", d: area(x, v, w.samples.at, w.samples.withoutAgent, w.durationSeconds) }, svg);
        text(svg, x(w.durationSeconds) + 6, base + 3, elapsed(w.durationSeconds), { class: "strong" });
        said.push(text(svg, narrow ? width - right : left - 12, narrow ? y - 5 : y + 32, "", { class: "small", "text-anchor": "end" }));
        y = base + 14;
      });
      axis(grid, x, whole, 18, y, width);
      if (bound.totalSeconds > 0) {
        svgNode("path", { class: "limit", d: `M${px(x(Math.min(whole, bound.totalSeconds)))} 22V${y}` }, svg);
        text(svg, x(Math.min(whole, bound.totalSeconds)) + 5, y + 12, "lower bound " + elapsed(bound.totalSeconds), { class: "small name" });
      }
      y += 18;
      svg.setAttribute("viewBox", `0 0 ${width} ${y}`);
      const cursor = svgNode("path", { class: "cursor" }, svg);
      place = () => {
        cursor.setAttribute("d", `M${px(x(now))} 22V${y - 18}`);
        const told = [];
        made.forEach((w) => {
          const i = at(w.samples.at, now), over = now > w.durationSeconds, place = said[ways.indexOf(w)];
          place.textContent = over ? "done" : `${w.samples.withoutAgent[i]} without, ${w.samples.inOverlap[i]} with two`;
          told.push(w.strategy + ": " + place.textContent);
        });
        scrub.setAttribute("aria-valuetext", elapsed(now) + ". " + told.join("; "));
        clock.textContent = elapsed(now);
        clock.setAttribute("x", narrow ? 0 : left - 12);
        clock.setAttribute("text-anchor", narrow ? "start" : "end");
        clock.setAttribute("visibility", narrow ? "hidden" : "visible");
      };
      const point = (e) => {
        const box = svg.getBoundingClientRect();
        show((((e.clientX - box.left) * (width / box.width) - left) / (width - left - right)) * whole);
      };
      svg.addEventListener("pointermove", point);
      svg.addEventListener("pointerdown", point);
      scrub.style.marginLeft = (Math.max(0, left - 8) / width) * 100 + "%";
      scrub.style.width = ((width - left - right + 16 - (narrow ? 8 : 0)) / width) * 100 + "%";
      canvas.replaceChildren(scrub, svg);
      show(now);
    });
    show(bound.totalSeconds / 2);
  }
})();
