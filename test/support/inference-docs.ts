/** The examples in `docs/inference/`, and what each prints when it runs with a simulated engine. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Up } from './up.ts';

const FOLDER = join(import.meta.dirname, '../../docs/inference');
/** A language, a name if the example is one of several, and the code. */
const BLOCK = /^```(\w+)(?: ([^\n]+))?\n(.*?)^```$/gms;
/** `test/coding-agents/` and `test/clients/load-tools.test.ts` run the commands of these pages. */
const RUN_ELSEWHERE = ['coding-agents.md', 'clients.md'];

/** What the examples under each heading print, in every language. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'Set your API key': /^$/,
  'Send a first request': /\w+ \w+ \w+/,
  'What an answer costs': /"cost":0\.0000\d+/,
  'List the models': /qwen\/qwen3-235b-a22b-instruct-2507/,
  'Other APIs': /text"?: ?['"]\w+ \w+/,
  Streaming: /[1-9]\d* tokens$|data: \[DONE\]$/,
  Tools: /get_weather/,
  'JSON mode': /\{.*:/s,
  'Answers that follow a schema': /height_m/,
  Reasoning: /reasoning.*Answer: \w+|"reasoning":"\w+/is,
  'Prompt caching': /"cached_tokens":[1-9]|^[1-9]\d* of \d+ tokens cached/m,
  Errors: /invalid_value\W+temperature|temperature.*invalid_value/s,
  'What is left of a key': /requests/,
  Regions: /^\{"status":"ok"\}$/,
  'Images in a chat completion': /\w+ \w+/,
  'Images in a response': /\w+ \w+/,
  'Images in a message': /text/,
  'Example of a chat completion': /\w+ \w+ \w+/,
  'Example of a completion': /\w+ \w+ \w+/,
  'Example of a response': /\w+ \w+ \w+/,
  'Example of a message': /\w+ \w+ \w+/,
  'Count tokens': /input_tokens\W+[1-9]\d*/,
  'Example of a list of models': /qwen\/qwen3-235b-a22b-instruct-2507/,
  'Idempotency-Key': /\w+ \w+ \w+/,
};

export type Example = Readonly<{
  title: string;
  language: string;
  code: string;
  printed: RegExp;
}>;

/** Returns the examples of these languages with their names, such as "Streaming, Python". */
export function examplesIn(...languages: readonly string[]): Example[] {
  const pages = readdirSync(FOLDER).filter((file) => !RUN_ELSEWHERE.includes(file));
  return pages.flatMap((file) => {
    const page = readFileSync(join(FOLDER, file), 'utf8');
    return [...page.matchAll(BLOCK)].flatMap(([, language = '', name = '', code = ''], nth) => {
      if (!languages.includes(language)) return [];
      const heading = headingBefore(page, code);
      const printed = PRINTED[heading];
      if (!printed) throw new Error(`${file}: PRINTED lacks what "${heading}" prints`);
      const title = [heading, name || `example ${nth + 1}`].join(', ');
      return [{ title, language, code, printed }];
    });
  });
}

function headingBefore(page: string, code: string): string {
  const before = page.slice(0, page.indexOf(code));
  return [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '';
}

/** Returns the code with the base URL and the key of a running service. */
export function codeFor(up: Up, { code }: Example): string {
  return code
    .replaceAll('http://127.0.0.1:8080', up.origin)
    .replaceAll('<your key>', up.first.api_key);
}
