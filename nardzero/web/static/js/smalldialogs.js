// The small dialogs: resignation, the opponent, position IDs, help, and a session that is lost.

import { KEYS } from "./actions.js";
import { askingForm, field, openDialog, radios, select } from "./dialog.js";
import { html } from "./dom.js";
import { plural, t } from "./i18n.js";
import { plyChoices } from "./newgame.js";

/** Ask how much to resign. */
export function openResign({ cube, rules }, options, resign) {
  const wins = options.rules.find(({ name }) => name === rules)?.wins ?? [1, 2, 3];
  const kinds = ["single", "gammon", "backgammon"].map((kind, index) => {
    const points = plural("points", wins[index] * (cube?.value ?? 1));
    return [kind, t("resign.kind", { kind: t(`kind.${kind}`), points })];
  });
  const form = askingForm(
    [
      html("p", { class: "quiet" }, t("resign.explain")),
      radios("kind", t("resign.how_much"), kinds, "single"),
    ],
    t("act.resign"),
    (made) => resign(made.elements.kind.value),
  );
  openDialog("resign", t("act.resign"), form);
}

/** Choose another bot, or another depth, for the rest of the session. */
export function openBot({ bot, ply }, options, change) {
  const fields = html(
    "div",
    { class: "grid" },
    field(
      t("new.bot"),
      select(
        "bot",
        options.bots.map(({ name }) => [name, name]),
        bot,
      ),
    ),
    field(t("new.ply"), select("ply", plyChoices(options.deepest_ply), ply)),
  );
  const form = askingForm(fields, t("change"), ({ elements }) =>
    change({ bot: elements.bot.value, ply: Number(elements.ply.value) }),
  );
  openDialog("bot", t("opponent"), form);
}

/** Copy the IDs of the position, or start from a pasted one. */
export function openPosition(ids, start) {
  const rows = ["xgid", "gnubg"].filter((kind) => ids?.[kind]).map((kind) => idRow(kind, ids[kind]));
  const pasted = html("input", {
    name: "position",
    dir: "ltr",
    class: "latin",
    spellcheck: "false",
    autocomplete: "off",
    required: true,
  });
  const form = html(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        if (!pasted.value.trim()) return;
        event.target.closest("dialog").close();
        start(pasted.value.trim());
      },
    },
    field(t("position.paste"), pasted, t("new.position.hint")),
    html("footer", {}, html("button", { type: "submit", class: "button" }, t("position.start"))),
  );
  openDialog("position", t("position.title"), rows, html("hr"), form);
}

function idRow(kind, id) {
  const input = html("input", { class: "latin", dir: "ltr", readonly: true, value: id, id: `${kind}-id` });
  const said = html("span", { role: "status", class: "quiet" });
  const copy = async () => {
    input.select();
    const done = await write(id, input);
    said.textContent = t(done ? "copied" : "not_copied");
  };
  return html(
    "div",
    { class: "field" },
    html("label", { for: `${kind}-id` }, t(`position.${kind}`)),
    html(
      "div",
      { class: "copy-row" },
      input,
      html("button", { type: "button", class: "button", "data-copy": kind, onclick: copy }, t("copy")),
    ),
    said,
  );
}

/** Put a text into the clipboard; true if that worked. */
async function write(text, input) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    input.select();
    return document.execCommand("copy"); // where the page is not served from this machine
  }
}

/** What the keys do, and how to touch the board. */
export function openHelp() {
  const key = (...names) =>
    html(
      "dt",
      {},
      names.map((name) => html("kbd", {}, name)),
    );
  const row = (name, text) => [key(...[name].flat()), html("dd", {}, text)];
  const actions = Object.entries(KEYS).map(([action, name]) => row(name.toUpperCase(), t(`act.${action}`)));
  const board = [
    row(["←", "→", "↑", "↓"], t("help.arrows")),
    row("Enter", t("help.enter")),
    row(t("help.space_key"), t("help.space")),
    row("Esc", t("help.escape")),
    row("G", t("help.go")),
    row("C", t("coach.switch")),
    row("?", t("help")),
  ];
  const touch = ["tap", "drag", "dice", "cube", "undo"].map((what) => html("li", {}, t(`help.${what}`)));
  openDialog(
    "help",
    t("help"),
    html("h3", {}, t("help.board")),
    html("ul", {}, touch),
    html("h3", {}, t("help.keys")),
    html("dl", { class: "keys" }, board.flat(), actions.flat()),
  );
}

/** The session is gone; offer a new game. */
export function openLost(again) {
  const begin = (event) => {
    event.target.closest("dialog").close();
    again();
  };
  openDialog(
    "lost",
    t("lost.title"),
    html("p", {}, t("lost.text")),
    html(
      "footer",
      {},
      html("button", { type: "button", class: "button main", onclick: begin }, t("new_game")),
    ),
  );
}
