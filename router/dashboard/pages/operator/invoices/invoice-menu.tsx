import type { Invoice } from '../../../../../shared/api/invoices.ts';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ActionsMenu, MenuItem } from '../../../parts/menu.tsx';
import type { EndingInvoice } from './end-invoice.tsx';

type MenuProps = Readonly<{ invoice: Invoice; onEnd: (ending: EndingInvoice) => void }>;

/** What an operator does with an open invoice. Nothing for one that has ended. */
export function InvoiceMenu({ invoice, onEnd }: MenuProps) {
  if (invoice.status !== 'open') return null;
  return (
    <ForAdministrators>
      <ActionsMenu of={invoice.number}>
        <MenuItem onSelect={() => onEnd({ invoice, how: 'paid' })}>Mark as paid</MenuItem>
        <MenuItem danger onSelect={() => onEnd({ invoice, how: 'void' })}>
          Void invoice
        </MenuItem>
      </ActionsMenu>
    </ForAdministrators>
  );
}
