/**
 * The tables of answers and of events in the reference of the inference APIs, beside what a service
 * with a simulated engine answers.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const THINKER = 'qwen/qwen3.5-397b-a17b';
const QUESTION = [{ role: 'user', content: 'What is a penstock?' }];
const CITY = { type: 'object', properties: { city: { type: 'string' } } };
const USAGE = { usage: { include: true } };

type Case = Readonly<{
  page: string;
  path: string;
  /** Null for a GET. The bodies together show every field of an answer. */
  bodies: readonly (object | null)[];
  /** Fields and events that these answers do not have. */
  others?: readonly string[];
}>;

const CASES: readonly Case[] = [
  {
    page: 'chat-completions.md',
    path: '/chat/completions',
    bodies: [
      { model: THINKER, messages: QUESTION, max_tokens: 400, ...USAGE },
      {
        model: MODEL,
        messages: QUESTION,
        tool_choice: 'required',
        tools: [{ type: 'function', function: { name: 'get_weather', parameters: CITY } }],
      },
    ],
  },
  {
    page: 'completions.md',
    path: '/completions',
    bodies: [{ model: MODEL, prompt: 'A penstock is', max_tokens: 4, ...USAGE }],
  },
  {
    page: 'responses.md',
    path: '/responses',
    bodies: [
      {
        model: THINKER,
        input: 'What is a penstock?',
        include: ['reasoning.encrypted_content'],
        reasoning: { effort: 'low' },
        ...USAGE,
      },
      { model: MODEL, input: 'What is a penstock?', max_output_tokens: 2 },
      {
        model: MODEL,
        input: 'What is a penstock?',
        tool_choice: 'required',
        tools: [
          {
            type: 'namespace',
            name: 'sky',
            tools: [{ type: 'function', name: 'get_weather', parameters: CITY }],
          },
        ],
      },
    ],
  },
  {
    page: 'messages.md',
    path: '/messages',
    bodies: [
      { model: THINKER, messages: QUESTION, thinking: { type: 'adaptive' }, ...USAGE },
      {
        model: MODEL,
        messages: QUESTION,
        tool_choice: { type: 'any' },
        tools: [{ name: 'get_weather', input_schema: CITY }],
      },
    ],
    others: ['ping'],
  },
  { page: 'models.md', path: `/models/${MODEL}`, bodies: [null] },
];

test.each(CASES)('$page has every field of the answers, and no other', async (one) => {
  const documented = codesIn(one.page, 'Answer');
  const fields = new Set<string>();
  for (const body of one.bodies) {
    const answer = await ask(one.path, body);
    addFields(fields, '', await answer.json());
  }
  const covers = (name: string, field: string) =>
    field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[]`);
  // Where an object is null, its members are documented.
  const isKnown = (field: string) =>
    documented.some((name) => covers(name, field) || name.startsWith(`${field}.`));
  const unknown = [...fields].filter((field) => !isKnown(field));
  expect(unknown).toEqual([]);
  const absent = documented.filter((name) => ![...fields].some((field) => covers(name, field)));
  expect(absent).toEqual([]);
});

test.each(CASES.filter(({ page }) => /^(?:responses|messages)/.test(page)))(
  '$page has every event of a stream, and no other',
  async ({ page, path, bodies, others = [] }) => {
    const events = new Set<string>(others);
    for (const body of bodies) {
      const text = await (await ask(path, { ...body, stream: true })).text();
      for (const [, event = ''] of text.matchAll(/^event: (.*)$/gm)) events.add(event);
    }
    expect(codesIn(page, 'Streamed events').toSorted()).toEqual([...events].toSorted());
  },
);

async function ask(path: string, body: object | null): Promise<Response> {
  const headers = {
    authorization: `Bearer ${up.first.api_key}`,
    'content-type': 'application/json',
  };
  const call = body === null ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${up.origin}/v1${path}`, { headers, ...call });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer;
}

/** The names in the first column of the tables below a heading. */
function codesIn(page: string, heading: string): string[] {
  const text = readFileSync(new URL(`../../docs/inference/${page}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`.*) \|$/gm)];
  return rows.flatMap(([, row = '']) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

/** Adds the path of each value that is not an object or a list with something in it. */
function addFields(fields: Set<string>, path: string, value: unknown): void {
  if (Array.isArray(value)) {
    if (value.length === 0) fields.add(`${path}[]`);
    for (const one of value) addFields(fields, `${path}[]`, one);
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) fields.add(path);
    for (const [name, one] of entries)
      addFields(fields, path === '' ? name : `${path}.${name}`, one);
  } else fields.add(path);
}
