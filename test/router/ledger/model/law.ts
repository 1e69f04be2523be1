/**
 * The rules of MONEY.md that the model can break one at a time. The law keeps them all; a mutant is the law with one
 * of them broken, and the invariant that the search must then find violated.
 */
import type { Invariant } from './invariants.ts';

export const LAW = {
  /** MONEY 4: the guard and the hold are one transaction. */
  guardAndHoldAreOneStep: true,
  /** MONEY 13: the first terminal state wins, so that a settlement may be asked for again. */
  firstEndingWins: true,
  /** MONEY 12: the charge is committed before the final bytes go out. */
  chargeComesFirst: true,
  /** MONEY 13: a settlement that finds its hold gone must pass the guard. */
  lateSettlementIsGuarded: true,
  /** MONEY 26: a webhook's de-duplication and its credit are one transaction. */
  creditIsOneStep: true,
  /** MONEY 23: final bytes wait for the barrier. */
  finalBytesAwaitBarrier: true,
  /** MONEY 14: an unknown settlement is asked again under the same id. */
  retryKeepsItsId: true,
  /**
   * MONEY 19: an incarnation is new with every start, and when a process finds itself declared dead. Used again, it
   * costs no money as long as late settlements are guarded; but a router that counts as alive loses the holds of what
   * it serves, never learns of it, and gives away what it is then refused to charge.
   */
  incarnationIsNew: true,
  /** MONEY 13: what has ended has no hold that could grow. */
  extensionNeedsItsHold: true,

  // What makes it hold that nobody pays for what they did not get, and nobody gets what is not paid.

  /** MONEY 15: what is waived is free. */
  waivedIsFree: true,
  /** MONEY 15: what a client leaves after its first byte is charged to the last count. */
  deliveredIsPaid: true,
  /** MONEY 14: an answer that is given up is voided, since its charge may have been made. */
  givingUpVoids: true,
  /** MONEY 7: an extension says what to hold in all, so that asking twice is the same as once. */
  holdsAreAskedForWhole: true,
  /** MONEY 6: no more is granted than is held. */
  grantsAreCovered: true,
  /** MONEY 10: an extension that is not answered is asked again; it does not end the answer. */
  outageIsNoExhaustion: true,
  /** MONEY 12: a settlement that is a fault is no charge. */
  faultsAreNoAnswers: true,
  /** MONEY 14: a void that is a fault is tried again. */
  faultedVoidsAreRepeated: true,
  /** MONEY 19: an incarnation is removed once it has no hold. */
  incarnationOutlivesHolds: true,

  // What MONEY.md only implies, and the model shows to be needed.

  /** MONEY 13, 23: one that finds its hold, but not the extension, must pass the guard with the rest. */
  lostExtensionIsGuarded: true,
  /** MONEY 14: a void is kept, so that a settlement still on its way finds it. */
  voidLeavesTombstone: true,
  /** MONEY 14, 23: a router forgets a void only once that is durable. */
  voidAwaitsBarrier: true,
  /** MONEY 23: a barrier answers for a commit only over a connection that was open before that. */
  barrierSharesConnection: true,
  /** MONEY 23: a beat that finds its row gone writes nothing, so it flushes nothing. */
  barrierChangesItsRow: true,
  /** MONEY 20: a router voids its own holds that have no live request. */
  orphansAreFreed: true,
  /** MONEY 26: a webhook is answered once its credit is durable. */
  webhookAwaitsBarrier: true,
} as const satisfies Record<string, true>;

export type Rule = keyof typeof LAW;
export type Law = Readonly<Record<Rule, boolean>>;

export type Mutant = Readonly<{
  /** The rule's number in MONEY.md. */
  money: number;
  name: string;
  breaks: Rule;
  violates: Invariant;
  /** It shows only once all has come to rest, so that the search for it goes far: with two plain requests. */
  atRest?: true;
}>;

/** The mutants that MONEY.md asks for. */
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

/** Who pays (three), what is held (three), what is a fault (three): each a mistake that was made or nearly made. */
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

/** Ways to misread the law that the model also catches. */
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
