import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Key } from '../../../../shared/api/keys.ts';
import { deleteKey, revokeKey } from '../../api/keys.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { say } from '../../parts/said.tsx';
import { useOrganization } from '../../session.tsx';

type EndKeyProps = Readonly<{ row: Key; end: 'revoke' | 'delete'; onClose: () => void }>;

/** Mount this dialog only while it is open. */
export function EndKeyDialog({ row, end, onClose }: EndKeyProps) {
  const organization = useOrganization();
  const queries = useQueryClient();
  const isRevoking = end === 'revoke';
  const change = useMutation({
    mutationFn: () => (isRevoking ? revokeKey : deleteKey)(organization, row.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ofOrganization(organization, 'keys') });
      say(isRevoking ? 'Key revoked' : 'Key deleted');
      onClose();
    },
  });
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`${isRevoking ? 'Revoke' : 'Delete'} "${row.name}"?`}
      action={isRevoking ? 'Revoke key' : 'Delete key'}
      onConfirm={() => change.mutate()}
      busy={change.isPending}
      error={change.error}
    >
      {row.state !== 'revoked' && (
        <p>
          New requests with it are refused with status 401. Running ones end when the credit that is
          set aside for them is used up.
        </p>
      )}
      <p>
        {isRevoking
          ? 'The key stays in this list, and its usage stays attributed to it.'
          : 'The key leaves this list. Its usage stays, under its name.'}{' '}
        This cannot be undone.
      </p>
    </Confirm>
  );
}
