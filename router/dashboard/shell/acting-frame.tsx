import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { send } from '../api/client.ts';
import { hasSession } from '../api/me.ts';
import { allowedChangesPath, allowedChangesQuery } from '../api/operator-changes.ts';
import { ofOrganization, organizationQuery } from '../api/organization.ts';
import { Button } from '../parts/form/button.tsx';
import { cx } from '../parts/class-names.ts';
import { say } from '../parts/said.tsx';
import { When } from '../parts/shown.tsx';
import { useIsActing, useIsViewer, useOrganization, useRole } from '../session.tsx';

export const AllowChangesDialog = lazy(() => import('./allow-changes-dialog.tsx'));

/** Marks every page of an organization that an operator sees without being an administrator of it. */
export function ActingFrame({ children }: { children: ReactNode }) {
  const organization = useOrganization();
  const isActing = useIsActing();
  const isViewer = useIsViewer();
  const name = useQuery({ ...organizationQuery(organization), enabled: isActing }).data?.name;
  const isShown = isActing && name !== undefined;
  const mayChange = useAllowedChanges(isActing) !== null;
  useLeavingSaid(organization, isShown);
  return (
    // The element is always there, so that the page keeps its state when the name arrives.
    <div
      className={cx(
        'flex flex-1 flex-col',
        isShown && 'border-2',
        isShown && (mayChange ? 'border-warn' : 'border-accent'),
      )}
    >
      {isShown && (
        <div
          className={cx(
            'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2 text-sm sm:px-8',
            mayChange ? 'bg-warn-soft' : 'bg-accent-soft',
          )}
        >
          <p className="min-w-0 wrap-anywhere">
            Acting as operator in <strong className="font-semibold">{name}</strong>. <ChangesTold />
          </p>
          <span className="flex flex-wrap gap-2">
            {!isViewer && <ChangesButton name={name} />}
            <Button size="small" asChild>
              <Link to="/operator/organizations/$organization" params={{ organization }}>
                <ArrowLeft /> Back to operator pages
              </Link>
            </Button>
          </span>
        </div>
      )}
      {children}
    </div>
  );
}

/** Says that the operator has left the organization, besides that its frame is gone. */
function useLeavingSaid(organization: string, isShown: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isShown) return undefined;
    return () => {
      const left = queries.getQueryData(organizationQuery(organization).queryKey);
      // Who has signed out has left everything, and another may read what is said.
      if (left && hasSession()) say(`You left ${left.name}`);
    };
  }, [queries, organization, isShown]);
}

/** The changes that the operator has allowed in the organization that is shown, if any. */
export function useAllowedChanges(isActing: boolean) {
  const query = { ...allowedChangesQuery(useOrganization()), enabled: isActing };
  return useQuery(query).data?.allowed ?? null;
}

function ChangesTold() {
  const allowed = useAllowedChanges(true);
  const own = useRole() === null ? 'nothing' : 'what your role as a member allows';
  if (!allowed) return <>You can look at everything, and change {own}.</>;
  return <ChangesAllowed until={allowed.until} />;
}

export function ChangesAllowed({ until }: { until: string }) {
  return (
    <span role="status" title="Changes are recorded in the audit log of the organization.">
      Changes are allowed until <When at={until} /> (ends <When at={until} relative />) and
      recorded.
    </span>
  );
}

export function ChangesButton({ name }: { name: string }) {
  const organization = useOrganization();
  const { data } = useQuery(allowedChangesQuery(organization));
  const [isAsked, setAsked] = useState(false);
  const end = useMutation({
    mutationFn: () => send('DELETE', allowedChangesPath(organization)),
    meta: { refetch: [ofOrganization(organization, 'operator-changes')] },
    onError: (error) => say(error.message),
  });
  if (data === undefined) return null;
  if (data.allowed) {
    return (
      <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
        End changes
      </Button>
    );
  }
  return (
    <>
      <Button size="small" onClick={() => setAsked(true)}>
        Allow changes
      </Button>
      {isAsked && (
        <Suspense>
          <AllowChangesDialog
            organization={organization}
            name={name}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      )}
    </>
  );
}
