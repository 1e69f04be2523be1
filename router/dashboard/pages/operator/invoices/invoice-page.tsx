/** One invoice: the document, what an operator does with it, and what has happened to it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { InvoiceDetail } from '../../../../../shared/api/invoices.ts';
import { invoiceDocument } from '../../../../../shared/documents/invoice-document.ts';
import { invoiceChangesQuery } from '../../../api/audit.ts';
import { pathOf } from '../../../api/client.ts';
import { invoiceQuery } from '../../../api/platform.ts';
import { invoicePeriod, invoiceState } from '../../../format/money-words.ts';
import { PAGES } from '../../../pages.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ActionsMenu, MenuItem } from '../../../parts/menu.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { StateBadge } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { UnknownItem } from '../../../parts/unknown-item.tsx';
import { contact } from '../../../service.ts';
import { AuditTable } from '../../audit/audit-table.tsx';
import { Nothing } from '../nothing.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { EndInvoice, type EndingInvoice } from './end-invoice.tsx';
import { SendInvoice } from './send-invoice.tsx';

export default function InvoicePage() {
  const { invoice: id = '' } = useParams({ strict: false });
  const query = useQuery(invoiceQuery(id));
  const [ending, setEnding] = useState<EndingInvoice | null>(null);
  const [isSending, setSending] = useState(false);
  const { data: invoice } = query;
  if (invoice === null) return <UnknownItem kind="invoices" />;
  return (
    <Page
      title={invoice?.number ?? PAGES.invoice.title}
      description={invoice && <Subject invoice={invoice} />}
      back={<BackLink to={PAGES.invoices.path}>{PAGES.invoices.title}</BackLink>}
      actions={
        invoice && <Actions invoice={invoice} onEnd={setEnding} onSend={() => setSending(true)} />
      }
    >
      <Loaded query={query}>
        {(known) =>
          known && (
            <>
              <DocumentPanel document={invoiceDocument(known, contact())} />
              <Changes invoice={known} />
            </>
          )
        }
      </Loaded>
      {isSending && invoice && <SendInvoice invoice={invoice} onClose={() => setSending(false)} />}
      {ending && <EndInvoice {...ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

function Subject({ invoice }: { invoice: InvoiceDetail }) {
  const { organization, billed_to: name, period } = invoice;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StateBadge of={invoiceState(invoice)} />
      <span>
        For{' '}
        <Link
          to={PAGES.anOrganization.path}
          params={{ organization }}
          search={{ view: 'money' }}
          className="text-ink hover:underline"
        >
          {name}
        </Link>
        {' · '}
        {invoicePeriod(period)}
      </span>
    </span>
  );
}

type ActionsProps = Readonly<{
  invoice: InvoiceDetail;
  onEnd: (ending: EndingInvoice) => void;
  onSend: () => void;
}>;

function Actions({ invoice, onEnd, onSend }: ActionsProps) {
  const { id, organization, status } = invoice;
  const pdf = pathOf(`/organizations/${organization}/invoices/${id}`, { format: 'pdf' });
  return (
    <>
      <Button asChild>
        <a href={pdf} download>
          <Download /> PDF
        </a>
      </Button>
      {status !== 'void' && (
        <ForAdministrators>
          <Button onClick={onSend}>Send again</Button>
        </ForAdministrators>
      )}
      {status === 'open' && (
        <ForAdministrators>
          <ActionsMenu of={invoice.number}>
            <MenuItem danger onSelect={() => onEnd({ invoice, how: 'void' })}>
              Void invoice
            </MenuItem>
          </ActionsMenu>
          {/* On a phone, it comes first and not alone in a second line. */}
          <Button
            look="primary"
            className="max-sm:order-first"
            onClick={() => onEnd({ invoice, how: 'paid' })}
          >
            Mark as paid
          </Button>
        </ForAdministrators>
      )}
    </>
  );
}

function Changes({ invoice }: { invoice: InvoiceDetail }) {
  const changes = useQuery(invoiceChangesQuery(invoice));
  return (
    <Panel
      title="History"
      flush
      className="overflow-hidden"
      actions={
        <Link
          to={PAGES.jobs.path}
          search={{ kind: 'letter', state: 'done', search: invoice.organization }}
          className="text-sm text-accent hover:underline"
        >
          Emails to the organization
        </Link>
      }
    >
      <Loaded query={changes}>
        {(entries) =>
          entries.length === 0 ? (
            <Nothing flush title="No changes yet" />
          ) : (
            <AuditTable label="History" entries={entries} withOrganization={false} />
          )
        }
      </Loaded>
    </Panel>
  );
}
