import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me, MeChange } from '../../../../shared/api/people.ts';
import { type Sent, send } from '../../api/client.ts';
import { meQuery, visitorQuery } from '../../api/me.ts';
import { Fault } from '../../parts/form/field.tsx';
import { Switch } from '../../parts/form/switch.tsx';
import { say } from '../../parts/said.tsx';
import { Setting } from './setting.tsx';

/** Whether the person gets emails about incidents. */
export function IncidentEmails({ me }: { me: Me }) {
  const queries = useQueryClient();
  const { error, isPending, mutate } = useMutation({
    mutationFn: (isOn: boolean) => {
      const body: Sent<typeof MeChange> = { incident_emails: isOn ? 'all' : 'none' };
      return send<Me>('PATCH', '/me', body);
    },
    onSuccess: (changed) => {
      queries.setQueryData(meQuery.queryKey, changed);
      queries.setQueryData(visitorQuery.queryKey, changed);
      say('Notifications saved');
    },
  });
  const { email_confirmed: isConfirmed, incident_emails: chosen } = me;
  // A router of an earlier version sends none.
  if (chosen === undefined) return null;
  return (
    <Setting
      name="Incidents"
      action={
        <Switch
          aria-label="Notify: Incidents"
          checked={chosen === 'all'}
          disabled={isPending}
          onChange={mutate}
        />
      }
      below={<Fault error={error} />}
    >
      When an incident is reported or updated on the status page.
      {!isConfirmed && ' Sent only after you have confirmed your email.'}
    </Setting>
  );
}
