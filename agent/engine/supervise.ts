/**
 * Runs an engine that the agent starts itself. Starts it in a process group of its own, reports its
 * loading progress, restarts it when it ends, and stops it with the whole group. `Watch` decides
 * whether the engine serves.
 *
 *   started ──(prints, loads)──▶ serving ──ended──▶ pause ──▶ started …
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { jitteredBackoffMs } from '../../shared/backoff.ts';
import { type Clock, sleep, type Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { EngineConfig } from '../config.ts';
import type { Engine } from './engine.ts';
import { startGuard } from './guard.ts';
import { Lines, redacted } from './lines.ts';
import { type Loading, loadingOf, wordsOf } from './loading.ts';
import type { Supervised } from './watch.ts';

const superviseLimits = {
  backoffMs: { first: 1_000, most: 60_000 },
  /** The time between SIGTERM and SIGKILL. */
  stopMsMax: 20_000,
  loadMinutesMax: 60,
  /** How many of its last output lines are logged for an engine that ended before it served. */
  tailLines: 20,
  /** Loading progress is logged again after this many percentage points. */
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
    // The file is readable only by its owner, because the output may hold prompts.
    const only = { flags: 'a', mode: 0o600 } as const;
    this.#output = output === undefined ? null : createWriteStream(output, only);
    // A full disk must not end the engine.
    this.#output?.on('error', (error) =>
      this.#parts.log.warn({ error: error.message }, 'engine output could not be written'),
    );
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
    this.#parts.log.warn({ why }, 'engine restart began');
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
    for (let failures = 1; !signal.aborted; failures++) {
      const how = await this.#once().catch((error: NodeJS.ErrnoException) => {
        this.#child = null;
        return notStarted(error);
      });
      if (signal.aborted) return;
      if (this.#served) failures = 1;
      const pauseMs = jitteredBackoffMs(failures, superviseLimits.backoffMs, random);
      // The output of an engine that has served may hold prompts, so only an engine that never
      // served has its output logged.
      log.error({ how, pauseMs, ...(!this.#served && { tail: this.#tail }) }, 'engine ended');
      this.#engine.suspect();
      this.#engine.at(`its process ended (${how}) and will be started again`);
      await sleep(clock, pauseMs, signal);
    }
  }

  /** Runs the process once. Returns a text that says how it ended. */
  async #once(): Promise<string> {
    const { clock, log } = this.#parts;
    const [program, ...args] = this.#config.command as [string, ...string[]];
    const { cwd, env, loadMinutesMax = superviseLimits.loadMinutesMax } = this.#config;
    this.#starts += 1;
    [this.#served, this.#loading, this.#tail] = [false, null, []];
    using guard = startGuard(superviseLimits.stopMsMax / 1_000);
    // An engine that runs on Node must not use the compile cache of Penstock.
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
        // Later lines may hold prompts, and are not needed here.
        if (!this.#served) lines.take(bytes);
      });
    }
    const late = clock.after(loadMinutesMax * 60_000, () => {
      if (!this.#served) this.restart(`it was not ready after ${loadMinutesMax} minutes`);
    });
    const how = await ended;
    late.cancel();
    this.#child = null;
    // Processes that are left in the group may still hold GPU memory.
    killGroup(child, 'SIGKILL');
    return how;
  }

  /**
   * Writes the output to the file. What a slow disk cannot take is dropped, so that the engine does
   * not block and the agent's memory does not grow.
   */
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
    this.#parts.log.info({ stage: wordsOf(loading) }, 'engine loading progressed');
  }

  /** Stops the process group: SIGTERM first, and SIGKILL after `stopMsMax`. */
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

/** Resolves when the process has ended or could not be started, to a text that says how. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(notStarted(error));
    });
    child.once('exit', (status, signal) => resolve(signal ?? `status ${status}`));
  });
}

/**
 * Describes why a process could not be started. Node reports some causes by an event and throws the
 * others, such as a command that is too long, or a lack of files or memory.
 */
function notStarted({ code }: NodeJS.ErrnoException): string {
  return `it cannot be started: ${code ?? 'error'}`;
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // No process of the group is left.
  }
}
