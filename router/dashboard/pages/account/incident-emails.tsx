import type { Me } from '../../../../shared/api/people.ts';
import { Fault } from '../../parts/form/field.tsx';
import { Switch } from '../../parts/form/switch.tsx';
import { Setting } from './setting.tsx';
import { useMeChange } from './use-me-change.ts';

type IncidentEmailsProps = Readonly<{
  me: Me;
  /** Among other emails to the same address, whose heading names it. */
  isAmongOthers?: boolean;
}>;

/** Whether the person gets emails about incidents, and at which address. */
export function IncidentEmails({ me, isAmongOthers = false }: IncidentEmailsProps) {
  const { error, isPending, mutate } = useMeChange('Notifications saved', (isOn: boolean) => ({
    incident_emails: isOn ? 'all' : 'none',
  }));
  const { email, email_confirmed: isConfirmed, incident_emails: chosen } = me;
  // A router of an earlier version sends none.
  if (chosen === undefined) return null;
  const name = `Email incidents to ${email}`;
  return (
    <Setting
      name={isAmongOthers ? 'Incidents' : name}
      action={
        <Switch
          aria-label={name}
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
