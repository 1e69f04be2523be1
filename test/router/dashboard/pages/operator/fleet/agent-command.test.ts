/** The command that the fleet page shows: a shell and an agent must read it as it was meant. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAgentConfig } from '../../../../../../agent/config.ts';
import {
  addressFor,
  agentCommand,
} from '../../../../../../router/dashboard/pages/operator/fleet/agent-command.ts';
import type { Router } from '../../../../../../shared/api/routers.ts';

const TOKEN = `penstock-join-${'0'.repeat(40)}`;

test.each(['gpu-1', `o'brien "$(touch owned)" \\ \`touch owned\` #: YAML`, '鷺'.repeat(100)])(
  'a shell writes a configuration that the agent takes, whatever the name is: %s',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-'));
    try {
      const command = agentCommand({
        name,
        engine: 'http://127.0.0.1:8000',
        routers: ['wss://router.example.com/agent'],
        token: TOKEN,
      });
      const written = command.replace(/penstock agent .*$/, 'ls');
      const { stdout } = await promisify(execFile)('sh', ['-c', written], { cwd: folder });
      expect(stdout).toBe('agent.yaml\n');
      const file = join(folder, 'agent.yaml');
      const config = parseAgentConfig(await readFile(file, 'utf8'));
      expect(config).toMatchObject({
        name: name.slice(0, 64),
        join: TOKEN,
        routers: [{ url: 'wss://router.example.com/agent' }],
        engines: [{ name: 'engine', url: 'http://127.0.0.1:8000' }],
      });
      expect((await stat(file)).mode & 0o077).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test('an agent dials a router that has use for its region, else where the dashboard is', () => {
  const router = (url: string | null, regions: Router['regions'], beating = true): Router => ({
    id: 'inc_1',
    url,
    regions,
    started: '2026-11-21T12:00:00.000Z',
    beating,
  });
  const us = router('wss://us.example/agent', ['us']);
  const all = router('wss://all.example/agent', ['global']);
  const dead = router('wss://dead.example/agent', ['eu'], false);
  const origin = 'https://console.example';
  expect(addressFor('us', [dead, us, all], origin)).toBe('wss://us.example/agent');
  expect(addressFor('eu', [dead, us, all], origin)).toBe('wss://all.example/agent');
  expect(addressFor('eu', [dead, us, router(null, ['eu'])], origin)).toBe(
    'wss://console.example/agent',
  );
});
