// Choosing a match to step through: a file of this device, or one that the server keeps.

import { api } from "./api.js";
import { askingForm, openDialog, select } from "./dialog.js";
import { html } from "./dom.js";
import { t } from "./i18n.js";

/** The largest match file that is read, in bytes. */
const LARGEST = 1_000_000;

/** Ask for a match, and show it with `show(match)`. */
export async function openMatchChooser(show) {
  const file = html("input", { type: "file", name: "file", accept: ".mat,.txt,text/plain", required: true });
  const ofDevice = askingForm(
    html("label", { class: "field" }, html("span", {}, t("match.file")), file),
    t("match.show"),
    async () => {
      const [chosen] = file.files;
      if (!chosen) return;
      show(await api.readMatch(await chosen.slice(0, LARGEST).text()));
    },
  );
  const dialog = openDialog("open", t("match.open"), ofDevice);
  const { files } = await api.matches().catch(() => ({ files: [] }));
  if (files.length) dialog.append(html("hr"), ofServer(files, show));
}

function ofServer(files, show) {
  const names = files.map(({ name }) => [name, name]);
  const label = html(
    "label",
    { class: "field" },
    html("span", {}, t("match.kept")),
    select("kept", names, names[0][0]),
  );
  return askingForm(
    label,
    t("match.show"),
    async (form) => show(await api.match(form.elements.kept.value)),
    false,
  );
}
