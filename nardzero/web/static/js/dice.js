// The dice as they lie on the board.

import { svg } from "./dom.js";

const SPOTS = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [-1, 1],
    [1, -1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [-1, 1],
    [0, 0],
    [1, -1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ],
};

function die(g, value, colour, { x, y }, state) {
  const size = g.die;
  const spots = (SPOTS[value] ?? []).map(([across, down]) =>
    svg("circle", { class: "spot", cx: (across * size) / 3.7, cy: (down * size) / 3.7, r: size / 10.5 }),
  );
  const box = { x: -size / 2, y: -size / 2, width: size, height: size, rx: size / 5 };
  return svg(
    "g",
    { class: `die ${colour} ${state}`, transform: `translate(${x} ${y})` },
    svg("rect", { class: "face", ...box }),
    spots,
  );
}

/** Dice in a row: each has a player, a value and a state (next, left, used or old). */
export function dice(g, thrown, colours) {
  const drawn = ["you", "bot"].flatMap((player) => {
    const his = thrown.filter((one) => one.player === player);
    return his.map((one, place) => {
      const centre = g.dieCentre(player, place, his.length);
      return die(g, one.value, colours[player], centre, one.state);
    });
  });
  return svg("g", { class: "dice", "aria-hidden": "true" }, drawn);
}

/** Where the person's dice are touched: to roll, to swap them, to pick them up. */
export function diceArea(g) {
  const { x } = g.dieCentre("you", 0, 1);
  const [width, height] = [4 * (g.die + 12), Math.max(g.die + 10, 46)];
  const box = { x: x - width / 2, y: g.middle - height / 2, width, height };
  return svg(
    "g",
    { class: "area dice-area", role: "button", tabindex: 0 },
    svg("rect", { class: "touch", ...box }),
    svg("rect", { class: "focus", ...box, rx: 8 }),
    svg("g", { class: "invitation", "aria-hidden": "true" }),
  );
}

/** What lies in the dice area while the person is to roll: two dice to come; or a tick to pick them up. */
export function invitation(g, kind) {
  if (kind === "done") {
    const { x, y } = g.dieCentre("you", 0, 1);
    const badge = svg("circle", { class: "badge", cx: x, cy: y, r: 15 });
    return [badge, svg("path", { class: "tick", d: `M${x - 7} ${y}l5 5l9 -10` })];
  }
  if (kind !== "roll" && kind !== "opening") return [];
  const count = kind === "roll" ? 2 : 1;
  return Array.from({ length: count }, (_, place) => {
    const { x, y } = g.dieCentre("you", place, count);
    const box = { x: x - g.die / 2, y: y - g.die / 2, width: g.die, height: g.die, rx: g.die / 5 };
    return [
      svg("rect", { class: "ghost", ...box }),
      svg("path", { class: "throw", d: `M${x + 8} ${y + 2}a8.5 8.5 0 1 1 -3 -7.5M${x + 6} ${y - 11}v6h-6` }),
    ];
  }).flat();
}
