// The log: one line for each thing that happened. It is a live region, so a screen reader says each line.

import { html } from "./dom.js";
import { sentence } from "./say.js";
import { verdictLine } from "./verdict.js";

export class Log {
  constructor(list) {
    this.list = list;
    this.events = [];
  }

  /** Begin again with these events, which are not read out. */
  reset(events) {
    this.events = [];
    this.list.replaceChildren();
    this.list.setAttribute("aria-live", "off");
    for (const event of events) this.add(event);
    requestAnimationFrame(() => this.list.setAttribute("aria-live", "polite"));
  }

  /** Write down an event, unless it is known already. */
  add(event) {
    if (event.number <= (this.events.at(-1)?.number ?? 0)) return;
    this.events.push(event);
    const text = event.code === "judged" ? verdictLine(event) : sentence(event);
    if (text === null) return;
    const player = event.player ?? event.result?.winner ?? "";
    const kind = event.code === "judged" ? `judged ${event.class}` : `${event.code} ${player}`;
    this.list.append(html("li", { class: kind }, text));
    this.list.scrollTop = this.list.scrollHeight;
  }

  /** Write everything anew, in the language of now. */
  rewrite() {
    this.reset(this.events);
  }

  /** The last event of one of these kinds, if any. */
  last(...codes) {
    return this.events.findLast((event) => codes.includes(event.code));
  }
}
