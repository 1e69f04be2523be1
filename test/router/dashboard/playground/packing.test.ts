import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pack, unpack } from '../../../../router/dashboard/pages/playground/kept/packing.ts';

test('a large text that compresses badly is the same after it was packed', async () => {
  const chat = { text: randomBytes(1_000_000).toString('base64'), emoji: '🌊' };
  const packed = (await pack(chat, 2_000_000)) ?? '';
  expect(packed).toMatch(/^[\w-]+$/);
  expect(await unpack(packed, 2_000_000)).toEqual(chat);
});

test('what is packed can be read again: both count the bytes of the JSON', async () => {
  const text = '波'.repeat(1_000);
  expect(await unpack((await pack(text, 3_002)) ?? '', 3_002)).toBe(text);
  expect(await pack(text, 3_001)).toBeNull();
});

test('a text that unpacks to too much, or is damaged, is null', async () => {
  const bomb = deflateRawSync(JSON.stringify('a'.repeat(100_000))).toString('base64url');
  expect(await unpack(bomb, 200_000)).toHaveLength(100_000);
  expect(await unpack(bomb, 50_000)).toBeNull();
  expect(await unpack(bomb.slice(0, 20), 200_000)).toBeNull();
  expect(await unpack('{"no": "base64"}', 200_000)).toBeNull();
  expect(await unpack('', 200_000)).toBeNull();
});
