/** Makes foreign text, such as agents' names, safe for terminals, which obey control characters. */

/**
 * Control characters (escape sequences begin with one), format characters such as bidirectional
 * overrides, and line separators.
 */
const OBEYED = /[\p{C}\p{Zl}\p{Zp}]/gu;

export function printable(text: string): string {
  return text.replace(OBEYED, '\u{FFFD}');
}

/** Those of these characters that JSON.stringify does not escape. `printableJson` escapes them. */
const LEFT_BY_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

export function printableJson(json: string): string {
  return json.replace(LEFT_BY_JSON, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Matches characters that terminals show two cells wide. */
const WIDE =
  /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\u3000-\u303e\uff01-\uff60]/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the width of a text in terminal cells. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Returns a text of exactly `width` cells: padded on one side, or cut with an ellipsis. */
export function fit(text: string, width: number, fill: 'after' | 'before' = 'after'): string {
  const missing = width - widthOf(text);
  if (missing >= 0) {
    const spaces = ' '.repeat(missing);
    return fill === 'after' ? text + spaces : spaces + text;
  }
  let kept = '';
  let left = width - 1;
  for (const { segment } of graphemes.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return fit(`${kept}…`, width, fill);
}
