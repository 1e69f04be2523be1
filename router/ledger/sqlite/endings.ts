/** HOT PATH: how a request ends (MONEY 12 to 14). Its usage row is the tombstone: the first ending wins. */
import { charge, type PicoUsd, picoUsd } from '../../../shared/money.ts';
import type { HoldRow } from '../../store/schema.ts';
import type { OperationOf, Outcome } from '../operations.ts';
import { LedgerFault, type Usage } from '../terms.ts';
import { chargeId, reversalId } from '../transfers.ts';
import { addTransfer, addUsage, type Ending, findPrice, type Statements } from './statements.ts';

export function settle(at: Statements, { usage, cost, now }: OperationOf<'settle'>): Outcome {
  const ended = findEnding(at, usage);
  if (ended) {
    return { answer: ended.outcome === 'settled' ? { cost: picoUsd(ended.cost) } : 'refused' };
  }
  const hold = findHold(at, usage);
  const mistake = findMistake(at, usage, cost, hold);
  if (mistake !== null) {
    end(at, usage, { hold, outcome: 'voided', cost: 0n, now });
    return { fault: `${usage.request}: ${mistake}` };
  }
  if (!hold && !canBear(at, usage, cost)) {
    end(at, usage, { hold, outcome: 'voided', cost: 0n, now });
    return { answer: 'refused' };
  }
  end(at, usage, { hold, outcome: 'settled', cost, now });
  return { answer: { cost } };
}

/** `void` is a reserved word. */
export function voidRequest(at: Statements, { usage, now }: OperationOf<'void'>): null {
  const ended = findEnding(at, usage);
  if (!ended) {
    end(at, usage, { hold: findHold(at, usage), outcome: 'voided', cost: 0n, now });
  } else if (ended.outcome === 'settled') {
    reverse(at, usage, ended.cost, now);
  }
  return null;
}

function findEnding(at: Statements, usage: Usage): Ending | undefined {
  const ended = at.ending.get(usage.request);
  if (ended && ended.organization !== usage.organization) {
    throw new LedgerFault(`${usage.request} is not ${usage.organization}'s`);
  }
  return ended;
}

function findHold(at: Statements, usage: Usage): HoldRow | undefined {
  const hold = at.hold.get(usage.request);
  if (hold && hold.organization !== usage.organization) {
    throw new LedgerFault(`${usage.request} is not held by ${usage.organization}`);
  }
  return hold;
}

/** What makes this settlement a mistake of ours: an answer that we cannot price rightly is free. */
function findMistake(
  at: Statements,
  usage: Usage,
  cost: PicoUsd,
  hold: HoldRow | undefined,
): string | null {
  if (hold && hold.price !== usage.price) return `held at ${hold.price}, not at ${usage.price}`;
  const price = findPrice(at, usage.price);
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
  if (cost !== exact) return `the usage costs ${exact}, not ${cost}`;
  if (hold && cost > hold.amount) return `${cost} is above the ${hold.amount} held`;
  return null;
}

/** The guard of a charge whose hold is gone (MONEY 13). */
function canBear(at: Statements, usage: Usage, cost: PicoUsd): boolean {
  if (cost === 0n) return true;
  const account = at.account.get(usage.organization);
  return account !== undefined && account.balance - account.held - cost >= account.floor;
}

/** Frees the hold, charges what it cost and writes how the request ended. Nothing charged, no transfer. */
function end(
  at: Statements,
  usage: Usage,
  ending: { hold: HoldRow | undefined; outcome: 'settled' | 'voided'; cost: bigint; now: number },
): void {
  const { hold, outcome, cost, now } = ending;
  const { request, organization } = usage;
  if (hold) at.closeHold.run(request);
  const [held, slice] = hold ? [hold.amount, hold.slice] : [0n, 0n];
  const charged = cost > 0n;
  const seq = at.changeAccount.get(-cost, -held, -slice, charged ? 1n : 0n, 1n, organization);
  if (!seq) throw new LedgerFault(`${request}: there is no account ${organization}`);
  const id = chargeId(request);
  if (charged) {
    addTransfer(at, 'usage', -cost, { id, organization, seq: seq.transfer_seq, request, now });
  }
  addUsage(at, usage, { seq: seq.usage_seq, cost, outcome, transfer: charged ? id : null });
}

/** Gives a charge back: a correction is a new transfer (MONEY 3, 14). */
function reverse(at: Statements, usage: Usage, cost: bigint, now: number): void {
  const { request, organization, finishReason, status, error } = usage;
  if (cost > 0n) {
    const seq = at.changeAccount.get(cost, 0n, 0n, 1n, 0n, organization);
    if (!seq) throw new LedgerFault(`${request}: there is no account ${organization}`);
    const id = reversalId(request);
    addTransfer(at, 'reversal', cost, { id, organization, seq: seq.transfer_seq, request, now });
  }
  at.voidUsage.run(finishReason, BigInt(status), error, request);
}
