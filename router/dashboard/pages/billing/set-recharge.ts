/** The settings of auto-recharge. One request replaces all of them. */
import { useMutation } from '@tanstack/react-query';
import type { Recharge, RechargeSettings } from '../../../../shared/api/payments.ts';
import { type Sent, send } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { useOrganization } from '../../session.tsx';

type Settings = Sent<typeof RechargeSettings>;

/** Returns the current settings, to be sent again with a change. */
export function settingsOf({ enabled, threshold, amount, monthly_cap }: Recharge): Settings {
  return { enabled, threshold, amount, monthly_cap };
}

export function useSetRecharge() {
  const organization = useOrganization();
  return useMutation({
    mutationFn: (settings: Settings) =>
      send<Recharge>('PUT', `/organizations/${organization}/recharge`, settings),
    meta: { refetch: [ofOrganization(organization, 'credit')] },
  });
}
