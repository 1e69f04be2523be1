/** The body of a stranger's answer as text that can be shown. */

/**
 * Control characters, marks that change the direction of text, and what is no character. Line breaks
 * and tabs stay.
 */
const UNSHOWN = /[^\P{C}\n\t]/gu;

/** What is not UTF-8, or cannot be shown, is replaced by U+FFFD. A character that is cut is left out. */
export function answerText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replaceAll('\r\n', '\n').replaceAll(UNSHOWN, '\uFFFD');
}
