/** What all operations have in common: how to get a token, lists, amounts, errors and limits. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Me } from '../../../../shared/api/people.ts';
import { Code } from '../../parts/shown.tsx';
import { lastOrganization } from '../../session.tsx';
import { RolesPanel } from '../members/roles-panel.tsx';
import { LINK } from '../people/visitor-frame.tsx';
import type { Caller } from './curl.ts';
import type { OpenApi } from './document.ts';
import { ErrorTable } from './error-list.tsx';
import { everyError } from './errors.ts';
import type { Group } from './groups.ts';
import { Sample } from './sample.tsx';
import { TOPIC_TITLES, type TopicId } from './topics.ts';

type IntroductionProps = Readonly<{
  document: OpenApi;
  caller: Caller;
  me: Me | null;
  groups: readonly Group[];
  showsOperators: boolean;
}>;

export function Introduction(props: IntroductionProps) {
  const { document, caller, me, groups, showsOperators } = props;
  const { origin, organization } = caller;
  const base = `${origin}/api/v1`;
  return (
    <article className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-10">
      <header className="grid gap-3">
        <h1 className="text-2xl font-semibold tracking-tight">Management API</h1>
        <p>
          Manage organizations, members, API keys, credit and usage from a script. The dashboard is
          a client of this API: a script can do whatever a page can. To call models, see{' '}
          <Link to="/docs" className={LINK}>
            Inference
          </Link>{' '}
          and the{' '}
          <Link to="/docs/$page" params={{ page: 'reference' }} className={LINK}>
            reference of its API
          </Link>
          .
        </p>
        <Sample title="Base URL" what="the base URL" code={base} />
      </header>

      <Topic id="token">
        <p>
          A management token has one role in one organization. An administrator of the organization
          creates it in <TokenSettings me={me} />.
        </p>
        {showsOperators && (
          <p>
            An operator token may do what its operator may. An operator whose account is created
            gets one
            {me?.operator === true && (
              <>
                , and a new one in{' '}
                <Link to="/operator/operators" className={LINK}>
                  Operators
                </Link>
              </>
            )}
            .
          </p>
        )}
        <p>
          You see a token only once, so keep it in a secret store. An API key does not work here,
          and a token does not work for inference.
        </p>
        <Sample
          title="Your first request"
          what="the first request"
          code={[
            'export PENSTOCK_TOKEN=<your token>',
            '',
            `curl ${base}/organizations/${organization}/credit \\`,
            '  -H "Authorization: Bearer $PENSTOCK_TOKEN"',
          ].join('\n')}
        />
      </Topic>

      <Topic id="sessions">
        <p>
          A few operations act for a person and not for an organization, such as those of your
          account. They need the cookie of a session. Sign in once, and send the cookie with each
          request. A request that changes something also needs the header <Code>Origin</Code>, so
          that another site cannot act with your session.
        </p>
        <Sample
          title="Sign in"
          what="the sign-in request"
          code={[
            `curl -c session.txt ${base}/sign-in \\`,
            `  -H 'Origin: ${origin}' -H 'Content-Type: application/json' \\`,
            `  -d '{"email": "ada@example.com", "password": "…"}'`,
            '',
            `curl -b session.txt ${base}/me`,
          ].join('\n')}
        />
      </Topic>

      <Topic id="roles">
        <p>
          Each member of an organization has one role, and so has each management token. Each
          operation says which roles may call it. Something of another organization gets the same
          response as something that does not exist: 404.
        </p>
        <RolesPanel isTitled={false} />
      </Topic>

      <Topic id="lists">
        <p>
          A list comes in pages. <Code>limit</Code> is the size of a page: 1 to 1,000, and 100 if
          you leave it out. To get the next page, send the same request with <Code>after</Code> set
          to <Code>next</Code>. On the last page, <Code>has_more</Code> is false and{' '}
          <Code>next</Code> is null.
        </p>
        <Sample
          title="A page"
          what="the example of a page"
          code={'{"data": […], "has_more": true, "next": "1763719200000-key_4fKd82LmQz0A"}'}
        />
      </Topic>

      <Topic id="values">
        <p>
          An amount is an exact decimal string in USD with at most 12 decimals, such as{' '}
          <Code>"0.00001425"</Code>. Compute with decimals, not with floating-point numbers. A time
          is ISO 8601 in UTC. An unknown field or query parameter is refused, not ignored.
        </p>
      </Topic>

      <Topic id="idempotency">
        <p>
          Operations that move money, or send an invoice again, take the header{' '}
          <Code>Idempotency-Key</Code>. If a response is lost, send the same request with the same
          key: it takes effect once, and you get the first response again. A key is kept for at
          least a day. A refused request (4xx) has changed nothing, and its key can be used again.
        </p>
      </Topic>

      <Topic id="limits">
        <p>
          With a token there is no limit on requests a minute. Some operations have a limit of their
          own: signing in and sending emails, exports, PDF documents, saved chats, and the figures
          that anybody may see. Beyond it, the response is 429 <Code>rate_limited</Code>. Its header{' '}
          <Code>retry-after</Code> says how many seconds to wait. The body of a request has at most
          1 MiB.
        </p>
      </Topic>

      <Topic id="errors">
        <p>
          Every error has this shape. <Code>param</Code> names the field that is at fault, or is
          null. The message is written for people. Quote the <Code>request_id</Code> when you ask
          about a request: it is also the header <Code>x-request-id</Code> of every response.
        </p>
        <Sample
          title="An error"
          what="the example of an error"
          code={JSON.stringify(ERROR, null, 2)}
        />
        <p>
          After a 429, 500, 502 or 503, try again, and wait longer each time. After any other error,
          change the request first.
        </p>
        <div className="rounded-xl border bg-panel px-4 shadow-panel">
          <ErrorTable errors={everyError(document)} />
        </div>
      </Topic>

      <Topic id="groups">
        <ul className="divide-y rounded-xl border bg-panel shadow-panel">
          {groups.map(({ slug, name, description }) => (
            <li key={slug}>
              <Link
                to="/docs/api/$group"
                params={{ group: slug }}
                search
                className="grid gap-x-4 px-4 py-2.5 text-sm hover:bg-hover sm:grid-cols-[12rem_minmax(0,1fr)]"
              >
                <span className="font-medium">{name}</span>
                <span className="text-muted">{description}</span>
              </Link>
            </li>
          ))}
        </ul>
        <p>
          Generate a client from the{' '}
          <a href="/api/openapi.json" className={LINK}>
            OpenAPI 3.1 document
          </a>
          . The names of operations stay the same.
        </p>
      </Topic>
    </article>
  );
}

const ERROR = {
  error: {
    message: 'name is required.',
    type: 'invalid_request_error',
    param: 'name',
    code: 'missing_field',
  },
  request_id: 'req_01kap5zr4w8q2m6t9v3x7c1d5f',
};

type TopicProps = Readonly<{ id: TopicId; children: ReactNode }>;

function Topic({ id, children }: TopicProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-[calc(var(--header)+1rem)] grid-cols-[minmax(0,1fr)] gap-3"
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold tracking-tight">
        <a href={`#${id}`} className="hover:after:text-muted hover:after:content-['_#']">
          {TOPIC_TITLES[id]}
        </a>
      </h2>
      {children}
    </section>
  );
}

/** Leads to where tokens are created, in the organization that was shown last. */
function TokenSettings({ me }: { me: Me | null }) {
  const organization = me && lastOrganization(me);
  if (!organization) {
    return (
      <>
        the settings of the organization.{' '}
        <Link to="/sign-in" search={{ next: '/docs/api' }} className={LINK}>
          Sign in
        </Link>{' '}
        to get there
      </>
    );
  }
  return (
    <>
      the{' '}
      <Link
        to="/$organization/settings"
        params={{ organization: organization.id }}
        className={LINK}
      >
        settings of {organization.name}
      </Link>
    </>
  );
}
