/**
 * Records requests that were refused before they were admitted (decision 0028). A refusal costs one
 * addition in memory; the details of some are kept as well. Both are written to the store once a
 * second, so a process that is killed loses at most the refusals of its last second.
 */
import { MINUTE_MS } from '../../../shared/durations.ts';
import { PeerRates } from '../../../shared/bounds/peer-rates.ts';
import type { Clock, Timer } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import type { Log } from '../../../shared/log.ts';
import type { Random } from '../../../shared/random.ts';
import { StoreUnavailable } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { type CountedRefusals, type RefusedRequest, writeRefusals } from './write.ts';

const FLUSH_MS = 1_000;
/** Cells that wait for the store or are still counted, and those of one organization in a minute. */
export const CELLS_MAX = 20_000;
export const CELLS_PER_ORGANIZATION_MAX = 100;
/** Details that wait for the store. */
export const DETAILS_MAX = 1_000;
/** Rows of one write: on SQLite the ledger waits for it. */
const CELLS_PER_WRITE = 500;
const DETAILS_PER_WRITE = 100;

const TEXT_CHARS_MAX = { model: limits.modelIdCharsMax, param: 200, message: 500 } as const;

type Parts = Readonly<{
  store: Pick<Store, 'call'>;
  clock: Clock;
  random: Random;
  log: Log;
}>;

type Cell = { -readonly [Name in keyof CountedRefusals]: CountedRefusals[Name] };

export class RefusalRecorder implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #timer: Timer;
  /** By organization and code: a flood of one code does not hide the others. */
  readonly #ofCode: PeerRates<string>;
  /** Many codes of one organization do not hide the refusals of other organizations. */
  readonly #ofOrganization: PeerRates<OrganizationId>;
  #recorder: string;
  #minute = 0;
  /** The cells of this minute, by organization, and by key and code. */
  #cells = new Map<OrganizationId, Map<string, Cell>>();
  #cellsOfMinute = 0;
  /** How many cells of earlier minutes were not written when this minute began. */
  #unwrittenAtTurn = 0;
  /** The cells whose count is not in the store yet. */
  readonly #unwritten = new Set<Cell>();
  #details: RefusedRequest[] = [];
  #uncounted = 0;
  #isAway = false;
  #writing: Promise<boolean> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ofCode = new PeerRates(parts.clock, limits.refusalDetailsOfCode);
    this.#ofOrganization = new PeerRates(parts.clock, limits.refusalDetails);
    this.#recorder = this.#mintRecorder();
    this.#timer = parts.clock.every(FLUSH_MS, () => void this.#write());
  }

  /** How much waits in memory. */
  get size(): Readonly<{ cells: number; details: number }> {
    return { cells: this.#unwritten.size, details: this.#details.length };
  }

  note(refused: RefusedRequest): void {
    const cell = this.#cellOf(refused);
    if (cell === null) {
      this.#uncounted += 1;
    } else {
      cell.count += 1;
      this.#unwritten.add(cell);
    }
    if (this.#details.length >= DETAILS_MAX) return;
    const { organization, code } = refused;
    if (!this.#ofCode.spend(`${organization}/${code}`)) return;
    if (!this.#ofOrganization.spend(organization)) return;
    this.#details.push({
      ...refused,
      model: refused.model && shortened(refused.model, TEXT_CHARS_MAX.model),
      param: refused.param && shortened(refused.param, TEXT_CHARS_MAX.param),
      message: shortened(refused.message, TEXT_CHARS_MAX.message),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#writing;
    while (await this.#write());
  }

  #cellOf({ organization, key, code }: RefusedRequest): Cell | null {
    this.#turnMinute();
    let cells = this.#cells.get(organization);
    const known = cells?.get(`${key}/${code}`) ?? null;
    if (known) return known;
    const of = cells !== undefined && cells.size >= CELLS_PER_ORGANIZATION_MAX ? '' : key;
    const other = of === '' ? cells?.get(`/${code}`) : undefined;
    if (other) return other;
    const earlier = Math.min(this.#unwrittenAtTurn, this.#unwritten.size);
    if (this.#cellsOfMinute + earlier >= CELLS_MAX) return null;
    if (!cells) this.#cells.set(organization, (cells = new Map<string, Cell>()));
    const minute = BigInt(this.#minute);
    const recorder = this.#recorder;
    const cell: Cell = { organization, minute, key: of, code, recorder, count: 0 };
    cells.set(`${of}/${code}`, cell);
    this.#cellsOfMinute += 1;
    return cell;
  }

  /** A cell is counted in memory for its minute, and its row is only ever set to the latest count. */
  #turnMinute(): void {
    const minute = Math.floor(this.#parts.clock.now() / MINUTE_MS);
    if (minute === this.#minute) return;
    // Cells of an earlier minute have been dropped, so their rows must not be set again.
    if (minute < this.#minute) this.#recorder = this.#mintRecorder();
    this.#minute = minute;
    this.#unwrittenAtTurn = this.#unwritten.size;
    this.#cells = new Map();
    this.#cellsOfMinute = 0;
  }

  #mintRecorder(): string {
    return Buffer.from(this.#parts.random.bytes(8)).toString('hex');
  }

  #write(): Promise<boolean> {
    this.#writing ??= this.#writeSome().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** Writes a batch. Returns whether it was written and more is waiting. */
  async #writeSome(): Promise<boolean> {
    const { store, log } = this.#parts;
    if (this.#uncounted > 0) {
      log.warn({ refusals: this.#uncounted }, 'refusals were not counted: too many cells');
      this.#uncounted = 0;
    }
    const cells = this.#unwritten.values().take(CELLS_PER_WRITE).toArray();
    const details = this.#details.slice(0, DETAILS_PER_WRITE);
    if (cells.length + details.length === 0) return false;
    const counts = cells.map((cell) => ({ ...cell }));
    try {
      await store.call(writeRefusals, { counts, details });
      this.#isAway = false;
    } catch (error) {
      // Writing the same rows again does no harm, so it does not matter whether they were written.
      if (!this.#isAway) log.warn({ err: error }, 'failed to write refusals; trying again');
      this.#isAway = true;
      if (!(error instanceof StoreUnavailable)) this.#details.splice(0, details.length);
      return false;
    }
    this.#details.splice(0, details.length);
    for (const [i, cell] of cells.entries()) {
      // A cell that was counted up meanwhile waits behind the others.
      this.#unwritten.delete(cell);
      if (cell.count !== counts[i]?.count) this.#unwritten.add(cell);
    }
    return this.#unwritten.size + this.#details.length > 0;
  }
}

/** Without control characters, which PostgreSQL does not store all of. */
function shortened(text: string, charsMax: number): string {
  const short = text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
  return short.toWellFormed().replace(/\p{Cc}/gu, '\u{FFFD}');
}
