/**
 * A request's hold on its organization's credit, from reservation to its one terminal operation. It knows
 * what the held amount pays for: nothing is released or charged beyond that (MONEY 6).
 */
import { type BilledTokens, charge, type PicoUsd, picoUsd, ZERO } from '../../shared/money.ts';
import type { OrganizationId, RequestId } from '../../shared/ids.ts';
import {
  type Ledger,
  LedgerFault,
  type PriceVersion,
  type SettleAnswer,
  type Usage,
} from './terms.ts';

/** More than any model writes: what a hold covers where output costs nothing. */
const UNBOUNDED_TOKENS = 2 ** 31;

export class Hold {
  readonly price: PriceVersion;
  readonly organization: OrganizationId;
  readonly #ledger: Ledger;
  readonly #request: RequestId;
  readonly #monthlyCap: PicoUsd | null;
  #amount: PicoUsd;

  constructor(
    ledger: Ledger,
    held: {
      request: RequestId;
      organization: OrganizationId;
      price: PriceVersion;
      amount: PicoUsd;
      /** The key's cap when it was admitted. */
      monthlyCap: PicoUsd | null;
    },
  ) {
    this.#ledger = ledger;
    this.#request = held.request;
    this.organization = held.organization;
    this.#monthlyCap = held.monthlyCap;
    this.price = held.price;
    this.#amount = held.amount;
  }

  /** How many completion tokens the hold pays for beside a prompt at its full price; below 0: not even it. */
  tokensCovered(promptTokens: number): number {
    const { price } = this.price;
    const left = this.#amount - charge(price, { prompt: promptTokens, cached: 0, completion: 0 });
    if (left < 0n) return -1;
    if (price.completion === ZERO) return UNBOUNDED_TOKENS;
    return Number(left / price.completion);
  }

  /**
   * Holds what a prompt and so many completion tokens cost, as far as the credit allows. Answers the completion
   * tokens then covered, or `gone` when the hold is no more. Throws StoreUnavailable: nothing is known, and an
   * outage is not exhaustion (MONEY 10). Asked again, it finds what the first time has held.
   */
  async cover(promptTokens: number, completionTokens: number): Promise<number | 'gone'> {
    const { price } = this.price;
    const prompt = charge(price, { prompt: promptTokens, cached: 0, completion: 0 });
    // All of the prompt or nothing of it: a part pays for no answer.
    if (this.#amount < prompt && (await this.#holdAt(prompt, prompt)) === 'gone') return 'gone';
    const covered = this.tokensCovered(promptTokens);
    if (covered >= 0 && covered < completionTokens) {
      const unit = price.completion;
      const whole = picoUsd(prompt + unit * BigInt(completionTokens));
      if ((await this.#holdAt(whole, unit)) === 'gone') return 'gone';
    }
    return this.tokensCovered(promptTokens);
  }

  /** What is granted to an engine never passes what is held for it: to be asked at each grant. */
  assertCovers(promptTokens: number, completionTokens: number): void {
    const covered = this.tokensCovered(promptTokens);
    if (completionTokens <= Math.max(0, covered)) return;
    throw new LedgerFault(
      `${this.#request}: ${completionTokens} tokens granted, ${covered} covered by ${this.#amount}`,
    );
  }

  /** Charges these tokens, once. Rejects with LedgerFault when they cost more than what is held. */
  async settle(usage: Usage, tokens: BilledTokens): Promise<SettleAnswer> {
    const cost = charge(this.price.price, tokens);
    if (cost > this.#amount) throw new LedgerFault(`${cost} is above the ${this.#amount} held`);
    return this.#ledger.settle(usage, cost, this.#monthlyCap);
  }

  /** `waivedTokens`: work that was done all the same. */
  void(usage: Usage, waivedTokens = 0): Promise<void> {
    return this.#ledger.void(usage, waivedTokens);
  }

  async #holdAt(amount: PicoUsd, unit: PicoUsd): Promise<'held' | 'gone'> {
    const answer = await this.#ledger.extend({
      request: this.#request,
      organization: this.organization,
      amount,
      unit,
      monthlyCap: this.#monthlyCap,
    });
    if (answer === 'gone') return 'gone';
    // As the store has it, even where that is less: a server that crashed may have lost an extension.
    this.#amount = answer.held;
    return 'held';
  }
}
