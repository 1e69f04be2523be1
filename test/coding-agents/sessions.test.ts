/**
 * Coding agents with a real `penstock up`: each reads a file, changes it with its own tools, and ends.
 * A prompt dictates what the model writes, to the simulated model and to one in a real llama-server.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeModel } from '../engines/cache.ts';
import { FOLLOWER, installEngine } from '../engines/engines.ts';
import { Service } from '../engines/service.ts';
import { up } from '../support/shared-up.ts';
import { INSTALL_MS_MAX } from './installed.ts';
import { type Prompt, session, SESSION_MS_MAX } from './session.ts';
import { type Step, TOOLS } from './tools.ts';

const AGENTS = Object.keys(TOOLS);
const TEST_MS_MAX = INSTALL_MS_MAX + SESSION_MS_MAX;

describe('with the simulator', () => {
  const PLAIN = 'qwen/qwen3-235b-a22b-instruct-2507';
  const THINKER = 'qwen/qwen3.5-397b-a17b';
  /** For `agent/simulator/answer/steps.ts`. */
  const inSteps: Prompt = (steps) => `Change my notes. Steps: ${JSON.stringify(steps)}`;

  test.each(AGENTS)(
    '%s reads a file, changes it, ends, and tells what the ledger has',
    async (name) => {
      const { told, billed } = await session(up, name, PLAIN, inSteps);
      expect(told).toEqual(billed);
      expect(billed.completion).toBeGreaterThan(0);
    },
    TEST_MS_MAX,
  );

  test.each(['Claude Code', 'Codex', 'opencode'])(
    '%s works with a model that thinks',
    async (name) => {
      const { told, billed } = await session(up, name, THINKER, inSteps);
      expect(told).toEqual(billed);
    },
    TEST_MS_MAX,
  );
});

describe('with llama-server', () => {
  const MODEL = 'test/follower';
  const CATALOG = join(import.meta.dirname, 'catalog.yaml');
  /** For `test/engines/model/follower.jinja`. */
  const inAnswers: Prompt = (steps) =>
    `Change my notes. ${steps.map((step) => `<answer>${written(step)}</answer>`).join('')}`;

  let service: Service;
  beforeAll(async () => {
    await makeModel();
    await installEngine(FOLLOWER);
    service = await Service.start(FOLLOWER, CATALOG);
    return () => service[Symbol.asyncDispose]();
  }, INSTALL_MS_MAX);

  test.each(AGENTS)(
    '%s reads a file, changes it, ends, and tells what the ledger has',
    async (name) => {
      const { told, billed } = await session(service.up, name, MODEL, inAnswers);
      expect(told).toEqual(billed);
      expect(billed.completion).toBeGreaterThan(0);
    },
    TEST_MS_MAX,
  );

  test('no count was doubted, and every charge adds up', async () => {
    expect((await service.worker()).alarms).toEqual([]);
    expect(await service.up.verify()).toMatchObject({ status: 0 });
  });
});

/** A call in the form of Qwen's models, which llama-server reads. */
function written(step: Step): string {
  if ('say' in step) return step.say;
  const call = `{"name": "${step.call}", "arguments": ${JSON.stringify(step.arguments)}}`;
  return `<tool_call>\n${call}\n</tool_call>`;
}
