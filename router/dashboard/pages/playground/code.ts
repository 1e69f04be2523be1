/** A request of the playground as code to paste. The code reads the key from the environment. */
import type { Body } from './request.ts';

/** A longer data URI is shortened, because it would bury the rest of the code. */
const IMAGE_CHARS_MAX = 2_000;
const IMAGE_CHARS_SHOWN = 48;

/**
 * The parameters that the official libraries know by name. In Python the other parameters go into
 * `extra_body`; in TypeScript they need a cast.
 */
const KNOWN = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'response_format',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'max_tokens',
  'seed',
  'stop',
  'stream',
  'stream_options',
]);

export type Code = Readonly<{
  tabs: Readonly<Record<'curl' | 'Python' | 'TypeScript', string>>;
  /** Whether an image was shortened. */
  shortened: boolean;
}>;

export function codeOf(baseUrl: string, body: Body): Code {
  let shortened = false;
  const shown = JSON.parse(
    JSON.stringify(body, (_key, value: unknown) => {
      if (typeof value !== 'string' || !isLongImage(value)) return value;
      shortened = true;
      return `${value.slice(0, IMAGE_CHARS_SHOWN)}…`;
    }),
  ) as Body;
  return {
    tabs: {
      curl: curl(baseUrl, shown),
      Python: python(baseUrl, shown),
      TypeScript: typescript(baseUrl, shown),
    },
    shortened,
  };
}

function isLongImage(text: string): boolean {
  return text.length > IMAGE_CHARS_MAX && text.startsWith('data:image/');
}

function curl(baseUrl: string, body: Body): string {
  const data = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`);
  return [
    `curl -N ${baseUrl}/chat/completions \\`,
    '  -H "Authorization: Bearer $PENSTOCK_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${data}'`,
  ].join('\n');
}

function python(baseUrl: string, body: Body): string {
  const { known, extra } = divided(body);
  const given = Object.entries(known).map(([name, value]) => `    ${name}=${literal(value, 1)},`);
  const beside = Object.keys(extra).length === 0 ? [] : [`    extra_body=${literal(extra, 1)},`];
  return [
    'import os',
    '',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${literal(baseUrl, 1)},`,
    '    api_key=os.environ["PENSTOCK_API_KEY"],',
    ')',
    '',
    'stream = client.chat.completions.create(',
    ...given,
    ...beside,
    ')',
    'for chunk in stream:',
    '    if chunk.choices:',
    '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
  ].join('\n');
}

function typescript(baseUrl: string, body: Body): string {
  const { extra } = divided(body);
  // The library also sends parameters that its types do not know.
  const cast =
    Object.keys(extra).length === 0 ? '' : ' as OpenAI.ChatCompletionCreateParamsStreaming';
  const given = JSON.stringify(body, null, 2).replaceAll(/^(\s*)"([a-z_]+)":/gim, '$1$2:');
  return [
    "import OpenAI from 'openai';",
    '',
    'const client = new OpenAI({',
    `  baseURL: ${JSON.stringify(baseUrl)},`,
    '  apiKey: process.env.PENSTOCK_API_KEY,',
    '});',
    '',
    `const stream = await client.chat.completions.create(${given}${cast});`,
    'for await (const chunk of stream) {',
    "  process.stdout.write(chunk.choices[0]?.delta.content ?? '');",
    '}',
  ].join('\n');
}

function divided(body: Body) {
  const members = Object.entries(body);
  return {
    known: Object.fromEntries(members.filter(([name]) => KNOWN.has(name))),
    extra: Object.fromEntries(members.filter(([name]) => !KNOWN.has(name))),
  };
}

const INDENT = '    ';

/** Returns a JSON value as a Python literal. */
function literal(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Array.isArray(value)
    ? value.map((item: unknown) => literal(item, depth + 1))
    : Object.entries(value).map(
        ([name, member]) => `${JSON.stringify(name)}: ${literal(member, depth + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return `${open}${close}`;
  const lines = members.map((member) => `${INDENT.repeat(depth + 1)}${member},`);
  return `${open}\n${lines.join('\n')}\n${INDENT.repeat(depth)}${close}`;
}
