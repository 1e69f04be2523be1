/** What the control plane does by itself: the jobs that wait in the store, and the rounds it makes. */
import type { Clock } from '../../shared/clock.ts';
import type { IncarnationId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { FOLD_EVERY_MS, FoldRound } from '../ledger/rollups/round.ts';
import type { Store } from '../store/store.ts';
import { type JobHandler, JobRunner } from './jobs/runner.ts';
import { type Round, Rounds } from './jobs/rounds.ts';
import type { Places } from './places.ts';

export type ChoreParts = Readonly<{
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  pepper: Uint8Array;
  places: Places;
  incarnation: () => IncarnationId;
}>;

export interface Chores extends AsyncDisposable {
  /** Something was just put there to be done. */
  look(): Promise<void>;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
}

export function openChores(parts: ChoreParts): Chores {
  const jobs = new JobRunner(parts, handlersOf(parts));
  const rounds = new Rounds(parts, roundsOf(parts));
  return {
    look: () => jobs.look(),
    idle: () => jobs.idle(),
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
    },
  };
}

/** By the kind of job. */
function handlersOf(_parts: ChoreParts): Readonly<Record<string, JobHandler>> {
  return {};
}

function roundsOf(parts: ChoreParts): readonly Round[] {
  const folds = new FoldRound(parts);
  return [{ name: 'fold usage', everyMs: FOLD_EVERY_MS, run: () => folds.make() }];
}
