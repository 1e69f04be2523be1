/** Says whether an operator may change what is the customer's own, and lets them allow it. */
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { Notice } from '../../../parts/notice.tsx';
import { ChangesAllowed, ChangesButton, useAllowedChanges } from '../../../shell/acting-frame.tsx';
import { useIsActing, useIsViewer } from '../../../session.tsx';

export function CustomersOwn({ organization }: Props) {
  const { may, allowed } = useChanges(organization);
  if (!may) return null;
  if (allowed) return <AllowedNotice organization={organization} />;
  return (
    <Notice title="Read-only" action={<ChangesButton name={organization.name} />}>
      To revoke a key, or to invite or remove a member, allow changes first.
    </Notice>
  );
}

/** Renders nothing while no changes are allowed. */
export function AllowedNotice({ organization }: Props) {
  const { may, allowed } = useChanges(organization);
  if (!may || !allowed) return null;
  return (
    <Notice
      tone="warn"
      title={<ChangesAllowed until={allowed.until} />}
      action={<ChangesButton name={organization.name} />}
    />
  );
}

/** `may`: whether the operator can allow changes. */
function useChanges({ deleted }: Organization) {
  const isActing = useIsActing();
  const isViewer = useIsViewer();
  const allowed = useAllowedChanges(isActing);
  return { may: isActing && !isViewer && deleted === null, allowed };
}

type Props = Readonly<{ organization: Organization }>;
