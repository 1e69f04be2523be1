import { useMutation, useQuery } from '@tanstack/react-query';
import type { Invoice, InvoiceSent } from '../../../../../shared/api/invoices.ts';
import type { Member } from '../../../../../shared/api/members.ts';
import { mayDo } from '../../../../control/permissions.ts';
import { membersQuery } from '../../../api/members.ts';
import { useSendOnce } from '../../../api/once.ts';
import { ofOrganization } from '../../../api/organization.ts';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { say } from '../../../parts/said.tsx';
import { Loaded } from '../../../parts/states.tsx';

type SendInvoiceProps = Readonly<{ invoice: Invoice; onClose: () => void }>;

/** Asks whether the email of an invoice is to be sent again, and names those who get it. */
export function SendInvoice({ invoice, onClose }: SendInvoiceProps) {
  const { id, organization, number } = invoice;
  const members = useQuery(membersQuery(organization));
  const sendOnce = useSendOnce();
  const sending = useMutation({
    mutationFn: () =>
      sendOnce<InvoiceSent>(`/organizations/${organization}/invoices/${id}/send`, {}),
    meta: { refetch: [ofOrganization(organization, 'audit')] },
    onSuccess: ({ recipients }) => {
      say(`${number} is sent to ${recipients.join(', ')}.`);
      onClose();
    },
  });
  const recipients = members.data && recipientsAmong(members.data.data);
  return (
    <FormDialog
      onClose={onClose}
      title={`Send ${number} again`}
      description="The email about this invoice goes to the members who manage billing."
      action="Send again"
      disabled={!recipients || recipients.length === 0}
      mutation={sending}
      onSend={() => sending.mutate()}
    >
      <Loaded query={members}>{() => <Recipients addresses={recipients ?? []} />}</Loaded>
    </FormDialog>
  );
}

function recipientsAmong(members: readonly Member[]): readonly string[] {
  return members.filter(({ role }) => mayDo(role, 'billing')).map(({ email }) => email);
}

function Recipients({ addresses }: { addresses: readonly string[] }) {
  if (addresses.length === 0) {
    return <p className="text-sm">No member of the organization manages its billing.</p>;
  }
  return (
    <ul aria-label="Recipients" className="grid list-disc gap-1 pl-5 text-sm wrap-anywhere">
      {addresses.map((address) => (
        <li key={address}>{address}</li>
      ))}
    </ul>
  );
}
