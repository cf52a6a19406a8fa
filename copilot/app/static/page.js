/* Keeps what is typed: saves it as one types, together with the name of its section, and never drops it before the
   server has it. Shows what is being written. Everything from outside is set as text, never as markup.

   typing ──> waiting ──(0.6 s of quiet, at most 3 s)──> PUT ──> saved
                 │                                        ├── 409: somebody else changed it: the person decides
                 └── kept in this browser meanwhile       └── no answer: again in 3 s                            */
"use strict";

const memoria = (() => {
  const QUIET_MS = 600, LONGEST_MS = 3000, RETRY_MS = 3000, LOOK_MS = 250, MODEL_MS = 3000, ORPHAN_MS = 30000,
    DRAWN_MS = 40;
  const waiting = new Map();  // address -> {kind, address, body, since, conflict}
  const versions = new Map();  // address of a section's text -> version that this tab knows of
  const bases = new Map();  // address of guidance or facts -> lines that this tab knows of
  let current = null, timer = 0, sending = Promise.resolve(), looking = 0;

  const area = (id) => document.querySelector(`#${id} textarea`);
  const read = (text) => { try { return JSON.parse(text || "{}"); } catch { return {}; } };
  const tab = nameOfTab();
  const stash = (address) => `memoria ${address} ${tab}`;

  function nameOfTab() {
    try {
      if (!sessionStorage.memoria) sessionStorage.memoria = Math.random().toString(36).slice(2);
      return sessionStorage.memoria;
    } catch { return "0"; }
  }

  function addressOf(kind, place) {
    const project = `api/projects/${place.project}`;
    if (kind === "facts") return `${project}/facts`;
    return `${project}/sections/${place.section}/${kind === "editor" ? "text" : "guidance"}`;
  }

  function tell(what) {
    const line = document.getElementById("saved");
    if (!line) return;
    const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
    line.textContent = what === "saved" ? `${line.dataset.saved} ${time}` : line.dataset[what];
    line.className = what;
  }

  function typed(kind, text) {
    const place = read(document.querySelector("#place textarea, #place input")?.value);
    if (!place.project) return;
    const address = addressOf(kind, place);
    if (kind !== "editor" && text === bases.get(address)) return;
    const before = waiting.get(address);
    const entry = { kind, address, text, sitting: place.sitting, since: before?.since ?? Date.now(),
                    conflict: before?.conflict ?? false };
    waiting.set(address, entry);
    keep(entry);
    tell("saving");
    clearTimeout(timer);
    const patience = Math.max(0, Math.min(QUIET_MS, entry.since + LONGEST_MS - Date.now()));
    timer = setTimeout(flush, patience);
  }

  function keep(entry) {
    const made = entry.kind === "editor" ? { version: versions.get(entry.address) ?? 0 }
                                         : { base: bases.get(entry.address) ?? "" };
    try { localStorage.setItem(stash(entry.address), JSON.stringify({ ...made, text: entry.text, at: Date.now() })); }
    catch { /* full, or not allowed: the server still gets it */ }
  }

  function bodyOf(entry, keepWhich) {
    if (entry.kind !== "editor") return { text: entry.text, base: bases.get(entry.address) ?? "" };
    const body = { text: entry.text, version: versions.get(entry.address) ?? 0, sitting: entry.sitting };
    return keepWhich ? { ...body, keep: keepWhich } : body;
  }

  function put(entry, keepWhich, keepalive) {
    return fetch(entry.address, {
      method: "PUT", keepalive, headers: { "Content-Type": "application/json" },
      body: JSON.stringify(bodyOf(entry, keepWhich)),
    });
  }

  async function send(entry, keepWhich) {
    let answer;
    keep(entry);  // says that this tab lives
    try { answer = await put(entry, keepWhich, false); } catch { return again(); }
    if (answer.status === 409) {
      entry.conflict = true;
      document.getElementById("conflict").hidden = false;
      tell("unsaved");
      return;
    }
    if (!answer.ok) return again();
    const said = await answer.json();
    if (entry.kind === "editor") tellOutline(entry.address, said);
    else settle(entry, said.text);
    if (waiting.get(entry.address) === entry) {
      waiting.delete(entry.address);
      try { localStorage.removeItem(stash(entry.address)); } catch { /* not allowed */ }
    }
    if (!waiting.size) tell("saved");
  }

  function tellOutline(address, said) {
    versions.set(address, said.version);
    const line = document.querySelector(`#outline [data-key="${address.split("/")[4]}"]`);
    if (!line) return;
    line.className = `line ${said.state}`;
    line.querySelector(".count").textContent = said.words || "";
    const chip = document.getElementById("state");
    if (!line.hasAttribute("aria-current") || !chip) return;
    chip.className = `chip ${said.state}`;
    chip.textContent = chip.dataset[said.state];
  }

  function settle(entry, merged) {
    bases.set(entry.address, merged);
    const field = area(entry.kind);
    const same = (a, b) => a.split("\n").map((l) => l.trim()).filter(Boolean).join("\n") === b.trim();
    if (!field || field.value !== entry.text || same(entry.text, merged)) return;
    show(entry.kind, merged);  // somebody else added a line
  }

  function show(kind, text) {
    const field = area(kind);
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function again() {
    tell("unsaved");
    clearTimeout(timer);
    timer = setTimeout(flush, RETRY_MS);
  }

  /* Send all that waits, one after the other. Given a place, gives it back with the version that it has now. */
  async function flush(place) {
    clearTimeout(timer);
    sending = sending.then(async () => {
      for (const entry of [...waiting.values()]) if (!entry.conflict) await send(entry);
    });
    await sending;
    if (typeof place !== "string") return place;
    const here = read(place);
    if (!here.project) return place;
    const version = versions.get(addressOf("editor", here));
    return JSON.stringify(version === undefined ? here : { ...here, version });
  }

  /* The page shows another place, or the same anew. */
  function opened(text) {
    const place = read(text);
    if (!place.project) return;
    const moved = !current || current.project !== place.project || current.section !== place.section;
    current = place;
    history.replaceState(null, "", `?project=${place.project}&section=${place.section}`);
    if (!waiting.has(addressOf("editor", place))) versions.set(addressOf("editor", place), place.version);
    document.body.classList.toggle("is-writing", place.writing);
    if (!waiting.size) document.getElementById("checked")?.classList.remove("changed");
    if (moved) document.getElementById("centre")?.scrollTo(0, 0);
    look(place);
    setTimeout(() => {  // when the page has drawn the texts of the place
      if (current !== place) return;
      for (const kind of ["guidance", "facts"]) {
        const address = addressOf(kind, place);
        if (!waiting.has(address)) bases.set(address, area(kind)?.value ?? "");
      }
      for (const kind of ["editor", "guidance", "facts"]) recover(kind, place);
    }, DRAWN_MS);
  }

  /* What this browser kept because the server never answered: of this tab, or of one that is no more. */
  function recover(kind, place) {
    const address = addressOf(kind, place);
    if (waiting.has(address)) return remind(waiting.get(address));
    for (const [key, kept] of keptFor(address)) {
      if (kept.text === area(kind)?.value) { localStorage.removeItem(key); continue; }
      if (key !== stash(address) && Date.now() - (kept.at ?? 0) < ORPHAN_MS) continue;
      if (kind === "editor") versions.set(address, kept.version ?? 0);
      else bases.set(address, kept.base ?? "");
      localStorage.removeItem(key);
      return show(kind, kept.text);
    }
  }

  /* A text that waits for the person to decide, or for the server, is what the page goes on showing. */
  function remind(entry) {
    if (area(entry.kind)?.value !== entry.text) show(entry.kind, entry.text);
    if (entry.conflict) document.getElementById("conflict").hidden = false;
  }

  function keptFor(address) {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(`memoria ${address} `));
      return keys.map((key) => [key, read(localStorage.getItem(key))]).filter(([, kept]) => typeof kept.text === "string");
    } catch { return []; }
  }

  async function decide(which) {
    const entry = [...waiting.values()].find((one) => one.conflict);
    document.getElementById("conflict").hidden = true;
    if (!entry) return;
    entry.conflict = false;
    sending = sending.then(() => send(entry, which));
    await sending;
    if (which === "theirs") document.getElementById("reopen").click();
  }

  /* Follow what the model writes in this section, until it ends or another section is opened. */
  async function look(place) {
    const mine = ++looking;
    if (!place.writing) return;
    const address = `api/projects/${place.project}/sections/${place.section}/writing`;
    const began = Date.now();
    let length = 0;
    const written = document.getElementById("written");
    if (written) written.textContent = "";
    while (mine === looking) {
      let said = null;
      try { said = await (await fetch(`${address}?after=${length}`)).json(); } catch { /* again */ }
      if (mine !== looking) return;
      if (said) {
        if (said.length < length) { written.textContent = ""; length = 0; continue; }
        write(said, Math.round((Date.now() - began) / 1000));
        length = said.length;
        if (!said.running) return document.getElementById("reopen").click();
      }
      await new Promise((resume) => setTimeout(resume, LOOK_MS));
    }
  }

  function write(said, seconds) {
    const progress = document.getElementById("progress"), written = document.getElementById("written");
    if (!progress || !written) return;
    progress.textContent = `${said.stage === "reading" ? progress.dataset.reading : progress.dataset.writing} · ${seconds} s`;
    if (!said.text) return;
    const pane = document.getElementById("centre"), caret = document.querySelector("#paper .caret");
    const below = () => caret.getBoundingClientRect().bottom - pane.getBoundingClientRect().bottom + 48;
    const follows = below() < 80;  // not when the person has scrolled up to read
    written.append(said.text);
    if (follows && below() > 0) pane.scrollTop += below();
  }

  async function watchModel() {
    const pill = document.getElementById("model");
    if (pill && !document.hidden) {
      try {
        const said = await (await fetch("api/model")).json();
        if (said.state !== pill.dataset.state || said.model !== pill.dataset.model)
          document.getElementById("reopen")?.click();
      } catch { /* the server is away: saving tells */ }
    }
    setTimeout(watchModel, MODEL_MS);
  }

  function leave() {
    // A page that closes may still send 64 KB; what is longer stays in this browser until it comes back.
    for (const entry of waiting.values()) if (!entry.conflict && entry.text.length < 20000) put(entry, null, true);
  }

  document.addEventListener("input", (event) => {
    const part = event.target.closest?.("#editor, #guidance, #facts");
    if (!part) return;
    typed(part.id, event.target.value);
    if (waiting.size) document.getElementById("checked")?.classList.add("changed");
  });
  document.addEventListener("click", (event) => {
    const choice = event.target.closest?.("[data-keep]");
    if (choice) decide(choice.dataset.keep);
    if (event.target.closest?.("[data-check]")) document.getElementById("reopen").click();
    const menu = document.getElementById("export");
    if (menu?.open && !menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "Enter") return;
    event.preventDefault();
    document.querySelector(event.shiftKey ? "#accept" : "#generate, #regenerate")?.click();
  });
  addEventListener("pagehide", leave);
  setTimeout(watchModel, MODEL_MS);
  return { flush, opened };
})();
