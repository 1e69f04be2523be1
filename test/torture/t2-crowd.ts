/**
 * T2: five hundred clients send requests at once, with credit for ten answers, over several routers
 * if the store is PostgreSQL. At every instant the balance is at least zero, and the held amount is
 * at most the balance. When the credit is used up, requests get 402.
 *
 * The second part ("cent") does the same with a credit of USD 0.01 and fifty long requests. Running
 * answers end at the last paid token or by themselves, new requests get 402, and less than one
 * slice is left.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { formatUsd, PICO_PER_USD } from '../../shared/money.ts';
import type { Call } from '../support/client-log.ts';
import type { Fleet } from './fleet.ts';
import { MODEL, PRICE, SLICE_TOKENS } from './load.ts';
import { borrow, conclude, type Outcome, type Stage } from './scene.ts';
import { Watch } from './watch.ts';

const USED_PERCENT_MIN = 95;

/** The engines write fast, because long answers use up the credit. */
const ENGINE = { tokenMs: 1, tokensPerChunk: 4 } as const;

export async function crowd(
  stage: Stage,
  { clients, answerTokens }: Readonly<{ clients: number; answerTokens: number }>,
): Promise<Outcome> {
  const routers = stage.store === 'postgres' ? 3 : 1;
  await using loan = await borrow(stage, { routers, ...ENGINE });
  const { fleet } = loan;
  const credit = 10n * BigInt(answerTokens) * PRICE.completion;
  const { figures, faults, usedPercent } = await spend(fleet, { clients, credit, answerTokens });
  if (usedPercent < USED_PERCENT_MIN) faults.push(`only ${usedPercent} % of the credit was used`);
  return await conclude(loan, { crashes: false }, { routers, ...figures }, faults);
}

export async function cent(
  stage: Stage,
  { clients, answerTokens }: Readonly<{ clients: number; answerTokens: number }>,
): Promise<Outcome> {
  await using loan = await borrow(stage, { ...ENGINE });
  const { fleet } = loan;
  const credit = PICO_PER_USD / 100n;
  const { figures, faults, left } = await spend(fleet, { clients, credit, answerTokens });
  const slice = SLICE_TOKENS * PRICE.completion;
  if (left >= slice) faults.push(`USD ${formatUsd(left)} are left, a slice is ${formatUsd(slice)}`);
  return await conclude(loan, { crashes: false }, figures, faults);
}

type Spent = Readonly<{
  figures: Record<string, number | string>;
  faults: string[];
  left: bigint;
  usedPercent: number;
}>;

/** All clients request a long answer at once, while the account is watched. */
async function spend(
  fleet: Fleet,
  of: Readonly<{ clients: number; credit: bigint; answerTokens: number }>,
): Promise<Spent> {
  const { clients, credit, answerTokens } = of;
  const { id, key } = await fleet.office.customer('Crowd', credit);
  const ask = (client: number) =>
    fleet.log.ask({
      base: fleet.router(client).base,
      key,
      model: MODEL,
      prompt: `Write exactly ${answerTokens} tokens.`,
      // More than is held at once, so the hold grows slice by slice.
      maxTokens: Math.max(answerTokens, 5_000),
    });
  using watch = await Watch.start(fleet.storeUrl, id);
  const calls = await Promise.all(Array.from({ length: clients }, (_, client) => ask(client)));
  // The last holds are freed with the last charges, shortly after the answers.
  await pause(100);
  const after = await ask(0);
  const watched = await watch.stop();
  const { balance: left, held } = await fleet.office.credit(id);
  const usedPercent = Number(((credit - left) * 10_000n) / credit) / 100;
  const faults = [
    ...calls.flatMap((call) => faultOf(call) ?? []),
    ...(after.status === 402 ? [] : [`the next request got ${after.status}, not 402`]),
    ...(held === 0n ? [] : [`USD ${formatUsd(held)} are held when nothing runs`]),
    ...(left < 0n || watched.balanceMin < 0n ? ['the balance went below zero'] : []),
    ...(watched.freeMin < 0n ? [`${watched.freeMin} less was there than was held`] : []),
    ...(watched.looks < 100 ? [`the watcher looked only ${watched.looks} times`] : []),
  ];
  const ended = (finish: string) => calls.filter((call) => call.finish === finish).length;
  return {
    figures: {
      clients,
      'credit USD': formatUsd(credit),
      'used %': usedPercent,
      'left USD': formatUsd(left),
      'ended by length': ended('length'),
      'ended by themselves': ended('stop'),
      'got 402': calls.filter((call) => call.status === 402).length,
      'looks at the account': watched.looks,
      'lowest balance USD': formatUsd(watched.balanceMin),
      'lowest not held USD': formatUsd(watched.freeMin),
    },
    faults,
    left,
    usedPercent,
  };
}

/** Every call must be complete or refused for lack of credit. */
function faultOf(call: Call): string | null {
  if (call.ending === 'complete' || call.code === 'insufficient_credit') return null;
  return `${call.requestId} was ${call.ending} with ${call.status} ${call.code}`;
}
