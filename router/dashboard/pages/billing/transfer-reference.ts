/** What a transfer is of, and so what its row opens. */
import type { TransferEntry } from '../../../../shared/api/credit.ts';

export type TransferReference = Readonly<
  { kind: 'payment' | 'invoice'; id: string; name: string } | { kind: 'request'; id: string }
>;

/** Null if the transfer is of nothing that has a page. */
export function referenceOf({
  document,
  reference,
}: Pick<TransferEntry, 'document' | 'reference'>): TransferReference | null {
  if (document) {
    const { kind, id, number } = document;
    return { kind, id, name: number ?? UNNUMBERED[kind] };
  }
  return reference.startsWith('req_') ? { kind: 'request', id: reference } : null;
}

const UNNUMBERED = { payment: 'Payment', invoice: 'Invoice' } as const;
