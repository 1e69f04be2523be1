/** The key, payment, receipt, invoice or job whose id or number was typed. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CreditCard, FileText, KeyRound, ListChecks } from 'lucide-react';
import type { Found, Lookup } from '../../../../shared/api/lookup.ts';
import type { z } from 'zod';
import type { Me } from '../../../../shared/api/people.ts';
import { get, pathOf } from '../../api/client.ts';
import { PAGES } from '../../pages.ts';
import type { Entry, EntryGroup } from './entry.ts';

/** An id such as `pay_…`, or a number such as `INV-000042`. */
const NAMED = /^(?:(?:key|pay|ivc|job)_\w{12,26}|[a-z][a-z0-9]{0,15}-\d{1,15})$/i;

const ICONS: Readonly<Record<Found['kind'], Entry['icon']>> = {
  key: <KeyRound />,
  payment: <CreditCard />,
  invoice: <FileText />,
  job: <ListChecks />,
};
const NOTES: Readonly<Record<Found['kind'], string>> = {
  key: 'API key',
  payment: 'Payment',
  invoice: 'Invoice',
  job: 'Job',
};

/**
 * `settled`: the search once the person stops typing. Operators find what any organization has, and
 * jobs; others find what the shown organization has.
 */
export function useLookupGroup(
  settled: string,
  { operator }: Me,
  shown: string | null,
): EntryGroup {
  const open = useOpenFound(operator);
  const isAsked = NAMED.test(settled) && (operator || shown !== null);
  const path = operator ? '/lookup' : `/organizations/${shown}/lookup`;
  const { data } = useQuery({
    queryKey: ['lookup', path, settled],
    queryFn: ({ signal }) => get<z.infer<typeof Lookup>>(path, { id: settled }, signal),
    enabled: isAsked,
  });
  const found = (isAsked && data?.found) || null;
  if (found === null) return { title: 'Found', entries: [] };
  const { kind, id, name, state } = found;
  const entry = {
    key: `found ${id}`,
    icon: ICONS[kind],
    name: kind === 'job' ? id : name,
    note: kind === 'job' ? `${NOTES.job}, ${state}` : NOTES[kind],
    words: [settled, id],
    open: () => open(found),
  };
  return { title: 'Found', entries: [entry] };
}

/** An invoice has a page for operators. Its customers read the document. */
function useOpenFound(operator: boolean) {
  const navigate = useNavigate();
  return ({ kind, id, name, organization_id }: Found): void | Promise<void> => {
    const organization = organization_id ?? '';
    const document = (path: string, query = {}) =>
      void window.open(pathOf(`/organizations/${organization}/${path}`, query), '_blank');
    switch (kind) {
      case 'key':
        return navigate({ to: PAGES.key.path, params: { organization, key: id } });
      case 'invoice':
        if (operator) return navigate({ to: PAGES.invoice.path, params: { invoice: id } });
        return document(`invoices/${id}`, { format: 'html' });
      case 'payment':
        // A payment without a receipt has its id as its name.
        if (name !== id) return document(`payments/${id}/receipt.html`);
        return navigate({
          to: PAGES.billing.path,
          params: { organization },
          search: { view: 'payments' },
        });
      case 'job':
        return navigate({ to: PAGES.job.path, params: { job: id } });
    }
  };
}
