/** What the axes of all charts have in common. */
export const TICK = { fill: 'var(--muted)', fontSize: 11 };
const LETTER_PX = 6.5;
/** Also makes room for letters that are wider, such as m and %. */
const GAP_PX = 14;

/**
 * Returns the width of the labels of the vertical axis in pixels. With "auto", the library would use
 * the width of the previous labels, or no width.
 */
export function widthOf(labels: readonly string[]): number {
  return GAP_PX + Math.max(...labels.map(({ length }) => length)) * LETTER_PX;
}

const STEP_PX = 8;
const LEAST_PX = 48;

/** The width in pixels that a chart of a group asks for, if its labels need `own`. */
export function steppedWidth(own: number): number {
  return Math.max(LEAST_PX, Math.ceil(own / STEP_PX) * STEP_PX);
}
