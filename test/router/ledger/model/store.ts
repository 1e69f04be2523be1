/**
 * The store's transactions. Each is one atomic step from one view (the contents of the store) to
 * the next, as the ledger's operations are.
 */
import type { Law } from './law.ts';
import {
  countsAsAlive,
  EXTENSION,
  FIRST_HOLD,
  type RouterIndex,
  rowAt,
  TOP_UP,
  type View,
  withRow,
} from './state.ts';

type Done<Answer> = Readonly<{ view: View; answer: Answer }>;

/** MONEY 4: the only guard. The floor is 0. */
export function canBear(view: View, amount: number): boolean {
  return view.balance - view.held - amount >= 0;
}

/**
 * MONEY 4, 6, 19. `guard: false` takes the hold alone, because an earlier step passed the guard.
 */
export function reserve(
  view: View,
  at: number,
  asked: Readonly<{ router: RouterIndex | null; guard: boolean }>,
): Done<'held' | 'refused'> {
  const row = rowAt(view, at);
  if (row.hold > 0) return { view, answer: 'held' };
  if (row.ending !== 'none') return { view, answer: 'refused' };
  if (asked.guard && !canBear(view, FIRST_HOLD)) return { view, answer: 'refused' };
  if (!countsAsAlive(view, row, asked.router)) return { view, answer: 'refused' };
  const held = { ...view, held: view.held + FIRST_HOLD };
  return { view: withRow(held, at, { hold: FIRST_HOLD }), answer: 'held' };
}

/**
 * MONEY 7, 8. `known`: the amount that the router knew to be held when it sent the request. Returns
 * the amount that is held then, or `gone`.
 */
export function extend(law: Law, view: View, at: number, known: number): Done<number | 'gone'> {
  const { hold, ending } = rowAt(view, at);
  if (hold === 0) {
    if (law.extensionNeedsItsHold || ending !== 'voided') return { view, answer: 'gone' };
    return { view: { ...view, held: view.held + EXTENSION }, answer: known };
  }
  const more = law.holdsAreAskedForWhole ? FIRST_HOLD + EXTENSION - hold : EXTENSION;
  const grows = more > 0 && canBear(view, more);
  const now = grows ? hold + more : hold;
  const answer = law.holdsAreAskedForWhole ? now : known + (grows ? more : 0);
  if (!grows) return { view, answer };
  return { view: withRow({ ...view, held: view.held + more }, at, { hold: now }), answer };
}

/** MONEY 13. `renamed`: the settlement comes under an id that the store does not know. */
export function settle(
  law: Law,
  view: View,
  at: number,
  asked: Readonly<{ cost: number; renamed: boolean }>,
): Done<'settled' | 'refused'> {
  const row = rowAt(view, at);
  const { cost } = asked;
  if (asked.renamed) {
    return canBear(view, cost)
      ? { view: charge(view, at, cost), answer: 'settled' }
      : { view, answer: 'refused' };
  }
  if (row.ending !== 'none' && law.firstEndingWins) {
    return { view, answer: row.ending === 'settled' ? 'settled' : 'refused' };
  }
  // The amount on hold is paid for. The rest, if the hold or its extension is gone, must pass the
  // guard.
  const beyond = cost - row.hold;
  const isGuarded = row.hold > 0 ? law.lostExtensionIsGuarded : law.lateSettlementIsGuarded;
  const mayCharge = beyond <= 0 || !isGuarded || canBear(view, beyond);
  const ending = mayCharge ? 'settled' : 'voided';
  const ended = withRow(closeHold(view, at), at, { ending, taken: false });
  return mayCharge
    ? { view: charge(ended, at, cost), answer: 'settled' }
    : { view: ended, answer: 'refused' };
}

/** MONEY 14: frees the hold and reverses any charge. */
export function voidRequest(law: Law, view: View, at: number): View {
  const row = rowAt(view, at);
  if (row.ending === 'voided') return view;
  const reversed = { ...closeHold(view, at), balance: view.balance + row.charged };
  const ending = law.voidLeavesTombstone ? 'voided' : 'none';
  return withRow(reversed, at, { ending, charges: 0, charged: 0, taken: false });
}

/**
 * MONEY 19, 20: frees a hold without a tombstone, so that its request may still settle by the
 * guard.
 */
export function freeHold(view: View, at: number, fromLive: boolean): View {
  return withRow(closeHold(view, at), at, { taken: fromLive });
}

/** MONEY 26: records the event and credits it in one transaction. */
export function credit(view: View): View {
  return { ...view, balance: view.balance + TOP_UP, credited: view.credited + 1 };
}

function closeHold(view: View, at: number): View {
  const { hold } = rowAt(view, at);
  return hold === 0 ? view : withRow({ ...view, held: view.held - hold }, at, { hold: 0 });
}

function charge(view: View, at: number, cost: number): View {
  const { charges, charged } = rowAt(view, at);
  const paid = { ...view, balance: view.balance - cost };
  return withRow(paid, at, { charges: charges + 1, charged: charged + cost });
}
