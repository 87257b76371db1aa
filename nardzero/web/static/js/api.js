// The server's answers, or a Refusal that says in one sentence what was wrong.

import { t, has } from "./i18n.js";

/** A request that was refused, or that no server answered. */
export class Refusal extends Error {
  constructor(code, message, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }

  /** One sentence in the language of the page where it has one, else the server's own. */
  get sentence() {
    return has(`fault.${this.code}`) ? t(`fault.${this.code}`) : this.message;
  }
}

async function ask(method, path, body) {
  const options = { method, headers: { Accept: "application/json" } };
  if (method === "POST") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal("unreachable", "The server does not answer.");
  }
  if (response.ok) return response.status === 204 ? null : response.json();
  const told = await response.json().catch(() => null);
  const { code = "broken", message = response.statusText } = told?.error ?? {};
  throw new Refusal(code, message, response.status);
}

const session = (id) => `/api/sessions/${encodeURIComponent(id)}`;

export const api = {
  options: () => ask("GET", "/api/options"),
  create: (wishes) => ask("POST", "/api/sessions", wishes),
  snapshot: (id) => ask("GET", session(id)),
  act: (id, action, body) => ask("POST", `${session(id)}/${action}`, body),
  matches: () => ask("GET", "/api/matches"),
  match: (name) => ask("GET", `/api/matches/${encodeURIComponent(name)}`),
  readMatch: (text) => ask("POST", "/api/matches", { text }),
  matchFile: (id) => `${session(id)}/match.mat`,
};
