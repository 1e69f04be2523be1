/** What a job is for, as an operator recognizes it, with a link where there is a page of it. */
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Job } from '../../../../../shared/api/jobs.ts';
import { cx } from '../../../parts/class-names.ts';
import { Code } from '../../../parts/shown.tsx';
import { isOrganizationId } from '../../../session.tsx';
import { PersonLink } from '../people/person-link.tsx';

export function JobSubject({ job }: { job: Job }) {
  const { subject, subject_name: name, subject_organization: organization } = job;
  if (subject === null) return <span className="text-muted">Nobody</span>;
  return (
    <>
      <div className="wrap-anywhere">
        <Subject id={subject} name={name} organization={organization?.id} />
      </div>
      {organization && (
        <span className="block text-xs wrap-anywhere text-muted">
          <OrganizationLink id={organization.id} name={organization.name} />
        </span>
      )}
    </>
  );
}

type Named = Readonly<{ id: string; name: string | null }>;

type SubjectProps = Named & Readonly<{ organization: string | undefined }>;

function Subject({ id, name, organization }: SubjectProps) {
  if (id.startsWith('per_') && name !== null) return <PersonLink id={id} name={name} />;
  if (id.startsWith('whk_') && organization !== undefined) {
    return (
      <Link
        to="/$organization/webhooks/$webhook"
        params={{ organization, webhook: id }}
        className="hover:underline"
      >
        {name ?? <Code>{id}</Code>}
      </Link>
    );
  }
  if (isOrganizationId(id)) return <OrganizationLink id={id} name={name} />;
  return name === null ? <Code>{id}</Code> : <Name>{name}</Name>;
}

/** A part of a name of up to this many characters is not broken in a wide window. */
const WHOLE_CHARS_MAX = 30;

/** What a job is for. An email address, such as that of an invitation, wraps after its @. */
function Name({ children }: { children: string }) {
  return children.split(/(?<=@)/).map((part) => (
    <Fragment key={part}>
      <span className={cx(part.length <= WHOLE_CHARS_MAX && 'md:whitespace-nowrap')}>{part}</span>
      <wbr />
    </Fragment>
  ));
}

function OrganizationLink({ id, name }: Named) {
  return (
    <Link
      to="/operator/organizations/$organization"
      params={{ organization: id }}
      className="hover:underline"
    >
      {name ?? <Code>{id}</Code>}
    </Link>
  );
}
