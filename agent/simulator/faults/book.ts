/**
 * The faults that are switched on, and the requests that they hit. When the faults change, they are
 * drawn again for each running request.
 */
import type { Random } from '../../../shared/random.ts';
import { FaultConfig, type FaultKind } from './schema.ts';

const KINDS: readonly FaultKind[] = FaultConfig.keyof().options;

/** The properties of a request by which faults choose it. */
export interface Target {
  readonly model: string;
  readonly body: unknown;
}

export class FaultBook {
  #config: FaultConfig = {};
  readonly #taken = new Map<FaultKind, number>();
  readonly #random: Random;
  readonly #changed: () => void;
  /** Grows with each change. A request compares it to learn that its faults must be drawn again. */
  version = 0;

  constructor(random: Random, changed: () => void) {
    this.#random = random;
    this.#changed = changed;
  }

  get config(): FaultConfig {
    return this.#config;
  }

  /** How many requests each fault has hit since it was switched on. */
  get taken(): Partial<Record<FaultKind, number>> {
    return Object.fromEntries(this.#taken);
  }

  /** Replaces all faults. */
  set(config: FaultConfig): void {
    this.#config = config;
    this.#taken.clear();
    this.version++;
    this.#changed();
  }

  /** Draws the faults that hit one more request. Returns null for none. */
  draw(target: Target): FaultConfig | null {
    const drawn: FaultKind[] = KINDS.filter((kind) => this.#hits(kind, target));
    for (const kind of drawn) this.#taken.set(kind, (this.#taken.get(kind) ?? 0) + 1);
    if (drawn.length === 0) return null;
    return Object.fromEntries(drawn.map((kind) => [kind, this.#config[kind]]));
  }

  #hits(kind: FaultKind, { model, body }: Target): boolean {
    const fault = this.#config[kind];
    if (!fault || (fault.model !== undefined && fault.model !== model)) return false;
    if (fault.containing !== undefined && !asksWith(body, fault.containing)) return false;
    if ((this.#taken.get(kind) ?? 0) >= (fault.count ?? Infinity)) return false;
    return fault.probability === 1 || this.#random.unit() < fault.probability;
  }
}

/** The faults that hit one request. */
export class Sabotage {
  readonly #book: FaultBook;
  readonly #target: Target;
  readonly #done = new Set<FaultKind>();
  #version: number;
  #faults: FaultConfig | null;

  constructor(book: FaultBook, target: Target) {
    this.#book = book;
    this.#target = target;
    this.#version = book.version;
    this.#faults = book.draw(target);
  }

  /** The current faults, or null. Hot path: read for every token. */
  get faults(): FaultConfig | null {
    if (this.#version !== this.#book.version) {
      this.#version = this.#book.version;
      this.#faults = this.#book.draw(this.#target);
    }
    return this.#faults;
  }

  /** Returns a fault if it is due after this many tokens. */
  due<Kind extends FaultKind>(kind: Kind, tokens: number): FaultConfig[Kind] | undefined {
    const fault = this.faults?.[kind];
    return fault && tokens >= fault.after_tokens ? fault : undefined;
  }

  /** Like `due`, for a fault that happens once to a request: returns it the first time only. */
  once<Kind extends FaultKind>(kind: Kind, tokens: number): FaultConfig[Kind] | undefined {
    const fault = this.due(kind, tokens);
    if (!fault || this.#done.has(kind)) return undefined;
    this.#done.add(kind);
    return fault;
  }

  /** Returns how many ms the next token is held back, after this many tokens. */
  holdMs(tokens: number): number {
    if (!this.faults) return 0;
    if (tokens === 0 && this.faults.hang_before_first) return Infinity;
    if (this.due('stall', tokens)) return Infinity;
    return this.due('slow_drip', tokens)?.ms ?? 0;
  }
}

/** Whether the messages or the prompt of a request contain a text. */
function asksWith(body: unknown, text: string): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const said = 'messages' in body ? body.messages : 'prompt' in body ? body.prompt : null;
  return JSON.stringify(said).includes(JSON.stringify(text).slice(1, -1));
}
