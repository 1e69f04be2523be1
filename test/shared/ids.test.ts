import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { AGENT_ID_CHARS, maskApiKey, mintApiKey, mintId, parseApiKey } from '../../shared/ids.ts';
import { digestSecret, onePepper } from '../../shared/peppers.ts';
import { seededRandom, systemRandom } from '../../shared/random.ts';

test('a key starts with its prefix, names its id, and carries 166 bits of secret', () => {
  const { id, value } = mintApiKey('penstock', systemRandom);
  expect(value).toMatch(/^sk-penstock-infapi-[0-9A-Za-z]{46}$/);
  expect(parseApiKey(value)).toBe(id);
  expect(maskApiKey(value)).not.toContain(value.slice(-30));
});

test('a thousand keys and a thousand ids are all different', () => {
  const values = Array.from({ length: 1000 }, () => mintApiKey('p', systemRandom).value);
  expect(new Set(values).size).toBe(1000);
  const ids = Array.from({ length: 1000 }, () => mintId('request', systemClock, systemRandom));
  expect(new Set(ids).size).toBe(1000);
});

test('the index of the audit log by agent has the whole id of an agent', async () => {
  expect(mintId('agent', systemClock, systemRandom)).toHaveLength(AGENT_ID_CHARS);
  const file = new URL('../../router/store/migrations/0032-indexes.ts', import.meta.url);
  expect(await readFile(file, 'utf8')).toContain(`substr(target, 1, ${AGENT_ID_CHARS})`);
});

test('one wrong character is found by the checksum', () => {
  const { value } = mintApiKey('penstock', seededRandom(1));
  fc.assert(
    fc.property(
      fc.integer({ min: 19, max: value.length - 1 }),
      fc.constantFrom(...Array.from('0123456789abcXYZ')),
      (at, character) => {
        fc.pre(value[at] !== character);
        expect(parseApiKey(value.slice(0, at) + character + value.slice(at + 1))).toBeNull();
      },
    ),
  );
});

test('ids sort by the time of their minting', () => {
  const at = (ms: number) => mintId('request', { ...systemClock, now: () => ms }, systemRandom);
  const ids = [1, 31, 32, 1_000, 1_767_225_600_000, 1_767_225_600_001].map(at);
  expect(ids.toSorted()).toEqual(ids);
});

test('a digest needs the pepper', () => {
  const key = mintApiKey('penstock', systemRandom).value;
  expect(digestSecret(onePepper(Buffer.from('a')), key)).not.toBe(
    digestSecret(onePepper(Buffer.from('b')), key),
  );
});
