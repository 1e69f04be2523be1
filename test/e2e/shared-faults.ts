/**
 * The faults of the simulated engine behind the `up` of a test file that imports this module. Each
 * test begins without any.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect } from 'vitest';
import { parse } from 'yaml';
import { up } from '../support/shared-up.ts';

/** The URL of the engine. */
export let engine: string;
beforeAll(async () => {
  const config = parse(await readFile(join(up.data, 'agent.yaml'), 'utf8')) as {
    engines: { url: string }[];
  };
  engine = config.engines[0]?.url ?? '';
});
beforeEach(clearFaults);

export async function clearFaults(): Promise<void> {
  await fetch(`${engine}/sim/faults`, { method: 'DELETE' }).catch(() => {});
}

/** Switches on one fault for one request. */
export async function setFault(kind: string, fault: object = {}): Promise<void> {
  const response = await fetch(`${engine}/sim/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ [kind]: { count: 1, ...fault } }),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
}
