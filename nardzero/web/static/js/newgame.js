// The dialog that begins a new match or money session.

import { askingForm, field, openDialog, radios, select, tick } from "./dialog.js";
import { html } from "./dom.js";
import { has, plural, t } from "./i18n.js";
import { keep, kept } from "./prefs.js";

/** The name of a ruleset, in words where the page knows it. */
export function rulesText(name) {
  return has(`rules.${name}`) ? t(`rules.${name}`) : name;
}

/** The choices of 0 to `deepest` plies. */
export function plyChoices(deepest) {
  return Array.from({ length: deepest + 1 }, (_, ply) => [ply, t(`ply.${ply}`)]);
}

/** Ask what to play, and begin it with `create(wishes)`. */
export function openNewGame(options, create, position = "") {
  const wished = { ...options.defaults, ...known(options), position, swap: false };
  const form = askingForm(fields(options, wished), t("new.start"), async (made) => {
    const wishes = read(made);
    await create(wishes);
    const { position: _, swap: __, ...lasting } = wishes;
    keep("wishes", { wishes: lasting, defaults: options.defaults });
  });
  openDialog("new", t("new_game"), form);
  form.addEventListener("change", (event) => adapt(form, options, event.target.name));
  adapt(form, options);
  if (position) form.elements.position.focus();
}

/** What was wished last time, if it can still be had and the server was not started with other defaults since. */
function known(options) {
  const { wishes, defaults } = kept("wishes") ?? {};
  if (!wishes || JSON.stringify(defaults) !== JSON.stringify(options.defaults)) return {};
  const names = (list) => list.map(({ name }) => name);
  const fits = names(options.rules).includes(wishes.rules) && names(options.bots).includes(wishes.bot);
  return fits && wishes.ply <= options.deepest_ply ? wishes : {};
}

function fields(options, wished) {
  const lengths = Array.from({ length: options.longest_match }, (_, index) => index + 1);
  return [
    html(
      "div",
      { class: "grid" },
      field(
        t("new.rules"),
        select(
          "rules",
          options.rules.map(({ name }) => [name, rulesText(name)]),
          wished.rules,
        ),
      ),
      field(
        t("new.length"),
        select(
          "points",
          [[0, t("money")], ...lengths.map((points) => [points, plural("points", points)])],
          wished.length,
        ),
      ),
      field(
        t("new.bot"),
        select(
          "bot",
          options.bots.map(({ name }) => [name, name]),
          wished.bot,
        ),
      ),
      field(t("new.ply"), select("ply", plyChoices(options.deepest_ply), wished.ply)),
    ),
    html("p", { class: "quiet rules-note" }),
    html(
      "div",
      { class: "ticks money-only" },
      tick("jacoby", t("new.jacoby"), wished.jacoby),
      tick("beavers", t("new.beavers"), wished.beavers),
    ),
    radios(
      "colour",
      t("new.colour"),
      ["white", "black"].map((colour) => [colour, t(`new.${colour}`)]),
      wished.colour,
    ),
    html("div", { class: "ticks" }, tick("coach", t("new.coach"), wished.coach)),
    html(
      "details",
      { open: Boolean(wished.position) },
      html("summary", {}, t("new.more")),
      field(
        t("new.name"),
        html("input", {
          name: "name",
          maxlength: 40,
          value: wished.name === "You" ? "" : wished.name,
          autocomplete: "off",
        }),
      ),
      field(
        t("new.position"),
        html("input", {
          name: "position",
          dir: "ltr",
          spellcheck: "false",
          autocomplete: "off",
          value: wished.position,
          class: "latin",
        }),
        t("new.position.hint"),
      ),
      html("div", { class: "ticks" }, tick("swap", t("new.swap"), wished.swap)),
    ),
  ];
}

/** Show only what matters for the choices made. */
function adapt(form, options, changed) {
  const { rules, points, bot } = form.elements;
  const chosen = options.rules.find(({ name }) => name === rules.value);
  if (changed === "rules") bot.value = chosen.bot;
  form.querySelector(".money-only").hidden = points.value !== "0" || chosen.cube_limit === 1;
  form.querySelector(".rules-note").textContent = has(`rules.${rules.value}.note`)
    ? t(`rules.${rules.value}.note`)
    : "";
}

function read(form) {
  const { rules, points, bot, ply, jacoby, beavers, colour, coach, name, position, swap } = form.elements;
  const wishes = {
    rules: rules.value,
    length: Number(points.value),
    bot: bot.value,
    ply: Number(ply.value),
    jacoby: jacoby.checked,
    beavers: beavers.checked,
    colour: colour.value,
    coach: coach.checked,
  };
  if (name.value.trim()) wishes.name = name.value.trim();
  if (position.value.trim()) Object.assign(wishes, { position: position.value.trim(), swap: swap.checked });
  return wishes;
}
