/** The part of a long message that is shown at first: the browser would lay out all of it at once. */
export const FIRST_CHARS = 5_000;
export const FIRST_LINES = 60;
/** What is hidden is worth a click: less than a fifth of the part that is shown is shown with it. */
const REST_SHARE = 0.2;

/** Returns where the part ends; null if the whole text is shown. */
export function endOfFirstPart(text: string): number | null {
  const byLines = endOfLines(text, FIRST_LINES);
  const end = Math.min(FIRST_CHARS, byLines);
  if (text.length <= end) return null;
  const isLong = text.length > FIRST_CHARS * (1 + REST_SHARE);
  const hasMany = endOfLines(text, FIRST_LINES * (1 + REST_SHARE)) < text.length;
  if (!isLong && !hasMany) return null;
  const last = text.charCodeAt(end - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return isHalf ? end - 1 : end;
}

/** The index after so many lines, without the last break; the length if there are not more. */
function endOfLines(text: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return text.length;
  }
  return at;
}
