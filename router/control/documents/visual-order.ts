/**
 * Text that has Hebrew or Arabic in it, in the order in which it is drawn. The library that writes
 * PDFs draws words from left to right, so lines are put into visual order here, by the Unicode
 * Bidirectional Algorithm. A line begins at the right if its first letter is a right-to-left one.
 */
import makeBidi, { type Bidi, type EmbeddingLevels } from 'bidi-js';

// Node imports the function itself, while the types of the library say that it has a `default`.
const bidi = (makeBidi as unknown as () => Bidi)();

/** A range of a text: the indices of its first character and of the one after its last. */
export type Range = readonly [start: number, end: number];

/**
 * A word, or the white space between two words. Its characters are in logical order, and all of them
 * have one direction. Characters such as brackets are mirrored already.
 */
export type Piece = Readonly<{ text: string; direction: 'ltr' | 'rtl' }>;

/** Finds the directions of a text without line feeds. Null: all of it runs from left to right. */
export function directionsOf(text: string): EmbeddingLevels | null {
  const levels = bidi.getEmbeddingLevels(text, 'auto');
  return levels.levels.every((level) => level === 0) ? null : levels;
}

/** Returns the pieces of one line of a text, from left to right. */
export function visualOrder(text: string, levels: EmbeddingLevels, [start, end]: Range): Piece[] {
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels, start, end - 1);
  // It returns the indices of the whole text, of which those of the line are in visual order.
  const indices = bidi.getReorderedIndices(text, levels, start, end - 1).slice(start, end);
  const pieces: { text: string; direction: Piece['direction']; isSpace: boolean }[] = [];
  for (const index of indices) {
    const direction = (levels.levels[index] ?? 0) % 2 === 0 ? 'ltr' : 'rtl';
    const character = mirrored.get(index) ?? text.charAt(index);
    const isSpace = character === ' ';
    const last = pieces.at(-1);
    if (last?.direction !== direction || last.isSpace !== isSpace) {
      pieces.push({ text: character, direction, isSpace });
    } else {
      // From left to right, the characters of a right-to-left word come last one first.
      last.text = direction === 'rtl' ? character + last.text : last.text + character;
    }
  }
  return pieces;
}

/**
 * Breaks a text into lines between words, and inside a word that does not fit on a line. `fits`:
 * whether a part of the text fits on one line.
 */
export function breakLines(text: string, fits: (part: string) => boolean): Range[] {
  const lines: Range[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start;
    for (const { index, 0: word } of text.slice(start).matchAll(/[^ ]+/g)) {
      const next = start + index + word.length;
      if (!fits(text.slice(start, next))) break;
      end = next;
    }
    if (end === start) end = start + cut(text.slice(start), fits);
    lines.push([start, end]);
    start = end;
    while (text.charAt(start) === ' ') start++;
  }
  return lines;
}

/** Returns how many characters of a text fit on a line, at least one. */
function cut(text: string, fits: (part: string) => boolean): number {
  let end = 0;
  for (const character of text) {
    if (end > 0 && !fits(text.slice(0, end + character.length))) break;
    end += character.length;
  }
  return end;
}
