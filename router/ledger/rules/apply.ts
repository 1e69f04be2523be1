/**
 * HOT PATH: applies one operation to a unit of work, in full, or throws before anything is changed.
 */
import { unreachable } from '../../../shared/unreachable.ts';
import type { Operation, OperationOf, Outcome } from '../operations.ts';
import { LedgerFault } from '../terms.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { closeHold, extend, reserve } from './admission.ts';
import { settle, voidRequest } from './endings.ts';

/** The operations that move money. They share a unit of work and a transaction; others use none. */
export type Booking = OperationOf<'reserve' | 'extend' | 'settle' | 'void' | 'free'>;

export function isBooking(operation: Operation): operation is Booking {
  return ['reserve', 'extend', 'settle', 'void', 'free'].includes(operation.kind);
}

/** Whether the transaction of this operation must be on disk before the operation is answered. */
export function isDurable({ kind }: Operation): boolean {
  return kind === 'settle' || kind === 'void';
}

export function apply(work: UnitOfWork, booking: Booking): Outcome {
  try {
    return outcomeOf(work, booking);
  } catch (error) {
    if (error instanceof LedgerFault) return { fault: error.message };
    throw error;
  }
}

function outcomeOf(work: UnitOfWork, booking: Booking): Outcome {
  switch (booking.kind) {
    case 'reserve':
      return { answer: reserve(work, booking) };
    case 'extend':
      return { answer: extend(work, booking) };
    case 'settle':
      return settle(work, booking);
    case 'void':
      return { answer: voidRequest(work, booking) };
    case 'free':
      return { answer: free(work, booking) };
    default:
      return unreachable(booking);
  }
}

function free(work: UnitOfWork, { incarnation, request, now }: OperationOf<'free'>): boolean {
  const hold = work.hold(request);
  if (hold?.incarnation !== incarnation) return false;
  closeHold(work, hold, now);
  return true;
}
