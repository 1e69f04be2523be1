/** The texts for the audit log's actions. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  actionInWords,
  actorInWords,
  detailInWords,
  KINDS,
} from '../../../../../router/dashboard/pages/audit/words.ts';

const CONTROL = resolve(import.meta.dirname, '../../../../../router/control');
/**
 * Actions that are never logged under this name: the first only reads, and the second logs what the
 * event contained.
 */
const NEVER_LOGGED = ['invitation.preview', 'payment.hear'];

test('whatever the API logs of an organization has words here', async () => {
  const files = (await readdir(CONTROL, { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  );
  const texts = await Promise.all(files.map((name) => readFile(join(CONTROL, name), 'utf8')));
  const codes = texts.flatMap((text) =>
    [...text.matchAll(/action: '([a-z-]+\.[a-z-]+)'/g)].map(([, code]) => code as string),
  );
  const shown = codes.filter(
    (code) => (code.split('.')[0] as string) in KINDS && !NEVER_LOGGED.includes(code),
  );
  expect(shown).toContain('key.create');
  expect(shown.filter((code) => actionInWords(code) === code)).toEqual([]);
});

test('what is not known is shown as it is', () => {
  expect(actionInWords('moon.howl')).toBe('moon.howl');
  expect(detailInWords('low_balance_threshold')).toBe('Low balance threshold');
});

test('an actor is named, and said to be what they are where that is not plain', () => {
  const actor = { id: 'per_1', name: 'Ada', email: 'ada@example.com' };
  expect(actorInWords({ kind: 'person', ...actor })).toEqual({
    name: 'Ada',
    note: 'ada@example.com',
  });
  expect(actorInWords({ kind: 'management-token', id: 'mtk_1', name: 'ci', email: null })).toEqual({
    name: 'ci',
    note: 'management token',
  });
  const operator = { kind: 'operator', id: null, name: null, email: null } as const;
  expect(actorInWords(operator)).toEqual({ name: 'Operator', note: null });
  expect(actorInWords({ ...operator, kind: 'person' }).name).toBe('Deleted account');
});
