import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import type { NewPersonLink, Person, PersonLink } from '../../../../../shared/api/people.ts';
import { type Sent, send } from '../../../api/client.ts';
import { Button } from '../../../parts/form/button.tsx';
import { CodeBlock } from '../../../parts/code/code-block.tsx';
import { Cancel, Dialog, DialogFooter, Done } from '../../../parts/form/dialog.tsx';
import { Fault } from '../../../parts/form/field.tsx';
import { When } from '../../../parts/shown.tsx';

type LinkInput = Sent<typeof NewPersonLink>;

export type LinkFor = Readonly<{ person: Person; purpose: LinkInput['purpose'] }>;

const WORDS = {
  'reset-password': {
    title: 'Password reset link',
    means: 'Anyone who opens the link can set a new password for this account.',
  },
  'confirm-email': {
    title: 'Confirmation link',
    means: 'Anyone who opens the link confirms the email of this account.',
  },
} as const;

export function LinkDialog({ person, purpose, onClose }: LinkFor & { onClose: () => void }) {
  const make = useMutation({
    mutationFn: (link: LinkInput) =>
      send<z.infer<typeof PersonLink>>('POST', '/people/links', link),
  });
  const { title, means } = WORDS[purpose];
  return (
    <Dialog
      secrets={make.data && [make.data.url]}
      onClose={onClose}
      title={`${title} for ${person.name}`}
      description={`${means} Use it when no email reaches ${person.email}.`}
    >
      {make.data ? (
        <>
          <CodeBlock code={make.data.url} what="the link" />
          <p className="text-sm text-muted">
            The link works once, expires <When at={make.data.expires} relative />, and is not shown
            again. Give it only to this person.
          </p>
        </>
      ) : (
        <Fault error={make.error} />
      )}
      <DialogFooter>
        {make.data ? (
          <Done onClose={onClose} />
        ) : (
          <>
            <Cancel />
            <Button
              look="primary"
              busy={make.isPending}
              onClick={() => make.mutate({ email: person.email, purpose })}
            >
              Create link
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}
