/**
 * Says on every page that the service has an open incident. Who dismisses it sees it again in this
 * browser when the incident has changed, or another one is open.
 */
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { Siren, X } from 'lucide-react';
import { useState } from 'react';
import type { OpenIncident } from '../../../shared/api/incidents.ts';
import { openIncidentsQuery } from '../api/incidents.ts';
import { PAGES } from '../pages.ts';
import { Button } from '../parts/form/button.tsx';
import { When } from '../parts/shown.tsx';
import { store, stored } from '../storage.ts';
import { Strip } from './strip.tsx';

const DISMISSED = 'dismissed-incidents';

/** The pages that list open incidents themselves. */
const LISTING: readonly string[] = [PAGES.platform.path, PAGES.incidents.path];

export function IncidentBanner() {
  const open = useQuery(openIncidentsQuery).data?.data ?? [];
  const [dismissed, setDismissed] = useState(() => stored(DISMISSED));
  const isListed = useRouterState({
    select: ({ location }) => LISTING.includes(location.pathname),
  });
  const [newest] = open;
  const version = versionOf(open);
  if (newest === undefined || dismissed === version || isListed) return null;
  const dismiss = () => {
    store(DISMISSED, version);
    setDismissed(version);
  };
  return (
    <Strip
      tone="warn"
      icon={Siren}
      short
      action={
        <span className="flex items-center gap-1 sm:gap-2">
          <Button size="small" asChild>
            <Link to={PAGES.status.path}>
              <span className="max-sm:sr-only">Open status page</span>
              <span aria-hidden className="sm:hidden">
                Status
              </span>
            </Link>
          </Button>
          <Button size="small" look="ghost" onClick={dismiss}>
            <X className="sm:hidden" />
            <span className="max-sm:sr-only">Dismiss</span>
          </Button>
        </span>
      }
    >
      Incident: <span className="font-medium">{newest.title}</span>
      {open.length > 1 && ` and ${othersInWords(open.length - 1)}`}.{' '}
      <span className="max-sm:hidden">
        Updated <When at={newest.updated} relative />.
      </span>
    </Strip>
  );
}

function othersInWords(count: number): string {
  return count === 1 ? 'another open incident' : `${count} more open incidents`;
}

/** Differs once any of the incidents has changed. */
function versionOf(open: readonly OpenIncident[]): string {
  return open.map(({ id, updated }) => `${id} ${updated}`).join(',');
}
