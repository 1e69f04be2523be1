/** Says that the organization is suspended, who has done it, when and why. */
import { useQuery } from '@tanstack/react-query';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { suspensionQuery } from '../../../api/audit.ts';
import { Notice } from '../../../parts/notice.tsx';
import { GivenReason } from '../given-reason.tsx';

export function SuspensionNotice({ organization: { id, status, deleted } }: Props) {
  const isSuspended = status === 'suspended' && deleted === null;
  const entry = useQuery({ ...suspensionQuery(id), enabled: isSuspended }).data;
  if (!isSuspended) return null;
  return (
    <Notice tone="bad" title="This organization is suspended">
      {entry ? <GivenReason entry={entry} /> : 'Its keys are refused until you resume it.'}
    </Notice>
  );
}

type Props = Readonly<{ organization: Organization }>;
