/** What `docs/inference/` contains. The build reads this file, too. */

export type DocsHeading = Readonly<{ id: string; title: string; level: number }>;

export type DocsSection = Readonly<{
  title: string;
  pages: readonly Readonly<{
    name: string;
    title: string;
    /** What the index says of the page. */
    about: string;
    headings: readonly DocsHeading[];
  }>[];
}>;

/**
 * Values in the pages that are replaced with the reader's own: those of a local installation. The
 * base URL is replaced without its `/v1`, which some clients add themselves.
 */
export const EXAMPLES = {
  origin: 'http://127.0.0.1:8080',
  model: 'qwen/qwen3-235b-a22b-instruct-2507',
  thinker: 'qwen/qwen3.5-397b-a17b',
  seer: 'moonshotai/kimi-k2.5',
  contextTokens: '262144',
  answerTokens: '65536',
} as const;

export type ExampleName = keyof typeof EXAMPLES;
export type Examples = Readonly<Record<ExampleName, string>>;

/** Replaces the values in a text that is copied. */
export function fillIn(text: string, own: Examples): string {
  return (Object.keys(EXAMPLES) as ExampleName[]).reduce(
    (filled, name) => filled.replaceAll(EXAMPLES[name], () => own[name]),
    text,
  );
}
