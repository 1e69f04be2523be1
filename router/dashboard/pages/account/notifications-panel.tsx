import { Link } from '@tanstack/react-router';
import type { OptionalEmail } from '../../../../shared/api/people.ts';
import { mayDo } from '../../../control/permissions.ts';
import { PAGES } from '../../pages.ts';
import { Fault } from '../../parts/form/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { Switch } from '../../parts/form/switch.tsx';
import { useMe } from '../../session.tsx';
import { Section } from '../../parts/section.tsx';
import { IncidentEmails } from './incident-emails.tsx';
import { Setting } from './setting.tsx';
import { useMeChange } from './use-me-change.ts';

const EMAILS: Readonly<Record<OptionalEmail, Readonly<{ name: string; when: string }>>> = {
  'low-balance': { name: 'Low balance', when: 'When the balance falls below its threshold.' },
  budget: { name: 'Budget', when: 'When 50, 80 and 100 percent of a monthly budget are spent.' },
  receipt: { name: 'Receipts', when: 'After each payment.' },
};

type Change = Readonly<{ kind: OptionalEmail; isOn: boolean }>;

/** Which emails the person gets. Those about security are always on. */
export function NotificationsPanel() {
  const me = useMe();
  const { organizations, muted_emails: muted = [] } = me;
  const billed = organizations.filter(({ role }) => mayDo(role, 'billing'));
  const { error, isPending, mutate, variables } = useMeChange(
    'Notifications saved',
    ({ kind, isOn }: Change) => {
      const others = muted.filter((one) => one !== kind);
      return { muted_emails: isOn ? others : [...others, kind] };
    },
  );
  return (
    <Section title="Email notifications" description={`Sent to ${me.email}.`}>
      <Panel flush>
        <div className="divide-y divide-line">
          <Setting name="Security" action={<AlwaysOn />}>
            Changes of your password, passkeys, email and two-factor authentication.
          </Setting>
          <IncidentEmails me={me} isAmongOthers />
          {billed.length > 0 && (
            <>
              {(Object.keys(EMAILS) as OptionalEmail[]).map((kind) => (
                <EmailSwitch
                  key={kind}
                  kind={kind}
                  isOn={!muted.includes(kind)}
                  // A change sends all three, so the next one waits for its answer.
                  disabled={isPending}
                  error={variables?.kind === kind ? error : null}
                  onChange={(isOn) => mutate({ kind, isOn })}
                />
              ))}
              <Setting name="Invoices and failures" action={<AlwaysOn />}>
                Used-up credit, new invoices, failed or paused auto-recharges, and webhooks that
                were turned off.
              </Setting>
              <p className="px-5 py-3 text-sm text-muted">
                Thresholds and budgets are set for each organization:{' '}
                {billed.map(({ id, name }, index) => (
                  <span key={id}>
                    {index > 0 && ', '}
                    <Link
                      to={PAGES.billing.path}
                      params={{ organization: id }}
                      search={{ view: 'budget' }}
                      className="text-ink underline underline-offset-2 hover:text-accent"
                    >
                      {name}
                    </Link>
                  </span>
                ))}
              </p>
            </>
          )}
        </div>
      </Panel>
    </Section>
  );
}

function AlwaysOn() {
  return <span className="text-sm text-muted">Always on</span>;
}

type EmailSwitchProps = Readonly<{
  kind: OptionalEmail;
  isOn: boolean;
  disabled: boolean;
  error: Error | null;
  onChange: (isOn: boolean) => void;
}>;

function EmailSwitch({ kind, isOn, disabled, error, onChange }: EmailSwitchProps) {
  const { name, when } = EMAILS[kind];
  return (
    <Setting
      name={name}
      action={
        <Switch
          aria-label={`Notify: ${name}`}
          checked={isOn}
          disabled={disabled}
          onChange={onChange}
        />
      }
      below={<Fault error={error} />}
    >
      {when}
    </Setting>
  );
}
