/**
 * A request's hold on its organization's credit, from the reservation to the one operation that
 * ends it. It computes how many tokens the held amount covers: nothing is released or charged
 * beyond that (MONEY 6).
 */
import type { MemberId, OrganizationId, RequestId } from '../../shared/ids.ts';
import { type BilledTokens, charge, type PicoUsd, picoUsd, ZERO } from '../../shared/money.ts';
import {
  type AdmittedUnder,
  type Ledger,
  LedgerFault,
  type PriceVersion,
  type SettleAnswer,
  type Usage,
} from './terms.ts';

/** More tokens than any model writes: what a hold covers when output is free. */
const UNBOUNDED_TOKENS = 2 ** 31;

export class Hold {
  readonly price: PriceVersion;
  readonly organization: OrganizationId;
  readonly #ledger: Ledger;
  readonly #request: RequestId;
  readonly #member: MemberId | null;
  readonly #under: AdmittedUnder;
  #amount: PicoUsd;

  constructor(
    ledger: Ledger,
    held: {
      request: RequestId;
      organization: OrganizationId;
      /** The member who created the key. */
      member?: MemberId | null;
      price: PriceVersion;
      amount: PicoUsd;
    } & AdmittedUnder,
  ) {
    this.#ledger = ledger;
    this.#request = held.request;
    this.organization = held.organization;
    this.#member = held.member ?? null;
    const { monthlyCap = null, dailyCap = null, claim = null } = held;
    this.#under = { monthlyCap, dailyCap, claim };
    this.price = held.price;
    this.#amount = held.amount;
  }

  /**
   * How many completion tokens the hold covers beside the prompt at its full price; -1 if it does
   * not cover the prompt.
   */
  tokensCovered(promptTokens: number): number {
    const { price } = this.price;
    const left = this.#amount - charge(price, { prompt: promptTokens, cached: 0, completion: 0 });
    if (left < 0n) return -1;
    if (price.completion === ZERO) return UNBOUNDED_TOKENS;
    return Number(left / price.completion);
  }

  /**
   * Raises the hold to the cost of a prompt and so many completion tokens, as far as the credit
   * allows. Returns the completion tokens then covered (-1: not even the prompt), or `gone` when
   * the hold no longer exists. Throws StoreUnavailable when the result is unknown: an outage is not
   * exhaustion (MONEY 10). A repeated call finds what the first one has held.
   */
  async cover(promptTokens: number, completionTokens: number): Promise<number | 'gone'> {
    const { price } = this.price;
    const prompt = charge(price, { prompt: promptTokens, cached: 0, completion: 0 });
    // All of the prompt or none of it: part of a prompt pays for no answer.
    if (this.#amount < prompt && (await this.#holdAt(prompt, prompt)) === 'gone') return 'gone';
    const covered = this.tokensCovered(promptTokens);
    if (covered >= 0 && covered < completionTokens) {
      const unit = price.completion;
      const whole = picoUsd(prompt + unit * BigInt(completionTokens));
      if ((await this.#holdAt(whole, unit)) === 'gone') return 'gone';
    }
    return this.tokensCovered(promptTokens);
  }

  /** Call this at each grant: it throws LedgerFault when the hold does not cover the grant. */
  assertCovers(promptTokens: number, completionTokens: number): void {
    const covered = this.tokensCovered(promptTokens);
    if (completionTokens <= Math.max(0, covered)) return;
    throw new LedgerFault(
      `${this.#request}: ${completionTokens} tokens granted, ${covered} covered by ${this.#amount}`,
    );
  }

  /** Charges these tokens once. Rejects with LedgerFault when they cost more than what is held. */
  async settle(usage: Usage, tokens: BilledTokens): Promise<SettleAnswer> {
    const cost = charge(this.price.price, tokens);
    if (cost > this.#amount)
      throw new LedgerFault(`the cost of ${cost} is above the held amount of ${this.#amount}`);
    return this.#ledger.settle(usage, cost, this.#under);
  }

  /** Ends the request free of charge. `waivedTokens`: tokens of work that is not charged. */
  void(usage: Usage, waivedTokens = 0): Promise<void> {
    return this.#ledger.void(usage, waivedTokens, this.#under.claim);
  }

  async #holdAt(amount: PicoUsd, unit: PicoUsd): Promise<'held' | 'gone'> {
    const { monthlyCap = null, dailyCap = null } = this.#under;
    const answer = await this.#ledger.extend({
      request: this.#request,
      organization: this.organization,
      amount,
      unit,
      member: this.#member,
      monthlyCap,
      dailyCap,
    });
    if (answer === 'gone') return 'gone';
    // Take the store's amount even if it is lower: a server that crashed may have lost an
    // extension.
    this.#amount = answer.held;
    return 'held';
  }
}
