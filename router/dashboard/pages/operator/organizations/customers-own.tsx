/** Says whether an operator may change what is the customer's own, and lets them allow it. */
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { Notice } from '../../../parts/notice.tsx';
import { ChangesAllowed, ChangesButton, useAllowedChanges } from '../../../shell/acting-frame.tsx';
import { useIsActing, useIsViewer } from '../../../session.tsx';

export function CustomersOwn({ organization: { name, deleted } }: Props) {
  const isActing = useIsActing();
  const isViewer = useIsViewer();
  const allowed = useAllowedChanges(isActing);
  if (!isActing || isViewer || deleted !== null) return null;
  return (
    <Notice
      title={allowed ? <ChangesAllowed until={allowed.until} /> : "These are the customer's own"}
      action={<ChangesButton name={name} />}
    >
      {allowed
        ? undefined
        : 'To revoke a key, or to invite or remove a member, allow changes first.'}
    </Notice>
  );
}

type Props = Readonly<{ organization: Organization }>;
