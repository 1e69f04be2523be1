/** One person, as operators see them: the account, organizations, sessions and last changes. */
import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { PersonDetail } from '../../../../../shared/api/people.ts';
import { roleName } from '../../../../../shared/role-names.ts';
import { personQuery } from '../../../api/platform.ts';
import { shownCount } from '../../../format/count.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { Copied } from '../../../parts/copy.tsx';
import { Id } from '../../../parts/id.tsx';
import { Fact, Facts, Page, Panel } from '../../../parts/page.tsx';
import { Badge, When } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { isUnknown, UnknownItem } from '../../../parts/unknown-item.tsx';
import { foremost, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { LatestJobs } from '../jobs/latest-jobs.tsx';
import { Nothing } from '../nothing.tsx';
import { historyQuery, PersonHistory } from './person-history.tsx';
import { LockButton, LockedNotice } from './person-lock.tsx';
import { PersonMenu } from './person-menu.tsx';
import { PersonSessions } from './person-sessions.tsx';
import { PersonStatus } from './person-status.tsx';

export default function PersonPage() {
  const { person: id = '' } = useParams({ strict: false });
  // All at once, and not when the person is known.
  usePrefetchInfiniteQuery(historyQuery(id, 'account'));
  const query = useQuery(personQuery(id));
  const person = query.data;
  if (isUnknown(query.error)) return <UnknownItem kind="people" />;
  return (
    <Page
      title={person?.name ?? 'Person'}
      description={
        person && (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-0.5">
            <PersonStatus person={person} />
            <Copied text={person.email} what="the email">
              {person.email}
            </Copied>
          </span>
        )
      }
      back={<BackLink to="/operator/people">People</BackLink>}
      actions={
        <>
          {person && <LockButton person={person} />}
          {person && <PersonMenu person={person} />}
        </>
      }
    >
      {person === undefined ? (
        <Panel flush>
          <Loaded query={query}>{() => null}</Loaded>
        </Panel>
      ) : (
        <>
          <LockedNotice person={person} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
            <Account person={person} />
            <SigningIn person={person} />
          </div>
          <Organizations person={person} />
          <PersonSessions person={person} />
          <LatestJobs id={id} />
          <PersonHistory person={id} />
        </>
      )}
    </Page>
  );
}

function Account({ person }: { person: PersonDetail }) {
  return (
    <Panel title="Account">
      <Facts>
        <Fact name="Email confirmed">
          <When at={person.email_confirmed_at} never="Not yet" />
        </Fact>
        <Fact name="Signed up">
          <When at={person.created} />
        </Fact>
        <Fact name="ID">
          <Id id={person.id} what="the ID" />
        </Fact>
      </Facts>
    </Panel>
  );
}

function SigningIn({ person }: { person: PersonDetail }) {
  const { recovery_codes_left: left } = person;
  return (
    <Panel title="Signing in">
      <Facts>
        <Fact name="Last sign-in">
          <When at={person.last_sign_in} relative never="None recorded" />
        </Fact>
        <Fact name="Open sessions">{shownCount(person.sessions.length)}</Fact>
        <Fact name="Two-factor">
          {person.second_factor ? (
            <Badge tone="good">On</Badge>
          ) : (
            <span className="text-muted">Off</span>
          )}
        </Fact>
        {person.second_factor && (
          <Fact name="Recovery codes">
            {left === 0 ? <Badge tone="warn">None left</Badge> : `${shownCount(left)} left`}
          </Fact>
        )}
        {person.passkeys !== undefined && (
          <Fact name="Passkeys">{shownCount(person.passkeys)}</Fact>
        )}
      </Facts>
    </Panel>
  );
}

function Organizations({ person: { organizations } }: { person: PersonDetail }) {
  return (
    <Panel title="Organizations" flush>
      {organizations.length === 0 ? (
        <Nothing flush title="This person belongs to no organization" />
      ) : (
        <Table label="Organizations" columns={['Organization', foremost('Role'), 'Joined']}>
          {organizations.map(({ id, name, role, joined }) => (
            <tr key={id}>
              <Td className="font-medium">
                <Link
                  to="/operator/organizations/$organization"
                  params={{ organization: id }}
                  className="hover:underline"
                >
                  {name}
                </Link>
              </Td>
              <Td>
                <Badge>{roleName(role)}</Badge>
              </Td>
              <TimeCell at={joined} />
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
