/**
 * Runs an engine that is ours: starts it in a process group of its own, tells how far its loading is, starts it
 * anew when it ends, and ends it with the whole group. Whether it serves is not decided here but by who watches it.
 *
 *   started ──(prints, loads)──▶ serving ──ended──▶ pause ──▶ started …
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { type Clock, sleep, type Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { backoffMs } from '../backoff.ts';
import type { EngineConfig } from '../config.ts';
import type { Engine } from './engine.ts';
import { startGuard } from './guard.ts';
import { Lines, redacted } from './lines.ts';
import { type Loading, loadingOf, wordsOf } from './loading.ts';
import type { Supervised } from './watch.ts';

const superviseLimits = {
  backoffMs: { first: 1_000, most: 60_000 },
  /** Between SIGTERM and SIGKILL. */
  stopMsMax: 20_000,
  loadMinutesMax: 60,
  /** The last lines of an engine that never served, for its operator to see why. */
  tailLines: 20,
  /** Loading is logged anew when it has come so far. */
  percentStep: 10,
  outputBytesMax: 4 * 1024 * 1024,
} as const;

export type SuperviseParts = Readonly<{ clock: Clock; random: Random; log: Log }>;

type Command = EngineConfig & Readonly<{ command: readonly string[] }>;

export function isCommand(config: EngineConfig): config is EngineConfig & Command {
  return config.command !== undefined;
}

export class Supervisor implements Supervised, AsyncDisposable {
  readonly #engine: Engine;
  readonly #config: Command;
  readonly #parts: SuperviseParts;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #secrets: readonly string[];
  readonly #output: WriteStream | null;
  #starts = 0;
  #child: ChildProcess | null = null;
  #served = false;
  #loading: Loading | null = null;
  #tail: string[] = [];

  constructor(engine: Engine, config: Command, parts: SuperviseParts) {
    this.#engine = engine;
    this.#config = config;
    this.#parts = { ...parts, log: parts.log.child({ engine: engine.name }) };
    const { apiKey, env = {}, output } = config;
    this.#secrets = [...Object.values(env), ...(apiKey ? [apiKey] : [])];
    // For its operator alone: what it prints may hold prompts.
    const only = { flags: 'a', mode: 0o600 } as const;
    this.#output = output === undefined ? null : createWriteStream(output, only);
    // A full disk must not end the engine.
    this.#output?.on('error', (error) => this.#parts.log.warn({ error: error.message }, 'output'));
    this.#running = this.#run();
  }

  get starts(): number {
    return this.#starts;
  }

  serves(): void {
    this.#served = true;
    this.#tail = [];
  }

  restart(why: string): void {
    this.#parts.log.warn({ why }, 'engine is ended, to be started anew');
    void this.#end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#end();
    await this.#running;
    this.#output?.end();
  }

  async #run(): Promise<void> {
    const { clock, random, log } = this.#parts;
    const { signal } = this.#stop;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const how = await this.#once().catch((error: NodeJS.ErrnoException) => {
        this.#child = null;
        return notStarted(error);
      });
      if (signal.aborted) return;
      if (this.#served) attempt = 0;
      const pauseMs = backoffMs(attempt, superviseLimits.backoffMs, random);
      // What it printed once it served may hold prompts: only its way there is shown.
      log.error({ how, pauseMs, ...(!this.#served && { tail: this.#tail }) }, 'engine ended');
      this.#engine.suspect();
      this.#engine.at(`it ended (${how}) and is started again`);
      await sleep(clock, pauseMs, signal);
    }
  }

  /** One life of the process; answers how it ended. */
  async #once(): Promise<string> {
    const { clock, log } = this.#parts;
    const [program, ...args] = this.#config.command as [string, ...string[]];
    const { cwd, env, loadMinutesMax = superviseLimits.loadMinutesMax } = this.#config;
    this.#starts += 1;
    [this.#served, this.#loading, this.#tail] = [false, null, []];
    using guard = startGuard(superviseLimits.stopMsMax / 1_000);
    // An engine that runs on Node must not keep its compiled code among ours.
    const { NODE_COMPILE_CACHE: _, ...inherited } = process.env;
    const child = spawn(program, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    const ended = endOf(child);
    if (child.pid !== undefined) guard.watch(child.pid);
    log.info({ program, pid: child.pid, start: this.#starts }, 'engine started');
    this.#engine.at('it was started');
    for (const stream of [child.stdout, child.stderr]) {
      const lines = new Lines((line) => this.#line(line));
      stream.on('data', (bytes: Buffer) => {
        this.#keep(bytes);
        // Later lines may hold prompts, and nothing here has use for them.
        if (!this.#served) lines.take(bytes);
      });
    }
    const late = clock.after(loadMinutesMax * 60_000, () => {
      if (!this.#served) this.restart(`it does not serve after ${loadMinutesMax} minutes`);
    });
    const how = await ended;
    late.cancel();
    this.#child = null;
    // What the first process of the group has left behind holds the GPU's memory.
    killGroup(child, 'SIGKILL');
    return how;
  }

  /** What a slow disk does not take is lost: neither the engine nor the agent's memory waits for it. */
  #keep(bytes: Buffer): void {
    const file = this.#output;
    if (file && file.writableLength < superviseLimits.outputBytesMax) file.write(bytes);
  }

  #line(line: string): void {
    if (this.#tail.push(redacted(line, this.#secrets)) > superviseLimits.tailLines) {
      this.#tail.shift();
    }
    const loading = loadingOf(line);
    if (!loading) return;
    const before = this.#loading;
    const isNew = before?.words !== loading.words;
    const grown = (loading.percent ?? 0) - (before?.percent ?? 0);
    this.#engine.at(wordsOf(loading));
    if (!isNew && grown < superviseLimits.percentStep) return;
    this.#loading = loading;
    this.#parts.log.info({ stage: wordsOf(loading) }, 'engine loads');
  }

  /** Asks the group to stop, and ends what does not. */
  async #end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    killGroup(child, 'SIGTERM');
    const hard: Timer = this.#parts.clock.after(
      superviseLimits.stopMsMax,
      () => killGroup(child, 'SIGKILL'),
      'hold',
    );
    await exit;
    hard.cancel();
  }
}

/** In words, once the process is over or could not be started. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(notStarted(error));
    });
    child.once('exit', (status, signal) => resolve(signal ?? `status ${status}`));
  });
}

/** Node tells of some causes by an event and throws the others: too long a command, no more files or memory. */
function notStarted({ code }: NodeJS.ErrnoException): string {
  return `it cannot be started: ${code ?? 'error'}`;
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of it is left.
  }
}
