/**
 * `npm run torture`: plays every scene on every store in about two hours, and prints a table of the
 * results. `--only T1,T2` and `--store sqlite` select scenes, `--short` plays the short forms,
 * `--seed N` repeats a run, `--minutes N` sets the length of the hostile hour and of the soak, and
 * `--processes N` makes each router several processes. Exit status 1: an invariant was violated.
 */
import { parseArgs } from 'node:util';
import { PostgresServer } from './postgres-server.ts';
import { type Figures, type Outcome, Skipped, type StoreKind } from './scene.ts';
import { type Scene, SCENES } from './scenes.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    store: { type: 'string' },
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    processes: { type: 'string', default: '1' },
  },
});

const STORES: readonly StoreKind[] = ['sqlite', 'postgres'];

async function main(): Promise<void> {
  process.env['TORTURE_PROCESSES'] = flags.processes;
  const only = flags.only?.split(',');
  const chosen = SCENES.filter(({ name }) => only?.includes(name) ?? true).filter(
    ({ short }) => !flags.short || short !== null,
  );
  const stores = STORES.filter((store) => flags.store === undefined || flags.store === store);
  if (chosen.length === 0 || stores.length === 0)
    throw new Error('there is no such scene or store');
  say('| Scene | Store | Seconds | Violations | Figures |\n|---|---|---:|---:|---|');
  let violations = 0;
  for (const store of stores) {
    await using postgres = store === 'postgres' ? await PostgresServer.create() : null;
    for (const scene of chosen.filter((one) => one.stores.includes(store))) {
      violations += await play(scene, store, postgres);
    }
  }
  say(violations === 0 ? '\nNothing was violated.' : `\n${violations} violations.`);
  process.exitCode = violations === 0 ? 0 : 1;
}

/** Plays a scene and prints its line. Returns the number of violations. */
async function play(
  scene: Scene,
  store: StoreKind,
  postgres: PostgresServer | null,
): Promise<number> {
  const start = performance.now();
  const { figures, violations } = await outcomeOf(scene, store, postgres);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const cells = Object.entries(figures).map(([name, value]) => `${name}: ${value}`);
  say(`| ${scene.name} | ${store} | ${seconds} | ${violations.length} | ${cells.join('; ')} |`);
  for (const violation of violations) {
    process.stderr.write(`${scene.name} on ${store}: ${violation}\n`);
  }
  return violations.length;
}

async function outcomeOf(
  scene: Scene,
  store: StoreKind,
  postgres: PostgresServer | null,
): Promise<Outcome> {
  const stage = {
    store,
    postgres,
    seed: Number(flags.seed),
    ...(flags.minutes !== undefined && { minutes: Number(flags.minutes) }),
  };
  try {
    return await (flags.short ? (scene.short ?? scene.long) : scene.long)(stage);
  } catch (error) {
    const figures: Figures = {};
    if (error instanceof Skipped) return { figures: { skipped: error.message }, violations: [] };
    return { figures, violations: [error instanceof Error ? (error.stack ?? '') : String(error)] };
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

// `process.exit` runs the clean-up of leftovers.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
await main();
