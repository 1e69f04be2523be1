import { Link } from '@tanstack/react-router';

/** Leads to the emails and other jobs of an organization or a person. */
export function JobsLink({ id }: { id: string }) {
  return (
    <Link
      to="/operator/jobs"
      search={{ state: 'done', search: id }}
      className="text-accent hover:underline"
    >
      Show emails and other jobs
    </Link>
  );
}
