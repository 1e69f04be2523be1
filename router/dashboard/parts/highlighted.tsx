/** A text in which the words that were searched for are marked. `words` are in small letters. */
export function Highlighted({ text, words }: { text: string; words: readonly string[] }) {
  const sought = words
    .filter(Boolean)
    .map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  if (sought.length === 0) return text;
  const pieces = text.split(new RegExp(`(${sought.join('|')})`, 'gi'));
  // The pieces at odd places are those that the expression has found.
  return pieces.map((piece, at) =>
    at % 2 === 1 ? (
      <mark key={at} className="rounded-xs bg-accent-soft text-accent">
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}
