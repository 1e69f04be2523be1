/** The organizations because of which an account was not deleted, and where to change that. */
import { Link } from '@tanstack/react-router';
import type { BlockingOrganization } from '../../../../shared/refusals.ts';
import { PAGES } from '../../pages.ts';

/** The pages on which the person can change what stands in the way, the usual one first. */
const CHANGED_ON = {
  last_admin: ['members', 'settings'],
  owing: ['billing'],
} as const satisfies Readonly<
  Record<BlockingOrganization['reason'], readonly (keyof typeof PAGES)[]>
>;

type Props = Readonly<{ organizations: readonly BlockingOrganization[] }>;

export function BlockingOrganizations({ organizations }: Props) {
  if (organizations.length === 0) return null;
  return (
    <div role="alert" className="grid gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm">
      <p className="font-medium text-bad">Your account was not deleted.</p>
      <ul className="grid gap-2">
        {organizations.map((each) => (
          <li key={each.id} className="grid gap-1 wrap-anywhere">
            {each.message}
            <span className="flex flex-wrap gap-x-4 gap-y-1">
              {CHANGED_ON[each.reason].map((page) => (
                <Link
                  key={page}
                  to={PAGES[page].path}
                  params={{ organization: each.id }}
                  className="underline underline-offset-2"
                >
                  {PAGES[page].title} of {each.name}
                </Link>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
