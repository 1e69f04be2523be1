import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const PENSTOCK = new URL('../../../bin/penstock.ts', import.meta.url).pathname;

/** `penstock sim` as a separate process. */
class Process implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly exited: Promise<unknown[]>;

  constructor(...flags: string[]) {
    const args = [PENSTOCK, 'sim', '--port', '0', '--model', 'm', ...flags];
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.exited = once(this.#child, 'exit');
    const stderr = this.#child.stderr;
    if (!stderr) throw new Error('a pipe was asked for');
    this.#lines = createInterface(stderr)[Symbol.asyncIterator]();
  }

  /** Returns the next line that contains the text. */
  async line(text: string): Promise<string> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`it ended and said nothing of ${text}`);
      if (value.includes(text)) return value;
    }
  }

  async url(): Promise<string> {
    const { url } = JSON.parse(await this.line('simulated engine started'));
    return url;
  }

  stop(): void {
    this.#child.kill('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}

function ask(url: string, prompt: string): Promise<Response> {
  const body = JSON.stringify({ model: 'm', prompt, max_tokens: 3 });
  return fetch(`${url}/v1/completions`, { method: 'POST', body });
}

test('a prompt with the poison kills the process as a crash does, others do not', async () => {
  await using engine = new Process('--poison', 'xyzzy');
  const url = await engine.url();
  expect((await ask(url, 'Hello')).status).toBe(200);
  await expect(ask(url, 'Say xyzzy')).rejects.toThrow();
  expect(await engine.exited).toEqual([null, 'SIGKILL']);
});

test('the lines of its loading come before it serves, and it can be stopped among them', async () => {
  await using engine = new Process('--load-seconds', '0.1');
  await engine.line('Starting to load model m');
  await engine.line('shards:  50%');
  expect((await fetch(`${await engine.url()}/health`)).status).toBe(200);
  await using patient = new Process('--load-seconds', '3600');
  await patient.line('Starting to load model m');
  patient.stop();
  expect(await patient.exited).toEqual([0, null]);
});

test('the command line says whose wire it speaks, and with which switches', async () => {
  await using engine = new Process('--dialect', 'sglang', '--enable-cache-report', '--no-metrics');
  const url = await engine.url();
  const info = await (await fetch(`${url}/server_info`)).json();
  expect(info).toMatchObject({ enable_cache_report: true, enable_metrics: false });
  await using wrong = new Process(
    '--dialect',
    'llamacpp',
    '--kv-events-endpoint',
    'tcp://127.0.0.1:0',
  );
  await wrong.line('--kv-events-endpoint is only for vllm');
  expect(await wrong.exited).toEqual([2, null]);
});
