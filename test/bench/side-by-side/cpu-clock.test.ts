import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { cpuBetween, type CpuReading, readCpu } from './cpu-clock.ts';

const MS = 1_000_000;
const BURNED_MS = 100;
/** The least that is read of it: the ticks of a process hide up to two of 10 ms. */
const READ_NS = (BURNED_MS - 20) * MS;

/** A child that burns CPU time on its main thread or on a thread that then ends, and says when. */
const CHILD = `
const { Worker } = require('node:worker_threads');
const burn = 'const start = process.cpuUsage();' +
  'const used = () => { const { user, system } = process.cpuUsage(start); return user + system; };' +
  'while (used() < ${BURNED_MS} * 1000);';
process.on('message', (where) => {
  if (where === 'main') { eval(burn); process.send('done'); }
  else new Worker(burn, { eval: true }).on('exit', () => process.send('done'));
});
process.on('disconnect', () => process.exit());
`;

async function burnt(where: 'main' | 'thread'): Promise<number> {
  const child: ChildProcess = fork('-e', [CHILD], { execArgv: [] });
  try {
    await once(child, 'spawn');
    const pid = child.pid as number;
    const before = readCpu(pid);
    child.send(where);
    await once(child, 'message');
    return cpuBetween(before, readCpu(pid));
  } finally {
    child.kill('SIGKILL');
  }
}

test('the time that a process burns on its main thread is read', async () => {
  expect(await burnt('main')).toBeGreaterThanOrEqual(READ_NS);
});

test('the time of a thread that has ended is not lost', async () => {
  expect(await burnt('thread')).toBeGreaterThanOrEqual(READ_NS);
});

function reading(processMs: number, threads: Record<string, number> | null): CpuReading {
  const entries = Object.entries(threads ?? {}).map(([id, ms]) => [id, ms * MS] as const);
  return { threadsNs: threads === null ? null : new Map(entries), processNs: processMs * MS };
}

test('threads are exact, and a thread that began in between counts from zero', () => {
  const before = reading(100, { 7: 98 });
  const after = reading(160, { 7: 150.5, 8: 3.25 });
  expect(cpuBetween(before, after)).toBe(55.75 * MS);
});

test('the clock of the process is used where threads that ended took more than two ticks', () => {
  const before = reading(100, { 7: 50, 8: 50 });
  expect(cpuBetween(before, reading(200, { 7: 60 }))).toBe(100 * MS);
  expect(cpuBetween(before, reading(120, { 7: 60 }))).toBe(10 * MS);
});

test('a new thread that has the id of an old one counts from zero', () => {
  const before = reading(100, { 7: 50, 8: 50 });
  expect(cpuBetween(before, reading(110, { 7: 55, 8: 4 }))).toBe(9 * MS);
});

test('the clock of the process is used where the kernel does not count threads', () => {
  expect(cpuBetween(reading(100, null), reading(150, null))).toBe(50 * MS);
});
