// Where everything lies on the board, in the units of its view box.
//
// The person's home is at the bottom: on the right for white, who moves anticlockwise, and on the left for
// black, who moves clockwise. All points are in the person's numbering: 25 is his bar, 0 the bot's bar.

export const BAR = 25;
export const BOT_BAR = 0;
export const OFF = 0;

const POINT = 40;
const FIELD = 6 * POINT;

/** The measures of a wide board, and of a narrow and taller one for phones. */
const WIDE = { edge: 12, bar: 46, tray: 46, strip: 24, tallest: 5, gap: 58 };
const NARROW = { edge: 5, bar: 42, tray: 40, strip: 24, tallest: 6, gap: 64 };

export class Geometry {
  constructor(colour, narrow) {
    Object.assign(this, narrow ? NARROW : WIDE);
    this.mirrored = colour === "black";
    this.radius = 18.5;
    this.step = 37;
    this.die = narrow ? 40 : 36;
    this.half = this.tallest * this.step + this.gap / 2;
    this.spike = this.tallest * this.step - 4;
    this.height = 2 * (this.strip + this.half);
    this.middle = this.height / 2;
    this.width = 3 * this.edge + 2 * FIELD + this.bar + this.tray;
    this.fieldWidth = FIELD;
    this.pointWidth = POINT;
  }

  /** A distance from the left, seen by white, as it is for this colour. */
  across(x) {
    return this.mirrored ? this.width - x : x;
  }

  /** The left end of a stretch that white sees from x on. */
  left(x, width) {
    return this.mirrored ? this.width - x - width : x;
  }

  /** The left ends of the two fields. */
  get fields() {
    const first = this.edge;
    return [first, first + FIELD + this.bar].map((x) => this.left(x, FIELD));
  }

  get barX() {
    return this.across(this.edge + FIELD + this.bar / 2);
  }

  get trayX() {
    return this.across(2 * this.edge + 2 * FIELD + this.bar + this.tray / 2);
  }

  /** Whether a point lies in the lower half. */
  isLow(point) {
    return point === BAR || (point > 0 && point <= 12);
  }

  /** The centre of a point's column, or of the bar's. */
  columnX(point) {
    if (point === BAR || point === BOT_BAR) return this.barX;
    const place = point > 12 ? point - 13 : 12 - point;
    const bar = place < 6 ? 0 : this.bar;
    return this.across(this.edge + bar + place * POINT + POINT / 2);
  }

  /** A height of the upper half, or its mirror image in the lower. */
  down(y, low) {
    return low ? this.height - y : y;
  }

  /** The centre of the checker at this level of a point, from the edge; on the bar from the middle outwards. */
  checker(point, level) {
    const shown = Math.min(level, this.tallest - 1);
    const low = this.isLow(point);
    if (point !== BAR && point !== BOT_BAR)
      return {
        x: this.columnX(point),
        y: this.down(this.strip + this.radius + 0.5 + this.step * shown, low),
      };
    const fromMiddle = 46 + (this.step - 4) * Math.min(level, 2);
    return { x: this.barX, y: this.middle + (low ? fromMiddle : -fromMiddle) };
  }

  /** The slab of the borne-off checker at this level of a player's tray. */
  slab(player, level) {
    const height = (this.half - 16) / 15;
    const low = player === "you";
    const y = this.strip + 3 + height * level + (low ? height : 0);
    return {
      x: this.trayX - this.tray / 2 + 4,
      y: this.down(y, low),
      width: this.tray - 8,
      height: height - 1.5,
    };
  }

  /** The middle of a tray, where a checker that is borne off goes. */
  trayCentre(player) {
    return { x: this.trayX, y: this.down(this.strip + this.half / 2, player === "you") };
  }

  /** The centre of a die: the person's lie in the field of his home, the bot's in the other one. */
  dieCentre(player, place, count) {
    const field = this.fields[player === "you" ? 1 : 0] + FIELD / 2;
    return { x: field + (place - (count - 1) / 2) * (this.die + 12), y: this.middle };
  }

  /** The centre of the cube: on the bar, in the middle or at its owner's end; offered, before the one asked. */
  cubeCentre(owner, offeredTo) {
    if (offeredTo) return { x: this.fields[offeredTo === "you" ? 1 : 0] + FIELD / 2, y: this.middle };
    const end = this.strip + 24;
    const y = owner === null ? this.middle : this.down(end, owner === "you");
    return { x: this.barX, y };
  }

  /** The area of a point, of a bar or of the person's tray ("off") that can be touched. */
  area(place) {
    const top = (low) => (low ? this.middle : 0);
    const height = this.middle;
    if (place === "off")
      return {
        x: this.trayX - this.tray / 2 - this.edge / 2,
        y: this.middle,
        width: this.tray + this.edge,
        height,
      };
    const width = place === BAR || place === BOT_BAR ? this.bar : POINT;
    return { x: this.columnX(place) - width / 2, y: top(this.isLow(place)), width, height };
  }
}
