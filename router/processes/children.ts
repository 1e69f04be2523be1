/**
 * The children of a router that is several processes: starts them, replaces those that end, and
 * restarts all of them one after another.
 */
import cluster from 'node:cluster';
import { backoffMs } from '../../shared/backoff.ts';
import { type Clock, sleep } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { Child } from './child.ts';
import type { FromChild, FromParent, Ready } from './messages.ts';

const RESTART_MS = { first: 250, most: 10_000 } as const;
/** After a run of this length, the next restart is quick again. */
const SETTLED_MS = 30_000;
/** How long a new child may take until it listens. */
const START_MS_MAX = 60_000;
/** How long a new child may wait for the workers that the others have. */
const WORKERS_MS_MAX = 10_000;
const LOOK_MS = 50;

export type ChildrenParts = Readonly<{
  clock: Clock;
  log: Log;
  /** The module that a child runs, its arguments, and environment variables. */
  exec: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Arguments of the very first child, besides. */
  firstArgs: readonly string[];
  /** Gets the messages for the store. */
  hear: (message: FromChild, from: Child) => void;
}>;

/**
 * The place of a child and of those that replace it. `launching`: a new child for it is starting, or
 * will after a pause. `failures`: ends in a row soon after a start.
 */
type Place = { child: Child | null; launching: boolean; failures: number };

export class Children {
  readonly #parts: ChildrenParts;
  readonly #places: readonly Place[];
  /** All that run, including those that have been replaced and finish their work. */
  readonly #running = new Set<Child>();
  /** Those of them that take connections, or will. */
  readonly #serving = new Set<Child>();
  #restart: 'none' | 'under way' | 'under way, and asked for again' = 'none';
  #stopping = false;

  constructor(count: number, parts: ChildrenParts) {
    this.#parts = parts;
    // Children accept connections from sockets that the parent holds. If it handed connections over,
    // one on its way to a child that is killed would stay open, unanswered (decision 0025).
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    this.#places = Array.from({ length: count }, () => ({
      child: null,
      launching: false,
      failures: 0,
    }));
  }

  get running(): readonly Child[] {
    return [...this.#running];
  }

  /** Starts all. Returns what the first reported; rejects if one of them ends before it listens. */
  async start(): Promise<Ready> {
    const { args, firstArgs } = this.#parts;
    const [first, ...others] = this.#places;
    if (!first) throw new Error('a router has at least one process');
    // The first one migrates the store, and makes what a first run makes.
    const ready = await this.#fill(first, [...args, ...firstArgs]);
    await Promise.all(others.map((place) => this.#fill(place)));
    return ready;
  }

  tellAll(message: FromParent, except?: Child): void {
    for (const child of this.#running) if (child !== except) child.tell(message);
  }

  /**
   * Replaces each child by a new one, which reads the configuration and the code again. The old one
   * takes no new connections, finishes its work and ends. Stops at the first that does not start.
   */
  async restartEach(): Promise<void> {
    const { log } = this.#parts;
    if (this.#restart !== 'none') {
      log.info('rolling restart is under way: another will follow');
      this.#restart = 'under way, and asked for again';
      return;
    }
    do {
      this.#restart = 'under way';
      log.info({ processes: this.#places.length }, 'rolling restart of the processes started');
      try {
        for (const place of this.#places) await this.#replace(place);
        log.info('rolling restart of the processes ended');
      } catch (error) {
        log.error({ err: error }, 'rolling restart stopped: a new process did not start');
      }
    } while (this.#wasAskedAgain());
    this.#restart = 'none';
  }

  /** Signals all to finish their work. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // A child that was just being started may come late.
    while (this.#running.size > 0) {
      for (const child of this.#running) child.kill('SIGTERM');
      await Promise.all(this.running.map(({ ended }) => ended));
    }
  }

  #wasAskedAgain(): boolean {
    return this.#restart === 'under way, and asked for again' && !this.#stopping;
  }

  async #replace(place: Place): Promise<void> {
    const old = place.child;
    // One that has just ended is being replaced already.
    if (!old || place.launching || this.#stopping) return;
    await this.#fill(place);
    this.#serving.delete(old);
    this.#tellWhoServes();
    old.tell({ kind: 'retire' });
  }

  /** Starts a child for a place. Rejects if it does not start. */
  async #fill(place: Place, args = this.#parts.args): Promise<Ready> {
    place.launching = true;
    try {
      const { child, ready } = await this.#launch(args);
      place.child = child;
      void this.#watch(place, child);
      return ready;
    } finally {
      place.launching = false;
    }
  }

  /** Replaces the child if it ends although nobody has told it to. */
  async #watch(place: Place, child: Child): Promise<void> {
    const { clock, log } = this.#parts;
    const started = clock.monotonic();
    await child.ended;
    if (child.status !== 0) {
      const { id, pid, status } = child;
      log.error({ process: id, childPid: pid, status }, 'process ended unexpectedly');
    }
    if (place.child !== child) return;
    place.child = null;
    if (clock.monotonic() - started > SETTLED_MS) place.failures = 0;
    // A restart of all may be starting a child for this place.
    while (place.launching) await sleep(clock, LOOK_MS);
    while (!this.#stopping && place.child === null && !place.launching) await this.#refill(place);
  }

  async #refill(place: Place): Promise<void> {
    const { clock, log } = this.#parts;
    place.launching = true;
    place.failures += 1;
    await sleep(clock, backoffMs(place.failures, RESTART_MS));
    try {
      if (!this.#stopping) await this.#fill(place);
    } catch (error) {
      log.error({ err: error }, 'process did not start');
    }
    place.launching = false;
  }

  /**
   * Starts a child. Resolves when it handles requests: when it has as many ready workers as another
   * child had, or has waited for them long enough. Rejects if it ends before it listens.
   */
  async #launch(args: readonly string[]): Promise<{ child: Child; ready: Ready }> {
    const { clock, exec, env, hear } = this.#parts;
    const wanted = await this.#mostReadyWorkers();
    if (this.#stopping) throw new Error('the router is stopping');
    cluster.setupPrimary({ exec, args: [...args], serialization: 'advanced' });
    const child = new Child({ clock, env, hear });
    this.#running.add(child);
    this.#serving.add(child);
    void child.ended.then(() => this.#ended(child));
    const late = clock.after(START_MS_MAX, () => child.kill('SIGKILL'));
    const ready = await child.listening().finally(() => late.cancel());
    this.#tellWhoServes();
    const deadline = clock.monotonic() + WORKERS_MS_MAX;
    while (((await child.ask('readyWorkers')) ?? wanted) < wanted) {
      if (clock.monotonic() > deadline) break;
      await sleep(clock, LOOK_MS);
    }
    if (!this.#running.has(child)) throw new Error('a process ended as soon as it had started');
    child.tell({ kind: 'begin' });
    return { child, ready };
  }

  #ended(child: Child): void {
    this.#running.delete(child);
    this.#serving.delete(child);
    this.#tellWhoServes();
  }

  #tellWhoServes(): void {
    this.tellAll({ kind: 'serving', processes: [...this.#serving].map(({ id }) => id) });
  }

  async #mostReadyWorkers(): Promise<number> {
    const counts = await Promise.all(this.running.map((child) => child.ask('readyWorkers')));
    return Math.max(0, ...counts.map((count) => count ?? 0));
  }
}
