/** When a router samples its fleet. */
import { expect, test } from 'vitest';
import { addCell } from '../../../router/history/cells.ts';
import { LISTENED, noFigures } from '../../../router/history/figures.ts';
import { FleetHistory } from '../../../router/history/history.ts';
import { SAMPLE_MS } from '../../../router/history/levels.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import type { HistoryBatch } from '../../../router/history/write.ts';
import type { Store } from '../../../router/store/store.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { makeLog } from '../../../shared/log.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const START = Date.UTC(2026, 0, 1);

/** A clock whose timers fire as much later as the test says, or earlier. */
class InexactClock extends ManualClock {
  lateMs = 0;

  override after(ms: number, run: () => void) {
    return super.after(ms + this.lateMs, run);
  }
}

/** Returns how many samples each minute has, after `minutes`. */
async function samplesOf(clock: InexactClock, run: () => void): Promise<number[]> {
  const minutes = new Map<number, number>();
  const call = async (_procedure: unknown, { minute, cells }: HistoryBatch) => {
    for (const { series, cell } of cells) {
      const figures = noFigures();
      addCell(figures, cell);
      if (series.model === 'lab/small') minutes.set(minute, figures[LISTENED] as number);
    }
  };
  const history = new FleetHistory({
    recorder: new HistoryRecorder(),
    store: { call: call as unknown as Store['call'] },
    clock,
    random,
    log: makeLog('test', 'silent'),
    sampled: () => ({ workers: [], models: ['lab/small'], waiting: [], regions: ['global'] }),
  });
  run();
  await history.written();
  await history[Symbol.asyncDispose]();
  return [...minutes].toSorted(([a], [b]) => a - b).map(([, samples]) => samples);
}

test('a minute has six samples, whether the timers fire early, at their instants or late', async () => {
  for (const lateMs of [-3, 0, 4, 6_000, 9_000]) {
    const clock = new InexactClock(START);
    clock.lateMs = lateMs;
    const samples = await samplesOf(clock, () => clock.advance(5 * MINUTE_MS + SAMPLE_MS));
    expect(samples.slice(1, 4), `${lateMs} ms late`).toEqual([6, 6, 6]);
  }
});

test('a timer that fires early once takes its sample for the minute that begins', async () => {
  const clock = new InexactClock(START);
  const samples = await samplesOf(clock, () => {
    clock.advance(MINUTE_MS - SAMPLE_MS - 1);
    clock.lateMs = -3;
    clock.advance(1);
    clock.lateMs = 0;
    clock.advance(3 * MINUTE_MS);
  });
  expect(samples.slice(0, 3)).toEqual([5, 6, 6]);
});

test('a clock that is set back is followed at once', async () => {
  let backMs = 0;
  class SetBack extends InexactClock {
    override now(): number {
      return super.now() - backMs;
    }
  }
  const clock = new SetBack(START + 10 * MINUTE_MS);
  const samples = await samplesOf(clock, () => {
    clock.advance(MINUTE_MS);
    backMs = 5 * MINUTE_MS;
    clock.advance(2 * MINUTE_MS);
  });
  // The first timer was set before: the sample at 6:10 counts for the minute of 11:10.
  expect(samples.slice(0, 2)).toEqual([4, 6]);
});
