/**
 * The rules of docs/money.md that the model can break one at a time. `LAW` has all rules switched
 * on. A mutant has one rule switched off, and names the invariant whose violation the search must
 * then find.
 */
import type { Invariant } from './invariants.ts';

export const LAW = {
  /** MONEY 4: the guard and the hold are one transaction. */
  guardAndHoldAreOneStep: true,
  /** MONEY 13: the first terminal state wins, so that a settlement may be repeated. */
  firstEndingWins: true,
  /** MONEY 12: the charge is committed before the final bytes go out. */
  chargeComesFirst: true,
  /** MONEY 13: a settlement that finds its hold gone must pass the guard. */
  lateSettlementIsGuarded: true,
  /** MONEY 26: a webhook's deduplication and its credit are one transaction. */
  creditIsOneStep: true,
  /** MONEY 23: final bytes wait for the barrier. */
  finalBytesAwaitBarrier: true,
  /** MONEY 14: an unknown settlement is retried under the same id. */
  retryKeepsItsId: true,
  /**
   * MONEY 19: a process takes a new incarnation at every start, and when it finds itself declared
   * dead. Reusing an incarnation costs no money as long as late settlements are guarded. But a
   * router that counts as alive would lose the holds of the requests that it serves without
   * learning of it, and give away answers whose charge is then refused.
   */
  incarnationIsNew: true,
  /** MONEY 13: an ended request has no hold that could grow. */
  extensionNeedsItsHold: true,

  // The rules by which nobody pays for what they did not get, and nobody gets what is not paid for.

  /** MONEY 15: waived work is free. */
  waivedIsFree: true,
  /** MONEY 15: if the client leaves after the first byte, it pays for the tokens last counted. */
  deliveredIsPaid: true,
  /** MONEY 14: an answer that is given up is voided, because its charge may have been made. */
  givingUpVoids: true,
  /** MONEY 7: an extension states the total to hold, so that repeating it changes nothing. */
  holdsAreAskedForWhole: true,
  /** MONEY 6: grants never exceed what is held. */
  grantsAreCovered: true,
  /**
   * MONEY 10: an extension without an answer is retried. It does not end the answer to the client.
   */
  outageIsNoExhaustion: true,
  /** MONEY 12: a settlement that fails with a fault is no charge. */
  faultsAreNoAnswers: true,
  /** MONEY 14: a void that fails with a fault is retried. */
  faultedVoidsAreRepeated: true,
  /** MONEY 19: an incarnation is removed only when it has no holds. */
  incarnationOutlivesHolds: true,

  // Rules that docs/money.md only implies, and that the model shows to be needed.

  /**
   * MONEY 13, 23: a settlement that finds its hold without the extension must pass the guard for
   * the rest.
   */
  lostExtensionIsGuarded: true,
  /** MONEY 14: a void leaves a tombstone, so that a settlement still in flight finds it. */
  voidLeavesTombstone: true,
  /** MONEY 14, 23: a router forgets a void only when the void is durable. */
  voidAwaitsBarrier: true,
  /**
   * MONEY 23: a barrier covers a commit only if the barrier's connection was open before the
   * commit.
   */
  barrierSharesConnection: true,
  /** MONEY 23: a heartbeat that finds its row gone writes nothing, so it flushes nothing. */
  barrierChangesItsRow: true,
  /** MONEY 20: a router voids its own holds that have no live request. */
  orphansAreFreed: true,
  /** MONEY 26: a webhook is acknowledged only when its credit is durable. */
  webhookAwaitsBarrier: true,
} as const satisfies Record<string, true>;

export type Rule = keyof typeof LAW;
export type Law = Readonly<Record<Rule, boolean>>;

export type Mutant = Readonly<{
  /** The rule's number in docs/money.md. */
  money: number;
  name: string;
  breaks: Rule;
  violates: Invariant;
  /**
   * The violation shows only when nothing is left to do, which needs a deep search: with two plain
   * requests.
   */
  atRest?: true;
}>;

/** Mutants of rules that docs/money.md states. */
export const REQUIRED: readonly Mutant[] = [
  {
    money: 4,
    name: 'check then hold',
    breaks: 'guardAndHoldAreOneStep',
    violates: 'what is held is covered by the balance',
  },
  {
    money: 13,
    name: 'settle twice',
    breaks: 'firstEndingWins',
    violates: 'no request is charged twice',
  },
  {
    money: 12,
    name: 'final byte before commit',
    breaks: 'chargeComesFirst',
    violates: 'no final byte before its charge is durable',
  },
  {
    money: 13,
    name: 'sweeper voiding a live hold followed by an unguarded settle',
    breaks: 'lateSettlementIsGuarded',
    violates: 'what is held is covered by the balance',
  },
  {
    money: 26,
    name: 'duplicate webhook credited',
    breaks: 'creditIsOneStep',
    violates: 'a top-up is credited exactly once',
  },
  {
    money: 23,
    name: 'lost asynchronous suffix',
    breaks: 'finalBytesAwaitBarrier',
    violates: 'no final byte before its charge is durable',
  },
  {
    money: 14,
    name: 'unknown commit retried under a new id',
    breaks: 'retryKeepsItsId',
    violates: 'no request is charged twice',
  },
  {
    money: 19,
    name: 'reused incarnation',
    breaks: 'incarnationIsNew',
    violates: 'a sweep takes no hold from a router that counts as alive',
  },
  {
    money: 13,
    name: 'extension after void',
    breaks: 'extensionNeedsItsHold',
    violates: 'what is held is the sum of the holds',
  },
];

/**
 * Mutants of who pays (three), what is held (three) and what is a fault (three). Each is a mistake
 * that was made or nearly made.
 */
export const CAUSES: readonly Mutant[] = [
  {
    money: 15,
    name: 'a waived ending that also charges',
    breaks: 'waivedIsFree',
    violates: 'what is waived is not charged',
  },
  {
    money: 15,
    name: 'an ending after the first byte that is free',
    breaks: 'deliveredIsPaid',
    violates: 'what was delivered is paid for, unless the store refuses',
  },
  {
    money: 14,
    name: 'an ending that is free and charged',
    breaks: 'givingUpVoids',
    violates: 'an answer that was cut and voided is free',
  },
  {
    money: 7,
    name: 'an extension by so much, asked for again',
    breaks: 'holdsAreAskedForWhole',
    violates: 'no answer ends short of what is held for it',
  },
  {
    money: 6,
    name: 'a grant beyond the hold',
    breaks: 'grantsAreCovered',
    violates: 'no more is granted than is held',
  },
  {
    money: 10,
    name: 'an outage or a fault taken for exhaustion',
    breaks: 'outageIsNoExhaustion',
    violates: 'no answer ends short of what is held for it',
  },
  {
    money: 12,
    name: 'a fault of a charge dropped',
    breaks: 'faultsAreNoAnswers',
    violates: 'no final byte before its charge is durable',
  },
  {
    money: 14,
    name: 'a fault of a void dropped',
    breaks: 'faultedVoidsAreRepeated',
    violates: 'an answer that was cut and voided is free',
  },
  {
    money: 19,
    name: 'an incarnation removed while it has holds',
    breaks: 'incarnationOutlivesHolds',
    violates: 'at rest no hold is left',
    atRest: true,
  },
];

/** Further misreadings of the law that the model catches. */
export const FURTHER: readonly Mutant[] = [
  {
    money: 13,
    name: 'a charge for an extension that was lost, unguarded',
    breaks: 'lostExtensionIsGuarded',
    violates: 'what is held is covered by the balance',
  },
  {
    money: 14,
    name: 'a void that leaves no trace',
    breaks: 'voidLeavesTombstone',
    violates: 'an answer that was cut and voided is free',
  },
  {
    money: 23,
    name: 'a void forgotten before it is durable',
    breaks: 'voidAwaitsBarrier',
    violates: 'an answer that was cut and voided is free',
  },
  {
    money: 23,
    name: 'a barrier over a connection opened after the store’s crash',
    breaks: 'barrierSharesConnection',
    violates: 'no final byte before its charge is durable',
  },
  {
    money: 23,
    name: 'a barrier by an incarnation that was declared dead',
    breaks: 'barrierChangesItsRow',
    violates: 'no final byte before its charge is durable',
  },
  {
    money: 20,
    name: 'orphans of a living router left to nobody',
    breaks: 'orphansAreFreed',
    violates: 'at rest no hold is left',
  },
  {
    money: 26,
    name: 'a webhook answered before its credit is durable',
    breaks: 'webhookAwaitsBarrier',
    violates: 'a top-up is credited exactly once',
  },
];
