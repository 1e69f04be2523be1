import { useMutation } from '@tanstack/react-query';
import type { Key } from '../../../../shared/api/keys.ts';
import { deleteKey, revokeKey } from '../../api/keys.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Confirm } from '../../parts/form/dialog.tsx';
import { say } from '../../parts/said.tsx';
import { useOrganization } from '../../session.tsx';
import type { KeyEnd } from './keys-table.tsx';

type EndKeyProps = Readonly<{
  row: Key;
  end: KeyEnd;
  onClose: () => void;
  onEnded?: () => void;
}>;

/** Mount this dialog only while it is open. */
export function EndKeyDialog({ row, end, onClose, onEnded }: EndKeyProps) {
  const organization = useOrganization();
  const isRevoking = end === 'revoke';
  const change = useMutation({
    mutationFn: () => (isRevoking ? revokeKey : deleteKey)(organization, row.id),
    meta: { refetch: [ofOrganization(organization, 'keys')] },
    onSuccess: () => {
      say(`${isRevoking ? 'Key revoked' : 'Key deleted'}: ${row.name}`);
      onClose();
      onEnded?.();
    },
  });
  return (
    <Confirm
      onClose={onClose}
      title={`${isRevoking ? 'Revoke' : 'Delete'} "${row.name}"?`}
      action={isRevoking ? 'Revoke key' : 'Delete key'}
      mutation={change}
    >
      {row.state !== 'revoked' && (
        <p>
          New requests with this key are refused with status 401. Running requests end when the
          credit that is held for them is used up.
        </p>
      )}
      <p>
        {isRevoking
          ? 'The key keeps its usage history, and is listed when revoked keys are shown.'
          : 'The key is removed from this list. Its usage history stays under its name.'}{' '}
        This cannot be undone.
      </p>
    </Confirm>
  );
}
