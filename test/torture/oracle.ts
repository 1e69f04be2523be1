/**
 * The oracle: compares what the clients saw with the books. It uses none of the product's own
 * arithmetic. Every disagreement is a violation, reported as a sentence.
 */
import type { Call } from '../support/client-log.ts';
import type { Books, PriceRow, TransferRow, UsageRow } from './books.ts';

/** The books are judged after every hold has had twice its time to live. */
export type Rules = Readonly<{
  /**
   * Whether an incomplete answer may be charged although its client did not leave (MONEY 17). This
   * is allowed only if a router was killed, or its connections were cut, between the commit and the
   * write.
   */
  crashes: boolean;
  /** Requests that were stopped on behalf of their organization, which pays for them (MONEY 15). */
  stopped?: ReadonlySet<string>;
  /** Requests that the scene judges itself. */
  apart?: ReadonlySet<string>;
}>;

export type Counts = {
  begun: number;
  complete: number;
  cut: number;
  left: number;
  refused: number;
  unreached: number;
  /** Requests that were charged, although no client saw a complete answer. */
  chargedIncomplete: number;
  rows: number;
  holds: number;
};

export type Verdict = Readonly<{ counts: Counts; violations: readonly string[] }>;

/** How many violations of one kind are reported in full. */
const TOLD_MAX = 20;

export function judge(calls: readonly Call[], books: Books, rules: Rules): Verdict {
  const found = new Violations();
  const counts = countEndings(calls);
  counts.rows = books.usage.length;
  counts.holds = books.holds.length;
  judgeCalls(calls, books, rules, counts, found);
  judgeBooks(books, found);
  if (books.holds.length > 0) {
    found.add(`${books.holds.length} holds are left, the first for ${books.holds[0]?.request}`);
  }
  return { counts, violations: found.list() };
}

class Violations {
  readonly #told: string[] = [];
  #more = 0;

  add(sentence: string): void {
    if (this.#told.length < TOLD_MAX) this.#told.push(sentence);
    else this.#more += 1;
  }

  list(): string[] {
    return this.#more === 0 ? this.#told : [...this.#told, `… and ${this.#more} more`];
  }
}

export function countEndings(calls: readonly Call[]): Counts {
  const counts: Counts = {
    begun: 0,
    complete: 0,
    cut: 0,
    left: 0,
    refused: 0,
    unreached: 0,
    chargedIncomplete: 0,
    rows: 0,
    holds: 0,
  };
  for (const { ending, status } of calls) {
    if (ending) counts[ending] += 1;
    if (status === 200) counts.begun += 1;
  }
  return counts;
}

/** Compares every client's record of a request with the request's usage row. */
function judgeCalls(
  calls: readonly Call[],
  { usage, transfers, prices }: Books,
  rules: Rules,
  counts: Counts,
  found: Violations,
): void {
  const priceOf = new Map(prices.map((price) => [price.id, price]));
  const rowOf = new Map(usage.map((row) => [row.request, row]));
  const net = netCharges(transfers, found);
  const known = new Set<string>();
  for (const call of calls) {
    const { requestId, ending } = call;
    if (ending === null) found.add(`a call that was sent at ${call.sentAt} has not ended`);
    if (requestId === null) continue;
    if (known.has(requestId)) found.add(`${requestId} was given to two calls`);
    known.add(requestId);
    const row = rowOf.get(requestId);
    const charged = net.get(requestId) ?? 0n;
    if (ending === 'complete') judgeComplete(call, row, charged, priceOf, found);
    else if (charged > 0n) judgeIncomplete(call, row, charged, { priceOf, rules, counts, found });
  }
  // A client that received no header cannot name its request. If the client left then, the request
  // may still be charged.
  let leftUnnamed = calls.filter((one) => one.ending === 'left' && one.requestId === null).length;
  for (const [request, charged] of net) {
    if (charged === 0n || known.has(request) || rules.apart?.has(request)) continue;
    counts.chargedIncomplete += 1;
    if (rules.crashes || leftUnnamed-- > 0) continue;
    found.add(`${request} is charged ${charged}, and nobody saw it`);
  }
}

function judgeComplete(
  { requestId, usage }: Call,
  row: UsageRow | undefined,
  charged: bigint,
  priceOf: ReadonlyMap<string, PriceRow>,
  found: Violations,
): void {
  if (!row || row.outcome !== 'settled') {
    return found.add(
      `${requestId} was seen complete, but is ${row?.outcome ?? 'not in the books'}`,
    );
  }
  const price = priceOf.get(row.price);
  if (!usage || !price) return found.add(`${requestId} has no usage or no price`);
  const shown = costOf(price, usage);
  if (charged !== shown) {
    found.add(`${requestId} showed a usage that costs ${shown}, but is charged ${charged}`);
  }
  if (row.cost !== shown) found.add(`${requestId} showed ${shown}, but its row says ${row.cost}`);
  if (
    row.prompt_tokens !== BigInt(usage.prompt) ||
    row.completion_tokens !== BigInt(usage.completion) ||
    row.cached_tokens !== BigInt(usage.cached)
  ) {
    found.add(`${requestId} showed ${JSON.stringify(usage)}, but its row has other counts`);
  }
}

function judgeIncomplete(
  call: Call,
  row: UsageRow | undefined,
  charged: bigint,
  of: Readonly<{
    priceOf: ReadonlyMap<string, PriceRow>;
    rules: Rules;
    counts: Counts;
    found: Violations;
  }>,
): void {
  const { requestId, ending } = call;
  const { rules, counts, found, priceOf } = of;
  counts.chargedIncomplete += 1;
  if (ending === 'refused') found.add(`${requestId} was refused (${call.code}) and is charged`);
  // MONEY 15: only a request that its client left is charged for the tokens generated until then.
  const isPaid = ending === 'left' || (rules.stopped?.has(requestId ?? '') ?? false);
  if (!isPaid && !rules.crashes) {
    found.add(`${requestId} was ${ending} and is charged ${charged}`);
  }
  const price = row && priceOf.get(row.price);
  if (!row || !price) return found.add(`${requestId} is charged and has no row or no price`);
  const bound = holdBound(call, row, price);
  if (charged > bound) {
    found.add(`${requestId} was ${ending}; it is charged ${charged}, above its hold of ${bound}`);
  }
}

/**
 * MONEY 6: a hold covers at most the prompt (estimated, or its true count once known) and all
 * requested output.
 */
function holdBound(call: Call, row: UsageRow, price: PriceRow): bigint {
  const estimate = Math.ceil(call.bodyBytes / 3) + 8 + 64;
  const prompt = row.prompt_tokens > estimate ? row.prompt_tokens : BigInt(estimate);
  const output = call.maxTokens === null ? row.completion_tokens : BigInt(call.maxTokens);
  return prompt * price.prompt + output * price.completion;
}

export function costOf(
  price: Pick<PriceRow, 'prompt' | 'completion' | 'cached'>,
  usage: Readonly<{ prompt: number; cached: number; completion: number }>,
): bigint {
  return (
    BigInt(usage.prompt - usage.cached) * price.prompt +
    BigInt(usage.cached) * price.cached +
    BigInt(usage.completion) * price.completion
  );
}

/** Each request's charges less its reversals. More than one charge for a request is a violation. */
function netCharges(transfers: readonly TransferRow[], found: Violations): Map<string, bigint> {
  const net = new Map<string, bigint>();
  const seen = new Set<string>();
  for (const { kind, reference, amount } of transfers) {
    if (kind !== 'usage' && kind !== 'reversal') continue;
    if (seen.has(`${kind} ${reference}`)) found.add(`${reference} has a second ${kind}`);
    seen.add(`${kind} ${reference}`);
    net.set(reference, (net.get(reference) ?? 0n) + (kind === 'usage' ? amount : -amount));
  }
  for (const [reference, sum] of net)
    if (sum < 0n) found.add(`${reference} was given back too much`);
  return net;
}

/**
 * Checks the books by themselves: debits equal credits, and every total agrees with the rows that
 * it sums up.
 */
function judgeBooks({ accounts, holds, transfers, usage }: Books, found: Violations): void {
  const sums = new Map<string, bigint>();
  const add = (account: string, amount: bigint) =>
    sums.set(account, (sums.get(account) ?? 0n) + amount);
  for (const { debit, credit, amount } of transfers) {
    add(debit, -amount);
    add(credit, amount);
  }
  const held = new Map<string, bigint>();
  for (const { organization, amount } of holds) {
    held.set(organization, (held.get(organization) ?? 0n) + amount);
  }
  let balances = 0n;
  for (const account of accounts) {
    const { id, balance } = account;
    balances += balance;
    const sum = sums.get(`customer:${id}`) ?? 0n;
    if (balance !== sum) found.add(`${id} has ${balance}, but its transfers come to ${sum}`);
    const open = held.get(id) ?? 0n;
    if (account.held !== open)
      found.add(`${id} holds ${account.held}, but its holds sum to ${open}`);
    if (balance < 0n) found.add(`${id} is below zero: ${balance}`);
    if (balance < account.held) found.add(`${id} holds ${account.held}, more than its ${balance}`);
  }
  let platform = 0n;
  for (const [name, sum] of sums) if (name.startsWith('platform:')) platform -= sum;
  if (balances !== platform) found.add(`debits come to ${platform}, credits to ${balances}`);
  gapless('transfers', transfers, found);
  gapless('usage rows', usage, found);
}

function gapless(
  what: string,
  rows: readonly Readonly<{ organization: string; seq: bigint }>[],
  found: Violations,
): void {
  const seen = new Map<string, Set<bigint>>();
  for (const { organization, seq } of rows) {
    const numbers = seen.get(organization) ?? new Set();
    seen.set(organization, numbers.add(seq));
  }
  const counted = new Map<string, bigint>();
  for (const { organization } of rows) {
    counted.set(organization, (counted.get(organization) ?? 0n) + 1n);
  }
  for (const [organization, numbers] of seen) {
    const rowCount = counted.get(organization) ?? 0n;
    for (let number = 1n; number <= rowCount; number++) {
      if (numbers.has(number)) continue;
      found.add(`${organization}: of ${rowCount} ${what} there is no number ${number}`);
      break;
    }
  }
}
