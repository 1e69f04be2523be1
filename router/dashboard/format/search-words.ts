/** The words of a search, in small letters. A text must have each of them to be found. */
export function searchWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
