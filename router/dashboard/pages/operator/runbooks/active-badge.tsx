import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import { Badge } from '../../../parts/shown.tsx';

type ActiveBadgeProps = Readonly<{
  alarms: readonly PlatformAlarm[] | undefined;
  children: string;
}>;

/** Marks a runbook whose alarms are active, as severe as the worst of them. */
export function ActiveBadge({ alarms = [], children }: ActiveBadgeProps) {
  if (alarms.length === 0) return null;
  const isUrgent = alarms.some(({ severity }) => severity === 'urgent');
  return <Badge tone={isUrgent ? 'bad' : 'warn'}>{children}</Badge>;
}
