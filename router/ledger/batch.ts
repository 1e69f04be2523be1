/**
 * HOT PATH: gathers the ledger's operations into batches: while one commits, the next one fills
 * (MONEY 22). The store takes one batch after another, so operations reach it in the order of their
 * calls.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { BatchAnswer } from '../store/procedure.ts';
import type { Store } from '../store/store.ts';
import { ledgerExecutor } from './batch-executor.ts';
import type { AnswerTo, Kind, Operation, OperationOf, Outcome } from './operations.ts';
import { LedgerFault, StoreUnavailable } from './terms.ts';

const OPERATIONS_PER_BATCH_MAX = 512;
/**
 * The most operations that may wait. Beyond it the store is too slow, and further operations fail at
 * once.
 */
export const OPERATIONS_WAITING_MAX = 32_768;
/**
 * A batch that takes longer than all steps is given up: its store hangs (a dead disk), and callers
 * must get an error. The time is counted in steps, so that a leap of the clock (this process and
 * its store were stopped) counts as only one of them.
 */
const STALL_STEP_MS = 1_000;
const STALL_STEPS = 5;

export type BatchReport = Readonly<{ operations: number; commitMs: number }>;

export type BatcherParts = Readonly<{
  store: Pick<Store, 'runBatch'>;
  clock: Clock;
  onBatch: (report: BatchReport) => void;
  /** One operation failed by itself. Its caller gets the error, but might not report it. */
  onFault?: (operation: Operation, fault: string) => void;
  /** A batch was lost: the results of its unanswered operations are unknown. */
  onLost?: (error: Error, operations: number) => void;
}>;

type Pending = {
  readonly operation: Operation;
  readonly resolve: (answer: AnswerTo<Kind>) => void;
  readonly reject: (error: Error) => void;
};

/** `open`: the operations not answered yet; `taken`: the store accepts the next batch. */
type Batch = { readonly open: (Pending | null)[]; taken: boolean };

export class Batcher {
  readonly #parts: BatcherParts;
  #waiting: Pending[] = [];
  #phase: 'idle' | 'planned' | 'running' | 'stalled' = 'idle';

  constructor(parts: BatcherParts) {
    this.#parts = parts;
  }

  /**
   * Rejects with StoreUnavailable when the result is unknown, and with LedgerFault when the
   * operation was wrong or the stored data is damaged.
   */
  submit<K extends Kind>(operation: OperationOf<K>): Promise<AnswerTo<K>> {
    if (this.#phase === 'stalled' || this.#waiting.length >= OPERATIONS_WAITING_MAX) {
      return Promise.reject(new StoreUnavailable('the ledger is not keeping up'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        operation: operation,
        resolve,
        reject,
      });
      if (this.#phase === 'idle') this.#plan();
    });
  }

  /** Runs a batch at the end of this turn of the event loop, so that its operations join it. */
  #plan(): void {
    this.#phase = 'planned';
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    const batch: Batch = {
      open: this.#waiting.splice(0, OPERATIONS_PER_BATCH_MAX),
      taken: false,
    };
    const operations = batch.open.map((pending) => (pending as Pending).operation);
    this.#phase = 'running';
    const watch = this.#watch(batch);
    try {
      const { commitMs } = await this.#parts.store.runBatch(ledgerExecutor, operations, {
        answers: (answers) => this.#deliver(batch, answers),
        ready: () => this.#goOn(batch),
      });
      giveUp(batch.open, 'the store did not answer the operation');
      this.#parts.onBatch({ operations: operations.length, commitMs });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.#parts.onLost?.(error, operations.length);
      giveUp(batch.open, error.message);
    } finally {
      watch.cancel();
    }
    this.#goOn(batch);
  }

  #deliver({ open }: Batch, answers: readonly BatchAnswer<Outcome>[]): void {
    for (const [index, outcome] of answers) {
      const pending = open[index];
      // A batch that is run again may answer it again.
      open[index] = null;
      if (!pending) continue;
      if ('fault' in outcome) {
        this.#parts.onFault?.(pending.operation, outcome.fault);
        pending.reject(new LedgerFault(outcome.fault));
      } else pending.resolve(outcome.answer);
    }
  }

  /** The store has taken the batch, or lost it: runs the next one. */
  #goOn(batch: Batch): void {
    if (batch.taken) return;
    batch.taken = true;
    if (this.#waiting.length > 0) this.#plan();
    else this.#phase = 'idle';
  }

  /** Gives the batch up if its store hangs. The store keeps the process alive meanwhile. */
  #watch(batch: Batch): Timer {
    let steps = 0;
    const timer = this.#parts.clock.every(STALL_STEP_MS, () => {
      steps += 1;
      if (steps < STALL_STEPS) return;
      timer.cancel();
      this.#stall(batch);
    });
    return timer;
  }

  #stall(batch: Batch): void {
    if (!batch.taken) {
      this.#phase = 'stalled';
      giveUp(this.#waiting.splice(0), 'the store did not answer in time');
    }
    giveUp(batch.open, 'the store did not answer in time');
    batch.open.fill(null);
  }
}

function giveUp(open: readonly (Pending | null)[], reason: string): void {
  for (const pending of open) pending?.reject(new StoreUnavailable(reason));
}
