/**
 * The tables of parameters in the reference of the inference APIs. They are made from the schemas by
 * which the router reads requests, so a field that is read and not explained fails, and the reverse.
 * `npm test -- -u` writes them again.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../../../router/request/routes.ts';
import { NATIVE_SWITCHES, NOT_HONOURED, NOT_OFFERED } from '../../../../shared/api/parameters.ts';
import { REFUSALS } from '../../../../shared/refusals.ts';
import { REFERENCE, type ReferencePage } from './apis.ts';
import type { Notes } from './chat-notes.ts';
import { fieldsOf, type SchemaField } from './schema-fields.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/inference');
const BLOCK =
  /(?<=<!-- parameters: made from the schemas -->\n\n).*?(?=\n*<!-- end of parameters -->)/s;

describe.each(REFERENCE)('$file', (page) => {
  test('explains every field that the router reads, and no other', () => {
    expect(Object.keys(page.notes).toSorted()).toEqual(namesIn(fieldsOf(page.body)));
    expect(Object.keys(page.elementNotes).toSorted()).toEqual(
      Object.keys(page.elements).toSorted(),
    );
    for (const [kind, schema] of Object.entries(page.elements)) {
      const notes = page.elementNotes[kind] ?? {};
      expect([kind, ...Object.keys(notes).toSorted()]).toEqual([
        kind,
        ...namesIn(fieldsOf(schema)),
      ]);
    }
  });

  test('has the types and bounds of the schemas', async () => {
    const file = join(FOLDER, page.file);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(BLOCK);
    await expect(text.replace(BLOCK, () => blockOf(page))).toMatchFileSnapshot(file);
  });
});

test('the reference lists every path of the data plane', async () => {
  const text = await readFile(join(FOLDER, 'reference.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `(GET|POST) (\/[^`]*)` \|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const routes = [...ROUTES].map(([path, { method }]) => `${method} ${path}`);
  expect(listed.toSorted()).toEqual([...routes, 'GET /v1/models/{id}'].toSorted());
});

test('the reference leads to every error by its status', async () => {
  const text = await readFile(join(FOLDER, 'reference.md'), 'utf8');
  const explained = await readFile(join(FOLDER, 'errors.md'), 'utf8');
  const listed = [...text.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)].flatMap(([, status, links = '']) =>
    [...links.matchAll(/\[`(\w+)`\]\(errors\.md#\1\)/g)].map(([, code]) => [code, Number(status)]),
  );
  const codes = [...explained.matchAll(/^### `(\w+)`$/gm)].map(([, code = '']) => code);
  const status = (code: string) => REFUSALS[code as keyof typeof REFUSALS].status;
  expect(listed).toEqual(codes.map((code) => [code, status(code)]));
});

function namesIn(fields: readonly SchemaField[]): string[] {
  return fields.map(({ name }) => name).toSorted();
}

function blockOf({ body, notes, elements, elementNotes, api }: ReferencePage): string {
  const parts = Object.entries(elements).map(
    ([kind, schema]) => `### ${titleOf(kind)}\n\n${tableOf(schema, elementNotes[kind] ?? {})}`,
  );
  return [tableOf(body, notes), ...parts, `### Other parameters\n\n${othersOf(api)}`].join('\n\n');
}

function titleOf(kind: string): string {
  return /_|^(?:text|refusal|image|thinking|reasoning|function|namespace)$/.test(kind)
    ? `The type \`${kind}\``
    : `A ${kind}`;
}

function tableOf(schema: ReferencePage['body'], notes: Notes): string {
  const rows = fieldsOf(schema).map(({ name, type, required }) => {
    const [byDefault, meaning] = notes[name] ?? ['', ''];
    return `| \`${name}\` | ${type} | ${required ? '**required**' : byDefault} | ${meaning} |`;
  });
  return ['| Field | Value | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function othersOf(api: ReferencePage['api']): string {
  const own =
    api === 'messages' ? NATIVE_SWITCHES.filter((name) => name !== 'thinking') : NATIVE_SWITCHES;
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  return [
    `Refused with [\`unsupported_parameter\`](errors.md#unsupported_parameter), because a client would rely on them: ${list(NOT_OFFERED[api])}, and the reasoning switches of single engines, ${list(own)}.`,
    `Accepted without effect, and named in the header \`x-ignored-parameters\`: ${list(NOT_HONOURED)}.`,
    'Any other parameter is ignored. Null counts as absent.',
  ].join('\n\n');
}
