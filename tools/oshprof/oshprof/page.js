// SPDX-License-Identifier: BSD-3-Clause
"use strict";
const profile = JSON.parse(document.getElementById("data").textContent);
const id = name => document.getElementById(name);
const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const CLASSES = [["waiting", "waiting"], ["collectives", "collectives"], ["transfers", "transfers"], ["other", "other calls"]];

function seconds(value) {
  if (!value) return "0";
  for (const [limit, factor, unit] of [[1e-6, 1e9, "ns"], [1e-3, 1e6, "µs"], [1, 1e3, "ms"]])
    if (value < limit) return (value * factor).toPrecision(3) + " " + unit;
  return value.toFixed(value < 100 ? 2 : 0) + " s";
}
function size(value) {
  for (const unit of ["B", "KiB", "MiB", "GiB", "TiB"]) {
    if (value < 1024 || unit === "TiB") return (unit === "B" ? Math.round(value) : value.toFixed(1)) + " " + unit;
    value /= 1024;
  }
}
const count = value => value.toLocaleString("en");
const percent = (part, whole) => whole ? (100 * part / whole).toFixed(1) + " %" : "–";
function element(tag, text, parent, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  if (parent) parent.append(made);
  return made;
}
function tip(event, text) {
  const box = id("tip");
  box.style.opacity = text ? 1 : 0;
  if (!text) return;
  box.textContent = text;
  box.style.left = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8) + "px";
  box.style.top = Math.min(event.clientY + 14, innerHeight - box.offsetHeight - 8) + "px";
}
// A canvas of so many CSS pixels, drawn sharply; hover(x, y) gives the text below the pointer.
function canvas(name, height, draw, hover) {
  const node = id(name), paint = () => {
    const width = node.parentElement.clientWidth - 42, scale = devicePixelRatio || 1;
    node.style.height = height(width) + "px";
    node.width = Math.max(1, width * scale);
    node.height = height(width) * scale;
    const context = node.getContext("2d");
    context.scale(scale, scale);
    context.font = "12px system-ui, sans-serif";
    draw(context, width, height(width));
  };
  node.onmousemove = event => tip(event, hover(event.offsetX, event.offsetY, node.clientWidth, node.clientHeight));
  node.onmouseleave = event => tip(event, "");
  painters.push(paint);
  return paint;
}
const painters = [], LEFT = 52, BOTTOM = 22;

function head() {
  id("run").textContent = `${profile.title} · ${profile.when} · ${profile.arguments}`;
  id("summary").textContent = profile.summary;
  for (const note of profile.notes) element("li", note, id("notes"));
  const sum = key => profile.pes.reduce((all, pe) => all + pe[key], 0), whole = sum("seconds");
  const bytes = profile.matrix.reduce((all, row) => all + row[3], 0), far = profile.sites.reduce((all, s) => all + s.far, 0);
  for (const [name, value] of [["from init to finalize", seconds(profile.seconds)], ["computing", percent(sum("compute"), whole)],
      ["waiting for others", percent(sum("waited"), whole)], ["put, get and atomics", percent(sum("put") + sum("get") + sum("atomic"), whole)],
      [far ? `moved, ${percent(far, bytes)} of it far` : "moved, all of it near", size(bytes)],
      ["most symmetric heap of a PE", size(Math.max(...profile.pes.map(pe => pe.heap)))]]) {
    const box = element("div", undefined, id("figures"), "figure");
    element("b", value, box);
    element("span", name, box);
  }
  id("foot").textContent = "Times of short calls are estimates from some of them; counts and bytes are exact.";
}

function timeline() {
  const line = profile.timeline, data = Uint8Array.from(atob(line.data), c => c.charCodeAt(0)), pes = profile.pes;
  for (const [name, text] of [["compute", "computing"], ...CLASSES]) {
    const item = element("span", undefined, id("timeline-legend"));
    element("i", undefined, item).style.background = colour(name);
    item.append(text);
  }
  id("timeline-hint").textContent = pes.length > 1 ? "One line per PE, from shmem_init to shmem_finalize." : "From shmem_init to shmem_finalize.";
  const row = () => Math.max(2, Math.min(26, 560 / pes.length)), at = (pe, bin) => (pe * line.bins + bin) * 4;
  canvas("timeline", () => row() * pes.length + BOTTOM, (context, width, height) => {
    const wide = (width - LEFT) / line.bins, gap = row() > 6 ? 2 : 0;
    const shades = CLASSES.map(([name]) => colour(name));
    context.fillStyle = colour("compute");
    pes.forEach((pe, i) => context.fillRect(LEFT, i * row(), width - LEFT, row() - gap));
    pes.forEach((pe, i) => {
      for (let bin = 0; bin < line.bins; bin++) {
        let top = i * row();
        for (let kind = 3; kind >= 0; kind--) {
          const tall = data[at(i, bin) + kind] / 255 * (row() - gap);
          if (tall < .05) continue;
          context.fillStyle = shades[kind];
          context.fillRect(LEFT + bin * wide, top, wide + .6, tall);
          top += tall;
        }
      }
    });
    labels(context, pes, row());
    axis(context, width, height, line.seconds);
  }, (x, y, width) => {
    const pe = Math.floor(y / row()), bin = Math.floor((x - LEFT) / (width - LEFT) * line.bins);
    if (pe < 0 || pe >= pes.length || bin < 0 || bin >= line.bins) return "";
    const shares = CLASSES.map(([, text], kind) => [text, data[at(pe, bin) + kind] / 2.55]).filter(([, share]) => share >= .5);
    return `PE ${pes[pe].pe} at ${seconds((bin + .5) / line.bins * line.seconds)}\n` +
      (shares.map(([text, share]) => `${text} ${share.toFixed(0)} %`).join("\n") || "computing");
  });
}
function labels(context, pes, row) {
  context.fillStyle = colour("soft");
  context.textBaseline = "middle";
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(18 / row)));
  pes.forEach((pe, i) => { if (i % step === 0) context.fillText("PE " + pe.pe, 0, Math.max(7, (i + .5) * row)); });
}
function axis(context, width, height, whole) {
  context.fillStyle = colour("soft");
  context.textBaseline = "alphabetic";
  const parts = width - LEFT < 400 ? 2 : 4; // the labels are up to 60 wide
  for (let i = 0; i <= parts; i++) {
    const text = seconds(whole * i / parts), wide = context.measureText(text).width;
    context.fillText(text, Math.min(LEFT + (width - LEFT) * i / parts, width - wide), height - 5);
  }
}

function bars() {
  const pes = profile.pes, row = () => Math.max(2, Math.min(22, 420 / pes.length));
  const whole = Math.max(...pes.map(pe => pe.seconds));
  const parts = pe => {
    const calls = pe.wait + pe.lock + pe.order + pe.test, moves = pe.put + pe.get + pe.atomic;
    return [["compute", "computing", pe.compute], ["waiting", "waiting", calls], ["collectives", "collectives", pe.collective],
      ["transfers", "transfers", moves], ["other", "other calls", pe.memory + pe.team]];
  };
  canvas("pes", () => row() * pes.length + BOTTOM, (context, width, height) => {
    pes.forEach((pe, i) => {
      let left = LEFT;
      for (const [name, , value] of parts(pe)) {
        const wide = value / whole * (width - LEFT);
        context.fillStyle = colour(name);
        context.fillRect(left, i * row(), wide, row() - (row() > 6 ? 2 : 0));
        left += wide;
      }
    });
    labels(context, pes, row());
    axis(context, width, height, whole);
  }, (x, y) => {
    const pe = pes[Math.floor(y / row())];
    return pe ? `PE ${pe.pe} on ${pe.host}: ${seconds(pe.seconds)}\n` +
      parts(pe).map(([, text, value]) => `${text} ${percent(value, pe.seconds)}`).join("\n") : "";
  });
}

function sites() {
  const table = id("sites"), whole = profile.pes.reduce((all, pe) => all + pe.seconds, 0), most = Math.max(1e-12, ...profile.sites.map(s => s.seconds));
  const columns = [["call", s => s.call + s.where], ["calls", s => s.calls], ["time", s => s.seconds], ["share", s => s.seconds],
    ["waiting", s => s.waited], ["longest", s => s.longest], ["bytes near", s => s.far || s.near ? s.near : s.bytes], ["bytes far", s => s.far]];
  let sorted = 2;
  const headline = element("tr", undefined, element("thead", undefined, table));
  columns.forEach(([name], i) => { element("th", name, headline).onclick = () => { sorted = i; fill(); }; });
  const body = element("tbody", undefined, table);
  function fill() {
    [...headline.children].forEach((cell, i) => cell.classList.toggle("sorted", i === sorted));
    body.replaceChildren();
    const key = columns[sorted][1];
    for (const site of [...profile.sites].sort((a, b) => sorted ? key(b) - key(a) : key(a).localeCompare(key(b)))) {
      const row = element("tr", undefined, body), first = element("td", undefined, row);
      element("code", site.call, first);
      element("small", `  ${site.where}${site.function && !site.where.startsWith(site.function) ? ` in ${site.function}` : ""}`, first);
      element("td", count(site.calls), row);
      const time = element("td", (site.sampled ? "~" : "") + seconds(site.seconds), row, "bar");
      if (site.sampled) time.title = `± ${seconds(site.error)}: estimated from some of the calls`;
      element("i", undefined, time).style.width = 100 * site.seconds / most + "%";
      element("i", undefined, time, "w").style.width = 100 * Math.min(site.waited, site.seconds) / most + "%";
      for (const text of [percent(site.seconds, whole), seconds(site.waited), seconds(site.longest),
          size(site.far || site.near ? site.near : site.bytes), site.far ? size(site.far) : "–"]) element("td", text, row);
      row.onclick = () => detail(row, site);
    }
  }
  fill();
  if (profile.left_out) element("p", `${profile.left_out} sites with less time are left out; oshprof --json has them.`, table.parentElement, "hint");
}
function detail(row, site) {
  if (row.nextSibling && row.nextSibling.className === "detail") { row.nextSibling.remove(); return; }
  const cell = element("td", undefined, element("tr", undefined, undefined, "detail"));
  cell.colSpan = 8;
  row.after(cell.parentElement);
  const pes = [...site.pes].sort((a, b) => b[2] - a[2]);
  element("div", pes.slice(0, 16).map(([pe, calls, time, waited]) => `PE ${pe}: ${count(calls)} calls, ${seconds(time)}, waiting ${seconds(waited)}`).join("  ·  ")
    + (pes.length > 16 ? `  ·  and ${pes.length - 16} PEs with less` : ""), cell);
  if (site.remote !== null)
    element("div", `${percent(site.remote, 1)} of the bytes looked at lie on another memory node`, cell);
  if (site.last.length)
    element("div", `${count(site.times)} times; last came ` + [...site.last].sort((a, b) => b[2] - a[2]).slice(0, 8)
      .map(([pe, times, waited]) => `PE ${pe} (${count(times)} times, others waited ${seconds(waited)})`).join(", "), cell);
}

function matrix() {
  const pes = profile.npes, rows = new Map(profile.matrix.map(row => [row[0] * pes + row[1], row]));
  const node = new Map(profile.pes.map(pe => [pe.pe, pe.node]));
  let what = 3;
  const side = width => Math.min(width, 520) - LEFT, cell = width => side(width) / pes;
  const paint = canvas("matrix", width => side(width) + BOTTOM + 14, (context, width) => {
    const most = Math.max(1, ...profile.matrix.map(row => row[what])), one = cell(width);
    const cold = colour("cold").split(" "), hot = colour("hot").split(" ");
    context.fillStyle = `rgb(${cold})`;
    context.fillRect(LEFT, 0, side(width), side(width));
    for (const row of profile.matrix) {
      if (!row[what]) continue;
      const share = .15 + .85 * Math.log1p(row[what]) / Math.log1p(most);
      context.fillStyle = `rgb(${cold.map((c, i) => Math.round(+c + (hot[i] - c) * share))})`;
      context.fillRect(LEFT + row[1] * one, row[0] * one, Math.max(1, one - (one > 8 ? 1 : 0)), Math.max(1, one - (one > 8 ? 1 : 0)));
    }
    context.strokeStyle = colour("soft");
    context.lineWidth = .5;
    for (let i = 1; i < pes; i++)
      if (node.get(i) !== node.get(i - 1)) {
        context.strokeRect(LEFT + i * one, 0, 0, side(width));
        context.strokeRect(LEFT, i * one, side(width), 0);
      }
    labels(context, Array.from({length: pes}, (_, pe) => ({pe})), one);
    context.textBaseline = "alphabetic";
    context.fillText("to PE 0", LEFT, side(width) + 16);
    if (pes > 1) context.fillText(String(pes - 1), LEFT + side(width) - 22, side(width) + 16);
  }, (x, y, width) => {
    const from = Math.floor(y / cell(width)), to = Math.floor((x - LEFT) / cell(width)), row = rows.get(from * pes + to);
    if (from < 0 || from >= pes || to < 0 || to >= pes) return "";
    return `PE ${from} → PE ${to}${node.get(from) === node.get(to) ? ", near" : ", far"}\n` +
      (row ? `${count(row[2])} operations, ${size(row[3])}` : "nothing");
  });
  id("matrix-hint").textContent = "Rows are the callers; the shade is the logarithm." + (new Set(node.values()).size > 1 ? " Lines part the nodes." : "");
  for (const button of document.querySelectorAll(".choice button"))
    button.onclick = () => {
      what = +button.dataset.what;
      document.querySelectorAll(".choice button").forEach(other => other.classList.toggle("on", other === button));
      paint();
    };
}

function late() {
  const sums = new Map();
  for (const site of profile.sites) for (const [pe, times, waited] of site.last) {
    const row = sums.get(pe) || [0, 0];
    sums.set(pe, [row[0] + times, row[1] + waited]);
  }
  const rows = profile.pes.map(pe => [pe.pe, ...(sums.get(pe.pe) || [0, 0])]), most = Math.max(1e-12, ...rows.map(row => row[2]));
  canvas("late", () => 130, (context, width) => {
    const wide = (width - LEFT) / rows.length;
    context.fillStyle = colour("waiting");
    rows.forEach((row, i) => {
      const tall = row[2] / most * 100;
      context.fillRect(LEFT + i * wide, 104 - tall, Math.max(.7, wide - (wide > 4 ? 2 : 0)), tall);
    });
    context.fillStyle = colour("soft");
    context.fillText(seconds(most), 0, 12);
    context.fillText("PE " + rows[0][0], LEFT, 122);
    if (rows.length > 1) context.fillText(String(rows[rows.length - 1][0]), width - 24, 122);
  }, (x, y, width) => {
    const row = rows[Math.floor((x - LEFT) / (width - LEFT) * rows.length)];
    return row ? `PE ${row[0]} came last ${count(row[1])} times\nothers waited ${seconds(row[2])}` : "";
  });
  const total = site => site.last.reduce((all, row) => all + row[2], 0);
  fillTable("imbalance", ["collective", "times", "others waited", "mostly for"],
    profile.sites.filter(site => site.last.length).sort((a, b) => total(b) - total(a)).slice(0, 12).map(site => {
      const worst = site.last.reduce((a, b) => b[2] > a[2] ? b : a);
      return [`${site.call} ${site.where}`, count(site.times), seconds(total(site)), `PE ${worst[0]}, ${worst[1] === 1 ? "once" : count(worst[1]) + " times"}`];
    }));
}
function fillTable(name, heads, rows) {
  const table = id(name), line = element("tr", undefined, table);
  for (const text of heads) element("th", text, line);
  for (const row of rows) {
    const made = element("tr", undefined, table);
    for (const text of row) element("td", text, made);
  }
  if (!rows.length) table.replaceChildren(element("caption", "none"));
}

function heap() {
  const {points, peak, pe} = profile.heap;
  if (!points.length) { id("heap-section").remove(); return; }
  canvas("heap", () => 170, (context, width) => {
    const x = time => LEFT + Math.min(1, time / profile.seconds) * (width - LEFT), y = bytes => 140 - bytes / Math.max(1, peak) * 122;
    context.beginPath();
    context.moveTo(LEFT, y(0));
    let last = 0;
    for (const [time, bytes] of points) { context.lineTo(x(time), y(last)); context.lineTo(x(time), y(bytes)); last = bytes; }
    context.lineTo(width, y(last));
    context.lineTo(width, y(0));
    context.fillStyle = colour("transfers");
    context.globalAlpha = .35;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = colour("transfers");
    context.stroke();
    context.fillStyle = colour("soft");
    context.fillText(size(peak), 0, 22);
    axis(context, width, 170, profile.seconds);
  }, (x, y, width) => {
    const time = (x - LEFT) / (width - LEFT) * profile.seconds;
    let held = 0;
    for (const [when, bytes] of points) if (when <= time) held = bytes;
    return x < LEFT ? "" : `PE ${pe} at ${seconds(time)}: ${size(held)}`;
  });
  fillTable("heap-sites", ["allocated", "at the most, per PE", "still there"], profile.sites.filter(site => site.peak)
    .sort((a, b) => b.peak - a.peak).map(site => [`${site.call} ${site.where}`, size(site.peak), size(site.live)]));
}

// Each site's bytes a second, while in its calls, over the bytes of a call; the roof is a copy's. Both axes are logarithms.
function roof() {
  const points = [];
  for (const site of profile.sites)
    site.channels.forEach(([calls, bytes, time], far) => {
      if (calls && bytes && time) points.push({site, far, calls, time, length: bytes / calls, rate: bytes / time});
    });
  if (!points.length) { id("roof-section").remove(); return; }
  const near = "transfers", far = "collectives", shown = [...points.map(p => [p.length, p.rate]), ...profile.roof];
  const ends = which => {
    const logs = shown.map(point => Math.log2(point[which]));
    return [Math.floor(Math.min(...logs) - .5), Math.ceil(Math.max(...logs) + .5)];
  };
  const [left, right] = ends(0), [low, high] = ends(1), top = 8, foot = 250;
  const x = (length, width) => LEFT + 18 + (Math.log2(length) - left) / (right - left) * (width - LEFT - 26);
  const y = rate => foot - (Math.log2(rate) - low) / (high - low) * (foot - top);
  id("roof-hint").textContent = "A point is a call site: bytes of a call, and bytes a second while in its calls. Both scales are logarithms.";
  for (const [name, text] of [["soft", "memcpy on this machine"], [near, "near"], ...(points.some(p => p.far) ? [[far, "far"]] : [])]) {
    const item = element("span", undefined, id("roof-legend"));
    element("i", undefined, item).style.background = colour(name);
    item.append(text);
  }
  const spot = point => 3 + 5 * Math.sqrt(point.time / Math.max(...points.map(p => p.time)));
  canvas("roof", () => foot + BOTTOM, (context, width) => {
    context.fillStyle = context.strokeStyle = colour("soft");
    const step = Math.max(1, Math.ceil((high - low) / 7)), across = Math.max(1, Math.ceil((right - left) / (width / 75)));
    for (let power = low; power <= high; power += step) {
      context.globalAlpha = .25;
      context.fillRect(LEFT + 18, y(2 ** power), width - LEFT - 26, .7);
      context.globalAlpha = 1;
      context.fillText(size(2 ** power).replace(".0 ", " ") + "/s", 0, y(2 ** power) + 4);
    }
    for (let power = left; power < right; power += across) context.fillText(size(2 ** power).replace(".0 ", " "), x(2 ** power, width), foot + 17);
    context.lineWidth = 2;
    context.beginPath();
    for (const [length, rate] of profile.roof) context.lineTo(x(length, width), y(rate));
    context.stroke();
    for (const point of points) {
      context.fillStyle = colour(point.far ? far : near);
      context.globalAlpha = .8;
      context.beginPath();
      context.arc(x(point.length, width), y(point.rate), spot(point), 0, 7);
      context.fill();
      context.globalAlpha = 1;
    }
  }, (mouseX, mouseY, width) => {
    const away = point => Math.hypot(x(point.length, width) - mouseX, y(point.rate) - mouseY);
    const nearest = points.reduce((a, b) => away(b) < away(a) ? b : a);
    return away(nearest) > 14 ? "" : `${nearest.site.call} ${nearest.site.where}, ${nearest.far ? "far" : "near"}\n` +
      `${count(nearest.calls)} calls of ${size(nearest.length)}: ${size(nearest.rate)}/s`;
  });
}

function rest() {
  fillTable("channels", ["", "calls", "bytes", "time in calls", "while in calls"], profile.channels.map(([name, calls, bytes, time]) =>
    [name, count(calls), size(bytes), seconds(time), time ? size(bytes / time) + "/s" : "–"]));
  if (!profile.messages.length) id("messages-box").remove();
  else fillTable("messages", ["kind", "sent", "bytes", "arrived", "bytes"], profile.messages.map(([kind, sent, sentBytes, arrived, arrivedBytes]) =>
    [kind, count(sent), size(sentBytes), count(arrived), size(arrivedBytes)]));
  id("nodes").textContent = `Memory nodes (NUMA): ${profile.nodes}.`;
  if (!profile.ended.length) id("ended-box").remove();
  else fillTable("ended", ["call", "waits", "for", "time"], profile.ended.map(([name, pe, other, time]) => [name, `PE ${pe}`, `PE ${other}`, seconds(time)]));
  fillTable("counters", ["all PEs together", ""], profile.counters.map(([name, value, why]) => [name, value === null ? `not here (${why})` : count(value)]));
  if (!profile.events.length) { id("events-box").remove(); return; }
  fillTable("events", ["name", "times", "time", "least", "most"], profile.events.map(([name, isCounter, times, time, least, most]) =>
    [name, count(times), isCounter ? "" : seconds(time), ...[least, most].map(value => !isCounter ? "" : value ?? "no number")]));
}

head(); timeline(); bars(); sites(); matrix(); late(); roof(); heap(); rest();
const paintAll = () => painters.forEach(paint => paint());
paintAll();
addEventListener("resize", paintAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => location.reload());
document.documentElement.dataset.ready = "yes";
