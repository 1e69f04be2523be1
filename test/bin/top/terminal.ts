/**
 * Runs a command on a real pseudo-terminal with util-linux's `script`: reads its output and types
 * on its keyboard.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../../support/up.ts';

export class Terminal implements AsyncDisposable {
  readonly #script: ChildProcess;
  #written = '';

  constructor(command: string, env: NodeJS.ProcessEnv, size: { columns: number; rows: number }) {
    const { CI: _interactive, ...rest } = process.env;
    const sized = `stty cols ${size.columns} rows ${size.rows}; exec ${command}`;
    this.#script = spawn('script', ['--quiet', '--return', '--command', sized, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...rest, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    });
    this.#script.stdout?.on('data', (bytes: Buffer) => {
      this.#written += bytes.toString();
    });
  }

  /** Everything that was written, including escape sequences. */
  get written(): string {
    return this.#written;
  }

  /** Resolves with the output since `from`, once it matches. */
  async shows(what: RegExp, from = 0): Promise<string> {
    return await until(() => {
      const text = this.#written.slice(from);
      return what.test(text) && text;
    }, `${what} on the terminal`);
  }

  press(key: string): void {
    this.#script.stdin?.write(key);
  }

  async exitStatus(): Promise<number | null> {
    if (this.#script.exitCode === null) {
      await once(this.#script, 'exit', { signal: AbortSignal.timeout(10_000) });
    }
    return this.#script.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#script.exitCode !== null || this.#script.signalCode !== null) return;
    this.#script.kill('SIGKILL');
    await once(this.#script, 'exit');
  }
}
