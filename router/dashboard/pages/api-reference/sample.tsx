import { CodeBlock } from '../../parts/code/code-block.tsx';

const JSON_LOOK = { language: 'json' } as const;
const COMMAND_LOOK = { language: 'bash', wraps: true } as const;

type SampleProps = Readonly<{ title: string; what: string; code: string }>;

/** An example with its title: a command, or the JSON of an answer. */
export function Sample({ title, what, code }: SampleProps) {
  const isJson = code.startsWith('{') || code.startsWith('[');
  // The address of a request is longer than the column of the examples.
  return <CodeBlock {...{ title, what, code }} {...(isJson ? JSON_LOOK : COMMAND_LOOK)} />;
}
