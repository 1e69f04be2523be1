/** HOT PATH: applies one operation to a page, in full, or throws before anything is changed. */
import { unreachable } from '../../../shared/unreachable.ts';
import type { Operation, OperationOf, Outcome } from '../operations.ts';
import type { Page } from '../page.ts';
import { LedgerFault } from '../terms.ts';
import { closeHold, extend, reserve } from './admission.ts';
import { settle, voidRequest } from './endings.ts';

/** The operations that move money. They share a page and a transaction; others use no page. */
export type Booking = OperationOf<'reserve' | 'extend' | 'settle' | 'void' | 'free'>;

export function isBooking(operation: Operation): operation is Booking {
  return ['reserve', 'extend', 'settle', 'void', 'free'].includes(operation.kind);
}

/** Whether the transaction of this operation must be on disk before the operation is answered. */
export function isDurable({ kind }: Operation): boolean {
  return kind === 'settle' || kind === 'void';
}

export function apply(page: Page, booking: Booking): Outcome {
  try {
    return outcomeOf(page, booking);
  } catch (error) {
    if (error instanceof LedgerFault) return { fault: error.message };
    throw error;
  }
}

function outcomeOf(page: Page, booking: Booking): Outcome {
  switch (booking.kind) {
    case 'reserve':
      return { answer: reserve(page, booking) };
    case 'extend':
      return { answer: extend(page, booking) };
    case 'settle':
      return settle(page, booking);
    case 'void':
      return { answer: voidRequest(page, booking) };
    case 'free':
      return { answer: free(page, booking) };
    default:
      return unreachable(booking);
  }
}

function free(page: Page, { incarnation, request, now }: OperationOf<'free'>): boolean {
  const hold = page.hold(request);
  if (hold?.incarnation !== incarnation) return false;
  closeHold(page, hold, now);
  return true;
}
