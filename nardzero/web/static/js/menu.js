// The menu: language, colours, animation, and what else the page can do.

import { byId, html } from "./dom.js";
import { choose, current, LANGUAGES, t } from "./i18n.js";
import { isStill } from "./pace.js";
import { keep } from "./prefs.js";

const THEMES = ["auto", "light", "dark"];

/** Make the menu work; `spoken()` is called when the language has changed. */
export function menu({ spoken, doings }) {
  const language = byId("language");
  const names = Object.entries(LANGUAGES).map(([code, name]) =>
    html("option", { value: code, lang: code }, name),
  );
  language.replaceChildren(...names);
  language.value = current();
  language.addEventListener("change", async () => {
    await choose(language.value);
    writeThemes();
    spoken();
  });
  writeThemes();
  byId("theme").addEventListener("change", (event) => setTheme(event.target.value));
  const still = byId("animation");
  still.checked = !isStill();
  still.addEventListener("change", () => keep("still", still.checked ? null : true));
  for (const [id, doing] of Object.entries(doings)) {
    byId(id).addEventListener("click", () => {
      byId("menu").hidePopover?.();
      doing();
    });
  }
}

function writeThemes() {
  const theme = byId("theme");
  const chosen = document.documentElement.dataset.theme ?? "auto";
  theme.replaceChildren(...THEMES.map((name) => html("option", { value: name }, t(`theme.${name}`))));
  theme.value = chosen;
}

function setTheme(name) {
  keep("theme", name === "auto" ? null : name);
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}
