/** Which operations the API browser shows, and in which groups. Its script runs as in a browser. */
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { GROUPS, OPERATOR_GROUPS } from '../../../../router/control/openapi/page-groups.ts';
import { START_SCRIPT } from '../../../../router/control/openapi/page-script.ts';
import { type Described, type OpenApi, operationsOf } from '../../../support/api-schemas.ts';

const DOCUMENT = await readFile(
  new URL('../../../../docs/openapi.json', import.meta.url).pathname,
  'utf8',
);
const all = operationsOf(JSON.parse(DOCUMENT) as OpenApi);
const isOfOperators = ({ operation }: Described) => operation['x-permission'] === 'operator';
const nameOf = ({ method, path }: Described) => `${method} ${path}`;
const tagsOf = ({ operation }: Described) => operation.tags ?? [];

/** Returns the operations that the page shows. `me`: null, nobody is signed in. */
async function shown(
  me: Readonly<{ operator: boolean }> | null,
  search = '',
): Promise<Described[]> {
  const specs: OpenApi[] = [];
  const root = {
    dataset: { session: me === null ? 'absent' : 'present' },
    classList: { toggle: () => false },
  };
  const answers: Readonly<Record<string, unknown>> = {
    '/api/openapi.json': JSON.parse(DOCUMENT),
    '/api/v1/me': { ...me, organizations: [] },
  };
  await runInNewContext(`(async () => {${START_SCRIPT}})()`, {
    document: {
      documentElement: root,
      querySelector: () => null,
      querySelectorAll: () => [],
    },
    window: {},
    location: { origin: 'https://penstock.test', search },
    localStorage: { getItem: () => null },
    URLSearchParams,
    MutationObserver: class {
      observe(): void {}
    },
    fetch: async (path: string) => ({ ok: true, json: async () => answers[path] }),
    SwaggerUIBundle: (options: { spec: OpenApi }) => {
      specs.push(options.spec);
    },
  });
  return specs.flatMap(operationsOf);
}

test('each tag of an operation that customers may call is in one group', () => {
  const tags = new Set(all.filter((one) => !isOfOperators(one)).flatMap(tagsOf));
  const grouped = GROUPS.flatMap((group) => group.tags);
  expect(grouped.toSorted()).toEqual([...tags].toSorted());
});

test('operations of operators are shown to operators, and to whoever asks for them', async () => {
  const ofCustomers = all.filter((one) => !isOfOperators(one)).map(nameOf);
  expect(ofCustomers.length).toBeLessThan(all.length);
  expect((await shown(null)).map(nameOf)).toEqual(ofCustomers);
  expect((await shown({ operator: false })).map(nameOf)).toEqual(ofCustomers);
  expect((await shown({ operator: true })).map(nameOf)).toEqual(all.map(nameOf));
  expect((await shown(null, '?operators')).map(nameOf)).toEqual(all.map(nameOf));
});

test('each operation is in a group of those who may call it', async () => {
  const groupOf = new Map(
    (await shown({ operator: true })).map((one) => [nameOf(one), tagsOf(one)]),
  );
  for (const one of all) {
    const groups = isOfOperators(one) ? OPERATOR_GROUPS : GROUPS;
    expect(
      groups.map(({ name }) => [name]),
      nameOf(one),
    ).toContainEqual(groupOf.get(nameOf(one)));
  }
});
