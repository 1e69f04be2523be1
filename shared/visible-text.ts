/**
 * Whether a name can be seen and read. A name of fillers, soft hyphens or spaces of no width looks like
 * no name, and could be mistaken for another one; marks without end cover the lines above and below.
 */

/**
 * A character that is drawn by itself: none that is ignored, blank, a control, a placeholder, without
 * meaning yet, or only a mark. The last ones are blank although their properties do not say so: braille,
 * a note head, two hieroglyphs.
 */
const VISIBLE =
  /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{C}\p{M}\uFFFC\u2800\u{1D159}\u{13441}\u{13442}]/u;

/** More than any script or emoji has: a flag of a region has seven tags. */
export const MARKS_MAX = 8;
const TOO_MANY_MARKS = new RegExp(
  String.raw`[\p{M}\p{Default_Ignorable_Code_Point}]{${MARKS_MAX + 1}}`,
  'u',
);

export function hasVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Whether no character has more marks, or is followed by more ignored characters, than `MARKS_MAX`. */
export function hasFewMarks(text: string): boolean {
  return !TOO_MANY_MARKS.test(text);
}
