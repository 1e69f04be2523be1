import { Link } from '@tanstack/react-router';
import { mayDo } from '../../../control/permissions.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { useMe } from '../../session.tsx';
import { Setting } from './setting.tsx';

/** Which emails the person gets, and where those that can be changed are set. */
export function NotificationsPanel() {
  const { organizations } = useMe();
  const billed = organizations.filter(({ role }) => mayDo(role, 'billing'));
  return (
    <Panel title="Email notifications" description="Sent to the email that you sign in with." flush>
      <div className="divide-y divide-line border-t">
        <Setting name="Security" action={null}>
          Changes of your password, email and two-factor authentication. Always on.
        </Setting>
        {billed.map(({ id, name }) => (
          <Setting
            key={id}
            name={name}
            action={
              <Button asChild>
                <Link
                  to={PAGES.billing.path}
                  params={{ organization: id }}
                  search={{}}
                  aria-label={`Billing of ${name}`}
                >
                  Billing
                </Link>
              </Button>
            }
          >
            Payments, invoices, a low balance and a reached budget. Set thresholds under Billing.
          </Setting>
        ))}
      </div>
    </Panel>
  );
}
