/**
 * HOT PATH: how a request ends (MONEY 12 to 14). Its usage row is the tombstone: the first ending
 * wins.
 */
import { charge, type PicoUsd, picoUsd } from '../../../shared/money.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { AccountRow, HoldRow, SpentColumns, UsageRow } from '../../store/schema/ledger.ts';
import { failedAttemptsText } from '../failed-attempts.ts';
import { type OperationOf, type Outcome } from '../operations.ts';
import { LedgerFault, type RequestTimes, type Usage } from '../terms.ts';
import { chargeId, reversalId, sides } from '../transfers.ts';
import type { TerminalState, UnitOfWork } from '../unit-of-work.ts';
import { closeHold } from './admission.ts';
import { memberMeterOf } from './caps.ts';
import { claimCharge, giveUp, repeatedWork, takenBy } from './claims.ts';
import { freeFor } from './guard.ts';
import { correctTokens, countWaived, meterOf } from './limits.ts';
import { withCharge, withReversal } from './spent.ts';

export function settle(work: UnitOfWork, asked: OperationOf<'settle'>): Outcome {
  const { usage, cost, claim, now } = asked;
  const found = find(work, usage);
  const { ended, hold } = found;
  const taken = takenBy(work, claim, usage.request);
  if (ended) {
    if (ended.outcome === 'settled') return { answer: { cost: picoUsd(ended.cost) } };
    return { answer: taken ? 'repeated' : 'refused' };
  }
  const mistake = findMistake(work, usage, cost, hold);
  if (mistake !== null) {
    finalize(work, { ...usage, ...MISTAKEN }, { ...found, outcome: 'voided', cost: 0n, now });
    return { fault: `${usage.request}: ${mistake}` };
  }
  if (taken) {
    finalize(work, { ...usage, ...REPEATED }, { ...found, outcome: 'voided', cost: 0n, now });
    countWaived(work, usage.organization, repeatedWork(taken, claim, usage), now);
    return { answer: 'repeated' };
  }
  if (!canBear(work, asked, found)) {
    finalize(work, { ...usage, ...REFUSED }, { ...found, outcome: 'voided', cost: 0n, now });
    return { answer: 'refused' };
  }
  finalize(work, usage, { ...found, outcome: 'settled', cost, now });
  claimCharge(work, claim, { request: usage.request, now });
  return { answer: { cost } };
}

/** How a complete answer is recorded that cannot be charged: as cut before its end. */
const REFUSED = { finishReason: null, status: 402, error: 'insufficient_credit' } as const;
const REPEATED = { finishReason: null, status: 400, error: 'already_answered' } as const;
const MISTAKEN = { finishReason: null, status: 500, error: 'internal_error' } as const;

/** `void` is a reserved word. */
export function voidRequest(
  work: UnitOfWork,
  { usage, waived = 0, claim, now }: OperationOf<'void'>,
): null {
  const found = find(work, usage);
  if (!found.ended) {
    finalize(work, usage, { ...found, outcome: 'voided', cost: 0n, now });
    countWaived(work, usage.organization, waived, now);
  } else if (found.ended.outcome === 'settled') {
    reverse(work, usage, found, now);
    giveUp(work, claim, usage.request);
  }
  return null;
}

type Found = Readonly<{
  account: AccountRow;
  ended: TerminalState | undefined;
  hold: HoldRow | undefined;
}>;

function find(work: UnitOfWork, { request, organization }: Usage): Found {
  const [account, ended, hold] = [
    work.account(organization),
    work.ending(request),
    work.hold(request),
  ];
  if ((ended ?? hold ?? { organization }).organization !== organization) {
    throw new LedgerFault(`${request} does not belong to ${organization}`);
  }
  if (!account) throw new LedgerFault(`${request}: there is no account ${organization}`);
  return { account, ended, hold };
}

/** Returns what makes this settlement a mistake of ours, or null. Such an answer is free. */
function findMistake(
  work: UnitOfWork,
  usage: Usage,
  cost: PicoUsd,
  hold: HoldRow | undefined,
): string | null {
  if (hold && hold.price !== usage.price)
    return `held at price ${hold.price}, not at ${usage.price}`;
  const price = work.price(usage.price);
  if (!price) return `there is no price ${usage.price}`;
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  if (cachedTokens < 0 || cachedTokens > promptTokens) {
    return `${cachedTokens} of ${promptTokens} prompt tokens cannot be cached`;
  }
  if (reasoningTokens < 0 || reasoningTokens > completionTokens) {
    return `${reasoningTokens} of ${completionTokens} completion tokens cannot be reasoning`;
  }
  const exact = charge(price, {
    prompt: promptTokens,
    cached: cachedTokens,
    completion: completionTokens,
  });
  return cost === exact ? null : `the usage costs ${exact}, not ${cost}`;
}

/**
 * The amount held can always be charged. What exceeds it has to pass the guard (MONEY 13). It is
 * not held because a peer swept the hold, or because the store lost the hold or its last extension
 * before it was synced (MONEY 23).
 */
function canBear(
  work: UnitOfWork,
  asked: OperationOf<'settle'>,
  { account, hold }: Found,
): boolean {
  const { usage, cost, now } = asked;
  const beyond = cost - (hold?.amount ?? 0n);
  if (beyond <= 0n) return true;
  const { key, member } = usage;
  return beyond <= freeFor(work, account, { key, member, caps: asked }, now);
}

/** Frees the hold, charges the cost and writes the usage row. A cost of zero makes no transfer. */
function finalize(
  work: UnitOfWork,
  usage: Usage,
  ending: Found & { outcome: 'settled' | 'voided'; cost: bigint; now: number },
): void {
  const { hold, outcome, cost, now } = ending;
  const { request, organization, key } = usage;
  if (hold) {
    closeHold(work, hold, now);
    const { promptTokens, completionTokens } = usage;
    correctTokens(work, hold, outcome === 'settled' ? promptTokens + completionTokens : 0, now);
  }
  const account = work.account(organization) ?? ending.account;
  const usageSeq = account.usage_seq + 1n;
  work.setAccount({ ...account, usage_seq: usageSeq });
  if (cost > 0n) {
    transfer(work, usage, { kind: 'usage', change: -cost, now });
    countSpent(work, usage, (row) => withCharge(row, cost), now);
  }
  work.addUsage({
    request,
    organization,
    seq: usageSeq,
    key,
    member: usage.member,
    source: usage.source,
    completion_id: usage.completionId,
    model: usage.model,
    region: usage.region,
    endpoint: usage.endpoint,
    streamed: usage.streamed === null ? null : BigInt(usage.streamed),
    max_tokens: usage.maxTokens === null ? null : BigInt(usage.maxTokens),
    agent: usage.agent,
    worker: usage.worker,
    price: usage.price,
    prompt_tokens: BigInt(usage.promptTokens),
    cached_tokens: BigInt(usage.cachedTokens),
    cached_source: usage.cachedSource,
    completion_tokens: BigInt(usage.completionTokens),
    reasoning_tokens: BigInt(usage.reasoningTokens),
    ttft_ms: usage.ttftMs === null ? null : milliseconds(usage.ttftMs),
    duration_ms: milliseconds(usage.durationMs),
    finish_reason: usage.finishReason,
    status: BigInt(usage.status),
    error: usage.error,
    created: milliseconds(usage.created),
    cost,
    outcome,
    transfer: cost > 0n ? chargeId(request) : null,
    ...timesColumns(usage.times),
  });
}

type TimesColumns = Pick<
  UsageRow,
  'body_ms' | 'admitted_ms' | 'picked_ms' | 'waited_ms' | 'failed_attempts'
>;

const NO_TIMES: TimesColumns = {
  body_ms: null,
  admitted_ms: null,
  picked_ms: null,
  waited_ms: null,
  failed_attempts: null,
};

function timesColumns(times: RequestTimes | null): TimesColumns {
  if (times === null) return NO_TIMES;
  const { bodyMs, admittedMs, pickedMs, waitedMs, failedAttempts } = times;
  return {
    body_ms: milliseconds(bodyMs),
    admitted_ms: milliseconds(admittedMs),
    picked_ms: pickedMs === null ? null : milliseconds(pickedMs),
    waited_ms: waitedMs === null ? null : milliseconds(waitedMs),
    failed_attempts: failedAttemptsText(failedAttempts),
  };
}

/** Reverses a charge by a new transfer (MONEY 3, 14). */
function reverse(work: UnitOfWork, usage: Usage, { ended }: Found, now: number): void {
  const { request, finishReason, status, error } = usage;
  const cost = ended?.cost ?? 0n;
  if (cost > 0n) {
    transfer(work, usage, { kind: 'reversal', change: cost, now });
    countSpent(work, usage, (row) => withReversal(row, cost), now);
  }
  work.reverseUsage({ request, finish_reason: finishReason, status: BigInt(status), error });
}

/** Counts for the key, and for the member who created it if they have a cap. */
function countSpent(
  work: UnitOfWork,
  { organization, key, member }: Usage,
  counted: <Row extends SpentColumns>(row: Row) => Row,
  now: number,
): void {
  work.setMeter(counted(meterOf(work, key, organization, now)));
  const theirs = memberMeterOf(work, member, now);
  if (theirs) work.setMemberMeter(counted(theirs));
}

function transfer(
  work: UnitOfWork,
  { request, organization }: Usage,
  { kind, change, now }: { kind: 'usage' | 'reversal'; change: bigint; now: number },
): void {
  const account = work.account(organization);
  if (!account) throw new LedgerFault(`${request}: there is no account ${organization}`);
  const seq = account.transfer_seq + 1n;
  work.setAccount({ ...account, balance: account.balance + change, transfer_seq: seq });
  work.addTransfer({
    id: kind === 'usage' ? chargeId(request) : reversalId(request),
    organization,
    seq,
    ...sides(kind, organization, change),
    kind,
    reference: request,
    reason: null,
    created: milliseconds(now),
  });
}
