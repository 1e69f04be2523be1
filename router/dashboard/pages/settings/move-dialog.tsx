import { useMutation } from '@tanstack/react-query';
import type { Organization, OrganizationSettings } from '../../../../shared/api/organizations.ts';
import { REGION_NAMES } from '../../../../shared/region.ts';
import { send, type Sent } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { Cancel, Dialog, DialogFooter, Done } from '../../parts/form/dialog.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Code } from '../../parts/shown.tsx';

/** A region that the organization may move to, and the base URL there. */
export type Move = Organization['moves'][number];

type MoveProps = Readonly<{ organization: Organization; to: Move; onClose: () => void }>;

/**
 * Shows before a move to a region what changes, with the new base URL first, and what stays.
 */
export function MoveDialog({ organization, to, onClose }: MoveProps) {
  const { id, base_url: before } = organization;
  const name = REGION_NAMES[to.region];
  const move = useMutation({
    mutationFn: (body: Sent<typeof OrganizationSettings>) =>
      send<Organization>('PATCH', `/organizations/${id}`, body),
    meta: { refetch: [ofOrganization(id), meQuery.queryKey] },
  });
  if (move.data) return <MovedDialog name={name} url={move.data.base_url} onClose={onClose} />;
  return (
    <Dialog
      onClose={onClose}
      title={`Move to ${name}`}
      description={`After you confirm, requests run only in the ${name}.`}
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm">
        <li>
          <strong>The base URL changes.</strong> Set the new base URL in every program that calls
          the API:
          <span className="mt-1 block">
            <Code>{to.base_url}</Code>
          </span>
          {before !== null && (
            <span className="mt-1 block">
              At the current base URL your keys stop working immediately: <Code>{before}</Code>
            </span>
          )}
        </li>
        <li>
          Keys, credit, limits and billing do not change. Running requests finish where they
          started.
        </li>
        <li>
          <strong>You cannot undo this.</strong> Only support can move the organization again.
        </li>
      </ul>
      <Fault error={move.error} />
      <DialogFooter>
        <Cancel />
        <Button
          look="danger"
          busy={move.isPending}
          onClick={() => move.mutate({ region: to.region })}
        >
          Move to {name}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

type MovedProps = Readonly<{ name: string; url: string | null; onClose: () => void }>;

function MovedDialog({ name, url, onClose }: MovedProps) {
  return (
    <Dialog
      onClose={onClose}
      title={`Organization moved to ${name}`}
      description="Keys, credit and billing did not change. From now on, use your keys at this base URL:"
    >
      {url === null ? (
        <p className="text-sm">
          This router does not know the base URL of {name}. Ask support for it.
        </p>
      ) : (
        <CodeBlock code={url} what="new base URL" />
      )}
      <DialogFooter>
        <Done onClose={onClose} />
      </DialogFooter>
    </Dialog>
  );
}
