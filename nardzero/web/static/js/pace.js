// How fast things move on the board, and whether they move at all.

import { kept } from "./prefs.js";

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the person switched animation off on this page. */
export function isStill() {
  return kept("still") === true;
}

/** Whether checkers glide; not where the system asks for reduced motion. */
export function glides() {
  return !isStill() && !CALM.matches;
}

/** A wait that can be cut short. */
export class Pauses {
  constructor() {
    this.skipping = false;
    this.wake = null;
  }

  /** Wait so many milliseconds, or until it is cut short. */
  pause(milliseconds) {
    if (this.skipping || isStill()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Cut short this wait and those that follow, until begin(). */
  skip() {
    this.skipping = true;
    this.wake?.();
  }

  /** Wait again from now on. */
  begin() {
    this.skipping = false;
  }
}
