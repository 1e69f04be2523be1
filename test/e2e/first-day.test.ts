/** The commands of `docs/first-day.md`, run as they stand there: a newcomer's first day. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Every block of commands, except those after a comment which says that the test leaves them out. */
const BLOCK = /(<!-- The test does not run[^>]*-->\n\n)?```sh\n(.*?)```/gs;
const PORTS = ['8443', '9000', '9099', '9464', '9465'] as const;

test('the commands of docs/first-day.md lead to an answer over TLS, metrics and a verified backup', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-first-day-'));
  const page = await readFile(join(ROOT, 'docs/first-day.md'), 'utf8');
  let script = 'set -euo pipefail\n';
  for (const [, isLeftOut, commands] of page.matchAll(BLOCK)) {
    if (isLeftOut === undefined) script += commands;
  }
  script = script.replaceAll('/srv/penstock', folder);
  for (const port of PORTS) {
    script = script.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(await freePort()));
  }
  const shell = spawn('bash', ['-c', script], { cwd: ROOT, detached: true });
  try {
    const [output, faults, [status]] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      once(shell, 'exit'),
    ]);
    expect(status, faults).toBe(0);
    expect(output).toContain('data: [DONE]');
    expect(output).toContain('30 tokens, USD 0.0000');
    expect(output).toMatch(/^[1-9]\d+ alert rules$/m);
    expect(output).toContain('no difference');
  } finally {
    // What the commands have started ends with them, unless one of them failed.
    if (shell.exitCode !== 0) process.kill(-(shell.pid as number), 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});
