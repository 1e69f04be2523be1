/**
 * T23: properties of money. First the arithmetic, on counts and prices of any size: more tokens
 * never cost less, cached tokens never cost more, and results are exact beyond 2^53. Then the
 * service: for any requests, the usage that the answers show adds up to what left the balance, to
 * the pico-USD.
 */
import fc from 'fast-check';
import { charge, formatUsd, parseUsd, PICO_PER_USD, picoUsd } from '../../shared/money.ts';
import { type CatalogModel, listPrice, readCatalog } from '../../shared/catalog.ts';
import { APIS } from '../support/apis.ts';
import { CATALOG } from './fleet.ts';
import { costOf } from './oracle.ts';
import { borrow, conclude, type Outcome, type Stage } from './scene.ts';

const price = fc
  .record({
    prompt: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    completion: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    cachedPercent: fc.bigInt({ min: 0n, max: 100n }),
  })
  .map(({ prompt, completion, cachedPercent }) => ({
    prompt: picoUsd(prompt),
    completion: picoUsd(completion),
    cached: picoUsd((prompt * cachedPercent) / 100n),
  }));

const tokens = fc
  .record({
    prompt: fc.maxSafeNat(),
    completion: fc.maxSafeNat(),
    cachedShare: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ prompt, completion, cachedShare }) => ({
    prompt,
    completion,
    cached: Math.min(prompt, Math.floor(prompt * cachedShare)),
  }));

const more = fc.nat(1_000_000);

/** Checks the arithmetic. Throws if a property does not hold. */
export function arithmetic(runs: number): void {
  const holds = (what: boolean, sentence: string) => {
    if (!what) throw new Error(sentence);
  };
  const property = fc.property(price, tokens, more, (of, used, extra) => {
    const cost = charge(of, used);
    holds(cost >= 0n, 'a charge is never negative');
    holds(cost === costOf(of, used), 'a charge is what the tokens cost one by one');
    const { prompt, completion, cached } = used;
    const dearer = picoUsd(BigInt(extra));
    for (const name of ['prompt', 'completion', 'cached'] as const) {
      const raised = { ...of, [name]: picoUsd(of[name] + dearer) };
      holds(charge(raised, used) >= cost, `a higher price of ${name} never costs less`);
    }
    holds(charge(of, { ...used, prompt: prompt + extra }) >= cost, 'more prompt costs no less');
    const longer = charge(of, { ...used, completion: completion + extra });
    holds(longer >= cost, 'more output costs no less');
    holds(
      cost <= charge(of, { ...used, cached: 0 }),
      'a cached token costs no more than a full one',
    );
    const half = Math.floor(completion / 2);
    const parts =
      charge(of, { prompt, cached, completion: half }) +
      charge(of, { prompt: 0, cached: 0, completion: completion - half });
    holds(parts === cost, 'nothing is lost or gained where a charge is split');
    holds(BigInt(digitsOf(cost)) === cost, 'every digit is written');
  });
  fc.assert(property, { numRuns: runs });
  const written = fc.bigInt({ min: -(10n ** 19n) + 1n, max: 10n ** 19n - 1n });
  fc.assert(
    fc.property(written, (amount) => {
      holds(parseUsd(formatUsd(amount)) === amount, `${amount} survives being written and read`);
    }),
    { numRuns: runs },
  );
}

/** The digits of an amount as the API writes it, without the decimal point. */
function digitsOf(amount: bigint): string {
  const [whole = '0', fraction = ''] = formatUsd(amount).split('.');
  return whole + fraction.padEnd(12, '0');
}

/** A random request of any kind that the data plane accepts. */
function anyAsk(models: readonly CatalogModel[]) {
  return fc.record({
    model: fc.constantFrom(...models),
    wanted: fc.integer({ min: 1, max: 80 }),
    maxTokens: fc.option(fc.integer({ min: 1, max: 100 })),
    // Prompts with a common prefix, so that some of them are cached.
    opening: fc.constantFrom('', 'a river '.repeat(400), 'a mountain '.repeat(900)),
    api: fc.constantFrom(...APIS),
    streamed: fc.boolean(),
  });
}

export async function money(
  stage: Stage,
  { runs, requests }: Readonly<{ runs: number; requests: number }>,
): Promise<Outcome> {
  arithmetic(runs);
  await using loan = await borrow(stage, { tokenMs: 2 });
  const { fleet } = loan;
  const all = [...(await readCatalog(CATALOG)).values()];
  const models = all.filter(({ id }) => fleet.models.includes(id) || fleet.models.length === 0);
  const priceOf = new Map(models.map((model) => [model.id, listPrice(model)]));
  const credit = 100n * PICO_PER_USD;
  const { id, key } = await fleet.office.customer('T23', credit);
  const asks = fc.sample(anyAsk(models), { numRuns: requests, seed: stage.seed });
  const clients = Array.from({ length: 16 }, async () => {
    for (let ask = asks.pop(); ask; ask = asks.pop()) {
      await fleet.log.ask({
        base: fleet.router(0).base,
        key,
        model: ask.model.id,
        prompt: `${ask.opening}Write exactly ${ask.wanted} tokens.`,
        maxTokens: ask.maxTokens,
        api: ask.api,
        streamed: ask.streamed,
      });
    }
  });
  await Promise.all(clients);
  const { balance } = await fleet.office.credit(id);
  let shown = 0n;
  let cachedTokens = 0;
  const calls = fleet.log.calls.slice(loan.from);
  for (const { usage, model } of calls) {
    const listed = priceOf.get(model);
    if (usage && listed) shown += costOf(listed, usage);
    cachedTokens += usage?.cached ?? 0;
  }
  const faults: string[] = [];
  if (credit - balance !== shown) {
    faults.push(`the answers showed ${shown}, but ${credit - balance} left the balance`);
  }
  const incomplete = calls.filter((call) => call.ending !== 'complete').length;
  if (incomplete > 0) faults.push(`${incomplete} of ${requests} answers were not complete`);
  const figures = {
    'properties tried': runs,
    requests,
    'cached tokens shown': cachedTokens,
    'left the balance USD': formatUsd(credit - balance),
  };
  return await conclude(loan, { crashes: false }, figures, faults);
}
