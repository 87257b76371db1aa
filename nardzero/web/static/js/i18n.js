// The words of the page: every text lies in lang/*.json, by the same keys in every language.

import { keep, keptText } from "./prefs.js";

export const LANGUAGES = { en: "English", fa: "فارسی", hu: "Magyar" };

// Isolates keep notation and IDs together, left to right, inside text of either direction.
const [OPEN, CLOSE] = ["\u2066", "\u2069"];

let words = {};
let digits = new Intl.NumberFormat("en", { useGrouping: false });
let language = "en";

/** The language in use. */
export function current() {
  return language;
}

/** What the reader wants: his last choice here, else the first of his browser's that is spoken here. */
export function preferred() {
  const wanted = [keptText("language"), ...(navigator.languages ?? [])];
  return wanted.map((name) => name?.slice(0, 2)).find((name) => name in LANGUAGES) ?? "en";
}

/** Speak this language from now on; texts already on the page are set anew by translate(). */
export async function speak(name) {
  const response = await fetch(new URL(`../lang/${name}.json`, import.meta.url));
  words = await response.json();
  language = name;
  digits = new Intl.NumberFormat(name === "fa" ? "fa-IR-u-nu-arabext" : name, { useGrouping: false });
  document.documentElement.lang = name;
  document.documentElement.dir = words.direction;
  translate(document);
}

/** Choose a language and remember it. */
export function choose(name) {
  keep("language", name);
  return speak(name);
}

/** Whether there is a text of this key. */
export function has(key) {
  return key in words;
}

/** The text of a key, with its {parameters} filled in; numbers are written in the digits of the language. */
export function t(key, parameters = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = parameters[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? n(value) : value;
  });
}

/** A whole number in the digits of the language. */
export function n(number) {
  return digits.format(number);
}

/** A count with its noun, in the number that the language's grammar asks for. */
export function plural(key, count) {
  const form = new Intl.PluralRules(language).select(count) === "one" ? "one" : "other";
  return t(`${key}.${form}`, { count });
}

/** A number with so many decimals, with its sign where one is asked for. */
export function decimal(number, places, sign = "auto") {
  const options = { minimumFractionDigits: places, maximumFractionDigits: places, signDisplay: sign };
  return new Intl.NumberFormat(digits.resolvedOptions().locale, options).format(number);
}

/** A share of one as a percentage with one decimal. */
export function percent(share) {
  return decimal(100 * share, 1);
}

/** Notation, which stays in Latin letters and runs from left to right. */
export function latin(text) {
  return OPEN + text + CLOSE;
}

/** Set every text that is marked in the page by data-text, data-label or data-hint. */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]"))
    element.setAttribute("aria-label", t(element.dataset.label));
  for (const element of root.querySelectorAll("[data-hint]"))
    element.setAttribute("placeholder", t(element.dataset.hint));
}
