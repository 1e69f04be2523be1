import { expect, test } from 'vitest';
import { Budget } from '../../../shared/bounds/budget.ts';
import { ChunkBuffer } from '../../../shared/bounds/chunk-buffer.ts';

const MIB = 1024 * 1024;

function leaseOf(bytes: number) {
  return new Budget<string>({ totalBytesMax: bytes, peerBytesMax: bytes }).lease('peer');
}

test('pieces of any size come out as they went in', () => {
  using lease = leaseOf(8 * MIB);
  const sent = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
  const buffer = new ChunkBuffer(lease);
  let from = 0;
  for (let size = 1; from < sent.length; size = (size * 7 + 13) % 9_000) {
    expect(buffer.add(sent.subarray(from, from + size))).toBe('kept');
    from += size;
  }
  expect(buffer.whole()?.equals(sent)).toBe(true);
});

test('the lease pays for what is held, not for what was sent', () => {
  using lease = leaseOf(MIB);
  const buffer = new ChunkBuffer(lease);
  buffer.add(Buffer.from('x'));
  expect(lease.bytes).toBeGreaterThanOrEqual(4096);
  buffer.drop();
  expect(lease.bytes).toBe(0);
});

test('an announced length gets one block of that length', () => {
  using lease = leaseOf(MIB);
  const buffer = new ChunkBuffer(lease, 10_000);
  buffer.add(Buffer.alloc(10_000, 1));
  expect(lease.bytes).toBeLessThan(12_000);
  expect(buffer.whole()).toHaveLength(10_000);
});

test('a length that is announced and not sent takes little', () => {
  using lease = leaseOf(MIB);
  const buffer = new ChunkBuffer(lease, MIB, 100, 16 * 1024);
  buffer.add(Buffer.from('x'));
  expect(lease.bytes).toBeLessThan(20_000);
});

test('the blocks of an announced length are together as long as that', () => {
  using lease = leaseOf(MIB);
  const sent = Buffer.from(Array.from({ length: 200_001 }, (_, index) => index % 251));
  const buffer = new ChunkBuffer(lease, sent.length, 100, 16 * 1024);
  for (let from = 0; from < sent.length; from += 9_000) {
    expect(buffer.add(sent.subarray(from, from + 9_000))).toBe('kept');
  }
  expect(Buffer.concat(buffer.blocks()).equals(sent)).toBe(true);
  expect(buffer.blocks().reduce((sum, { length }) => sum + length, 0)).toBe(sent.length);
  expect(lease.bytes).toBeLessThan(202_000);
});

test('what does not fit the lease is refused', () => {
  using lease = leaseOf(64 * 1024);
  const buffer = new ChunkBuffer(lease);
  const piece = Buffer.alloc(16 * 1024);
  const answers = Array.from({ length: 5 }, () => buffer.add(piece));
  expect(answers).toContain('full');
});

test('a body in pieces of one byte is refused after a thousand of them', () => {
  using lease = leaseOf(MIB);
  const buffer = new ChunkBuffer(lease);
  const byte = Buffer.from('x');
  let pieces = 0;
  while (buffer.add(byte) === 'kept') pieces += 1;
  expect(pieces).toBeGreaterThan(1_000);
  expect(pieces).toBeLessThan(1_100);
});

test('small pieces are no fault of a body that is small', () => {
  using lease = leaseOf(MIB);
  const buffer = new ChunkBuffer(lease);
  for (let piece = 0; piece < 1_000; piece++) expect(buffer.add(Buffer.from('{"a":'))).toBe('kept');
});

test('where something else bounds the pieces, they may all be of one byte, and are as they are held', () => {
  using lease = leaseOf(MIB);
  const buffer = new ChunkBuffer(lease, 256, Number.POSITIVE_INFINITY);
  for (let piece = 0; piece < 100_000; piece++) {
    expect(buffer.add(Buffer.of(piece % 251))).toBe('kept');
  }
  const all = Buffer.concat(buffer.blocks());
  expect(all.every((byte, at) => byte === at % 251)).toBe(true);
  expect(all).toHaveLength(100_000);
  expect(lease.bytes).toBeLessThan(300_000);
  expect(new ChunkBuffer(lease).blocks()).toEqual([]);
});
