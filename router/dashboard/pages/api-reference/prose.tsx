/** A text of the document, whose only Markdown is code between backticks. */
import { Code } from '../../parts/shown.tsx';

export function Prose({ text }: { text: string }) {
  // The pieces at odd places are those between backticks.
  return text.split('`').map((piece, at) => (at % 2 === 1 ? <Code key={at}>{piece}</Code> : piece));
}
