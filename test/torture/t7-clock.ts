/**
 * T7: the routers' wall clock jumps by an hour, by a day and back, under load. No hold is freed
 * early, no stream is cut, and nothing is charged twice. `libfaketime` changes the clock of those
 * processes alone, and the machine's own clock stays as it is.
 */
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import { until } from '../support/up.ts';
import { openReader } from './books.ts';
import { Fleet } from './fleet.ts';
import { atExit } from './leftovers.ts';
import { Load, MODEL } from './load.ts';
import { conclude, type Outcome, Skipped, type Stage } from './scene.ts';

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
];
const LEAPS = { 'an hour on': '+3600', 'a day on': '+86400', 'an hour back': '-3600', back: '+0' };

export async function leap(
  stage: Stage,
  { streams, longStreams }: Readonly<{ streams: number; longStreams: number }>,
): Promise<Outcome> {
  const library = LIBRARIES.find((file) => existsSync(file));
  if (library === undefined) throw new Skipped('libfaketime is not installed');
  await using wall = await WallClock.make();
  const holdTtlMs = 5_000;
  const routers = stage.store === 'postgres' ? 2 : 1;
  await using fleet = await Fleet.start({
    postgres: stage.postgres,
    routers,
    holdTtlMs,
    routerEnv: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: wall.file,
      FAKETIME_NO_CACHE: '1',
      // The product's timeouts use the monotonic clock, which must not jump.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  });
  const { key } = await fleet.office.customer('T7', 100n * PICO_PER_USD);
  const faults: string[] = [];
  // These streams run through all jumps. If a hold were freed early, its stream would be cut or its
  // charge refused.
  const tokens = Math.ceil(((2 * holdTtlMs + 1_500) * Object.keys(LEAPS).length) / 20);
  const long = Array.from({ length: longStreams }, (_, client) =>
    fleet.log.ask({
      base: fleet.router(client).base,
      key,
      model: MODEL,
      prompt: `Write exactly ${tokens} tokens.`,
      maxTokens: 5_000,
    }),
  );
  await until(async () => (await countHolds(fleet)) >= longStreams, 'the long streams');
  await using load = new Load({
    log: fleet.log,
    streams,
    random: seededRandom(stage.seed),
    target: (client) => ({ base: fleet.router(client).base, key }),
  });
  for (const [name, offset] of Object.entries(LEAPS)) {
    await wall.set(offset);
    // Long enough for a wrong sweep to happen.
    await pause(2 * holdTtlMs);
    const holds = await countHolds(fleet);
    if (holds < longStreams) faults.push(`${name}: ${holds} holds are left of ${longStreams}`);
  }
  await load.stop();
  await Promise.all(long);
  faults.push(...(await misdated(fleet)));
  // A router whose clock is a minute off refuses new work with an error. A jump must not cut
  // running requests.
  const refused = fleet.log.calls.filter((call) => call.code === 'store_unavailable');
  if (refused.length === 0) faults.push('the clock of the routers did not leap');
  const failed = fleet.log.calls.filter(
    (call) => call.ending !== 'complete' && call.code !== 'store_unavailable',
  );
  for (const { requestId, ending, code } of failed) faults.push(`${requestId}: ${ending} ${code}`);
  const figures = { routers, leaps: Object.keys(LEAPS).join(', '), 'long streams': longStreams };
  return await conclude({ fleet, from: 0 }, { crashes: false }, figures, faults);
}

/** PostgreSQL's own clock is right, so no row may be dated by a clock that has jumped. */
async function misdated(fleet: Fleet): Promise<string[]> {
  await using reader = await openReader(fleet.storeUrl);
  const [row] = await reader.rows<{ first: bigint; last: bigint }>(
    'SELECT min(created) AS first, max(created) AS last FROM usage',
  );
  const hours = (ms: bigint | undefined) => (Number(ms) - Date.now()) / 3_600_000;
  const isRight = hours(row?.last) < 0.1 && hours(row?.first) > -0.9;
  return isRight ? [] : ['usage is dated by a clock that has leapt'];
}

async function countHolds(fleet: Fleet): Promise<number> {
  await using reader = await openReader(fleet.storeUrl);
  const [row] = await reader.rows<{ n: bigint }>('SELECT count(*) AS n FROM holds');
  return Number(row?.n ?? 0n);
}

/** Sets the wall clock offset of the processes that read this file. */
class WallClock implements AsyncDisposable {
  readonly #folder: string;
  readonly #calledOff: () => void;
  readonly file: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.file = join(folder, 'offset');
    this.#calledOff = atExit(() => rmSync(folder, { recursive: true, force: true }));
  }

  static async make(): Promise<WallClock> {
    const clock = new WallClock(await mkdtemp(join(tmpdir(), 'penstock-torture-clock-')));
    await clock.set('+0');
    return clock;
  }

  /** Writes a new file and renames it, because the file may be read at any moment. */
  async set(offset: string): Promise<void> {
    await writeFile(`${this.file}.new`, `${offset}\n`);
    await rename(`${this.file}.new`, this.file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    this.#calledOff();
  }
}
