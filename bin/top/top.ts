/** `penstock top`: the fleet as one router sees it, live on a terminal or as one table. */
import { z } from 'zod';
import { systemClock as clock, sleep } from '../../shared/clock.ts';
import { command } from '../admin/command.ts';
import { print, printJson } from '../admin/output.ts';
import { stopOnSignals } from '../stopping.ts';
import { hitShare, type Row, readFleet, rowsOf, totalsOf } from './reading.ts';
import { sorted, summary, tableOf, textOf } from './table.ts';

/** The time between the two readings from which rates are computed. */
const ONCE_MS = 1_000;

export const top = command(
  { once: z.boolean().default(false), json: z.boolean().default(false) },
  async ({ client, origin }, { once, json }) => {
    const isTerminal = process.stdout.isTTY && process.env['TERM'] !== 'dumb';
    const { signal } = stopOnSignals();
    if (isTerminal && !once && !json) {
      // Set before React is loaded. In development mode, React keeps records of each rendering.
      process.env['NODE_ENV'] ??= 'production';
      const { runLive } = await import('./live.ts');
      return runLive({ client, clock, origin, signal });
    }
    const before = await readFleet(client, clock);
    await sleep(clock, ONCE_MS, signal);
    const rows = sorted(rowsOf(before, await readFleet(client, clock), 'start'), 'name');
    if (json) return printJson({ totals: shownTotals(rows), workers: rows.map(shownRow) });
    const { heading, lines } = tableOf(rows, null);
    const notes = rows.flatMap((row) => row.notes.map((note) => `${row.name}: ${note}`));
    const table = [heading, ...lines].map(textOf);
    await print(`${[...table, ...notes, summary(totalsOf(rows))].join('\n')}\n`);
  },
);

function shownTotals(rows: readonly Row[]) {
  const { tokensPerSecond, looked, found, ...counts } = totalsOf(rows);
  return {
    ...counts,
    hit_share: hitShare({ looked, found }),
    tokens_per_second: tokensPerSecond,
  };
}

function shownRow(row: Row) {
  return {
    id: row.id,
    name: row.name,
    region: row.region,
    phase: row.phase,
    running: row.running,
    waiting: row.waiting,
    in_flight: row.inFlight,
    kv_use: row.kvUse,
    hit_share: hitShare(row),
    tokens_per_second: row.tokensPerSecond,
    gpu_use: row.gpuUse,
    models: row.models,
    notes: row.notes,
  };
}
