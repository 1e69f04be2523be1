import { CodeBlock } from '../../parts/code/code-block.tsx';

type SampleProps = Readonly<{ title: string; what: string; code: string }>;

/** An example with its title: a command, or the JSON of an answer. */
export function Sample({ title, what, code }: SampleProps) {
  const isJson = code.startsWith('{') || code.startsWith('[');
  return <CodeBlock title={title} what={what} code={code} language={isJson ? 'json' : 'bash'} />;
}
