// What the page remembers between visits. Storage may be forbidden; then it forgets, and works all the same.

const PREFIX = "nardzero.";

/** The kept value of a name, or null. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return keptText(name);
  }
}

/** The kept text of a name, as it is, or null. */
export function keptText(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Keep a text as it is, or any other value as JSON; null forgets it. */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, typeof value === "string" ? value : JSON.stringify(value));
  } catch {
    // Nothing to be done about it.
  }
}
