// The session with the server: one snapshot at a time, and one request at a time.

import { api, Refusal } from "./api.js";
import { keep, kept } from "./prefs.js";

/**
 * The game being played. It tells its listener:
 *   changed(before, after, events, how)  after every answer; `before` is null for a game just opened
 *   refused(refusal)                     a request that failed; nothing has changed
 *   lost()                               the server does not know the session (any more)
 */
export class Game {
  constructor(listener) {
    this.listener = listener;
    this.snapshot = null;
    this.busy = false;
  }

  /** The id of the session that this page was showing last: in its address, or the last one anywhere. */
  static lastId() {
    return new URLSearchParams(location.hash.slice(1)).get("game") ?? kept("game")?.id ?? null;
  }

  get id() {
    return this.snapshot?.id ?? null;
  }

  /** Whether an action is possible now. */
  can(action) {
    return Boolean(this.snapshot?.actions.includes(action));
  }

  /** Go on with a session; false where the server does not know it. */
  async open(id) {
    return this.ask(async () => this.begin(await api.snapshot(id)));
  }

  /** Begin a new session. Raises Refusal, for the dialog that asked. */
  async create(wishes) {
    this.begin(await api.create(wishes));
  }

  /** Do something; `how` is passed on to the listener. Nothing happens while another answer is awaited. */
  async act(action, body = {}, how = {}) {
    if (!this.can(action) || this.busy) return false;
    const before = this.snapshot;
    return this.ask(async () => {
      const after = await api.act(before.id, action, { ...body, version: before.version });
      this.snapshot = after;
      this.listener.changed(before, after, after.events, how);
    });
  }

  /** Ask for a hint; null where there is none. */
  async hint() {
    let hint = null;
    if (this.can("hint")) {
      await this.ask(async () => {
        hint = await api.act(this.id, "hint");
      });
    }
    return hint;
  }

  begin(snapshot) {
    this.snapshot = snapshot;
    keep("game", { id: snapshot.id });
    history.replaceState(null, "", `#game=${snapshot.id}`);
    this.listener.changed(null, snapshot, snapshot.events, {});
  }

  /** Make a request; true if it was granted. */
  async ask(request) {
    this.busy = true;
    try {
      await request();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.fail(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  async fail(refusal) {
    if (refusal.code === "no_session") this.listener.lost();
    else if (refusal.code === "stale" || refusal.code === "not_now") await this.catchUp();
    else this.listener.refused(refusal);
  }

  /** Another page has moved this session on: show where it stands. */
  async catchUp() {
    try {
      this.begin(await api.snapshot(this.id));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "no_session") this.listener.lost();
      else this.listener.refused(error);
    }
  }
}
