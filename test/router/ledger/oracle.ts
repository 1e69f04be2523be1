/**
 * The ledger's rules for one organization, implemented again in the simplest way. The store must
 * agree with them.
 */
import type { Operation, Outcome } from '../../../router/ledger/operations.ts';
import type { RequestId } from '../../../shared/ids.ts';
import { charge, type Price, picoUsd } from '../../../shared/money.ts';
import { unreachable } from '../../../shared/unreachable.ts';

type Hold = { amount: bigint; slice: bigint };
type Ending = { outcome: 'settled' | 'voided'; cost: bigint };
/** The outcome of a reservation that no rate limit applies to. */
const HELD: Outcome = { answer: { held: { requests: null, tokens: null } } };
/** Which cap was reached has its own tests. */
export const CAPPED = 'capped';
export type Expected = Outcome | 'fault' | typeof CAPPED;
/** The operations that the property test uses. Incarnations and keys have their own tests. */
export type RequestOperation = Extract<
  Operation,
  { kind: 'reserve' | 'extend' | 'settle' | 'void' | 'free' }
>;

function isEnding({ kind }: RequestOperation): boolean {
  return kind === 'settle' || kind === 'void';
}

export class Oracle {
  balance: bigint;
  /** What the one key has spent in the one day of the test. */
  spent = 0n;
  readonly holds = new Map<RequestId, Hold>();
  readonly endings = new Map<RequestId, Ending>();
  readonly #price: Price;
  /** The cap of the member who created the key; null: no cap. */
  readonly #memberCap: bigint | null;

  constructor(balance: bigint, price: Price, memberCap: bigint | null) {
    this.balance = balance;
    this.#price = price;
    this.#memberCap = memberCap;
  }

  get held(): bigint {
    return [...this.holds.values()].reduce((sum, { amount }) => sum + amount, 0n);
  }

  get reserve(): bigint {
    return [...this.holds.values()].reduce((sum, { slice }) => sum + slice, 0n);
  }

  /** Runs one batch, in the order of MONEY 25. */
  run(operations: readonly RequestOperation[]): Expected[] {
    const expected: Expected[] = [];
    for (const turn of [false, true]) {
      for (const [index, operation] of operations.entries()) {
        if (isEnding(operation) === turn) expected[index] = this.#apply(operation);
      }
    }
    return expected;
  }

  #apply(operation: RequestOperation): Expected {
    switch (operation.kind) {
      case 'reserve': {
        const { request, amount, slice, limits } = operation.reservation;
        if (this.holds.has(request)) return HELD;
        if (this.endings.has(request)) return 'fault';
        const { monthlyCap, dailyCap } = limits;
        if (!this.#isUnder(amount, [monthlyCap, dailyCap])) return CAPPED;
        if (this.balance - this.held - this.reserve < amount) return { answer: 'insufficient' };
        this.holds.set(request, { amount, slice });
        return HELD;
      }
      case 'extend': {
        const { request, amount, unit, monthlyCap = null, dailyCap = null } = operation.extension;
        const caps = [monthlyCap, dailyCap];
        const hold = this.holds.get(request);
        if (!hold) return { answer: 'gone' };
        let target: bigint = amount;
        while (target > hold.amount && !this.#canBear(target - hold.amount, caps)) {
          target -= unit;
        }
        if (target > hold.amount) hold.amount = target;
        return { answer: { held: picoUsd(hold.amount) } };
      }
      case 'settle':
        return this.#settle(operation);
      case 'void': {
        const { request } = operation.usage;
        const ended = this.endings.get(request);
        if (ended?.outcome === 'settled') {
          this.balance += ended.cost;
          this.spent -= ended.cost;
        }
        this.#end(request, 'voided', 0n);
        return { answer: null };
      }
      case 'free': {
        return { answer: this.holds.delete(operation.request) };
      }
      default:
        return unreachable(operation);
    }
  }

  /** Checks the floor and the caps. */
  #canBear(more: bigint, caps: readonly (bigint | null)[]): boolean {
    if (!this.#isUnder(more, caps)) return false;
    return this.balance - this.held >= more;
  }

  /** Everything spent and held here belongs to one key, one month and one day. */
  #isUnder(more: bigint, caps: readonly (bigint | null)[]): boolean {
    const all = this.spent + this.held + more;
    return [...caps, this.#memberCap].every((cap) => cap === null || all <= cap);
  }

  #settle({
    usage,
    cost,
    monthlyCap = null,
    dailyCap = null,
  }: Extract<RequestOperation, { kind: 'settle' }>): Expected {
    const { request } = usage;
    const ended = this.endings.get(request);
    if (ended) {
      return { answer: ended.outcome === 'settled' ? { cost: picoUsd(ended.cost) } : 'refused' };
    }
    const exact = charge(this.#price, {
      prompt: usage.promptTokens,
      cached: usage.cachedTokens,
      completion: usage.completionTokens,
    });
    const hold = this.holds.get(request);
    if (cost !== exact) {
      this.#end(request, 'voided', 0n);
      return 'fault';
    }
    const beyond = cost - (hold?.amount ?? 0n);
    if (beyond > 0n && !this.#canBear(beyond, [monthlyCap, dailyCap])) {
      this.#end(request, 'voided', 0n);
      return { answer: 'refused' };
    }
    this.#end(request, 'settled', cost);
    this.balance -= cost;
    this.spent += cost;
    return { answer: { cost } };
  }

  #end(request: RequestId, outcome: Ending['outcome'], cost: bigint): void {
    this.holds.delete(request);
    this.endings.set(request, { outcome, cost });
  }
}
