// Dialogs: a title, something inside, and buttons; Escape and the close button close them.

import { Refusal } from "./api.js";
import { byId, html } from "./dom.js";
import { t } from "./i18n.js";

/** The words of a dialog's close button and heading, around its contents. */
function frame(name, title, contents) {
  const close = html(
    "button",
    {
      type: "button",
      class: "button icon close",
      "aria-label": t("close"),
      onclick: (event) => closeOf(event).close(),
    },
    "×",
  );
  return [html("header", {}, html("h2", { id: `${name}-title` }, title), close), contents];
}

function closeOf(event) {
  return event.target.closest("dialog");
}

/** Open the dialog of this name with a title and contents. */
export function openDialog(name, title, ...contents) {
  const dialog = byId(`${name}-dialog`);
  dialog.replaceChildren(...frame(name, title, contents.flat()).flat());
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0; // a button that takes the focus must not hide the beginning
  return dialog;
}

/**
 * A form that asks the server for something: `submit()` may raise a Refusal, which is shown in the form;
 * otherwise the dialog closes.
 */
export function askingForm(fields, label, submit, isMain = true) {
  const fault = html("p", { class: "fault", role: "alert", hidden: true });
  const button = html(
    "button",
    { type: "submit", class: isMain ? "button main" : "button", autofocus: isMain },
    label,
  );
  const onsubmit = async (event) => {
    event.preventDefault();
    const form = event.target;
    button.disabled = true;
    fault.hidden = true;
    try {
      await submit(form);
      form.closest("dialog").close();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      fault.textContent = error.code === "invalid" ? sentenceOf(error.message) : error.sentence;
      fault.hidden = false;
    } finally {
      button.disabled = false;
    }
  };
  return html("form", { onsubmit, novalidate: true }, fields, fault, html("footer", {}, button));
}

/** The server's sentence as one: with a capital letter and a full stop. */
export function sentenceOf(message) {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A field with its label. */
export function field(label, input, hint = null) {
  return html(
    "label",
    { class: "field" },
    html("span", {}, label),
    input,
    hint && html("small", { class: "quiet" }, hint),
  );
}

/** A box to tick, with its label behind it. */
export function tick(name, label, checked) {
  return html(
    "label",
    { class: "tick" },
    html("input", { type: "checkbox", name, checked }),
    html("span", {}, label),
  );
}

/** A list to choose from: [value, text] pairs. */
export function select(name, choices, chosen) {
  const options = choices.map(([value, text]) =>
    html("option", { value, selected: String(value) === String(chosen) }, text),
  );
  return html("select", { name, autocomplete: "off" }, options);
}

/** Buttons of which one is chosen: [value, text] pairs. */
export function radios(name, legend, choices, chosen) {
  const boxes = choices.map(([value, text]) =>
    html(
      "label",
      { class: "radio" },
      html("input", { type: "radio", name, value, checked: value === chosen, autocomplete: "off" }),
      html("span", {}, text),
    ),
  );
  return html("fieldset", { class: "radios" }, html("legend", {}, legend), html("div", {}, boxes));
}
