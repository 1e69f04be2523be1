import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import type { NewPersonLink, Person, PersonLink } from '../../../../shared/api/people.ts';
import { type Sent, send } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/field.tsx';
import { When } from '../../parts/shown.tsx';

type LinkInput = Sent<typeof NewPersonLink>;

export type LinkFor = Readonly<{ person: Person; purpose: LinkInput['purpose'] }>;

const WORDS = {
  'reset-password': {
    title: 'Reset link',
    means: 'Whoever opens it chooses a new password for this account.',
  },
  'confirm-email': {
    title: 'Confirmation link',
    means: 'Whoever opens it confirms that the address is theirs.',
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
      open
      sticky
      onOpenChange={(open) => open || onClose()}
      title={`${title} for ${person.name}`}
      description={`${means} For ${person.email}, where no letter arrives.`}
    >
      {make.data ? (
        <>
          <CodeBlock code={make.data.url} what="the link" />
          <p className="text-sm text-muted">
            It works once, expires <When at={make.data.expires} relative />, and is not shown again.
            Give it to them alone.
          </p>
        </>
      ) : (
        <Fault error={make.error} />
      )}
      <footer className="flex justify-end gap-2">
        {make.data ? (
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Cancel />
            <Button
              look="primary"
              busy={make.isPending}
              onClick={() => make.mutate({ email: person.email, purpose })}
            >
              Make link
            </Button>
          </>
        )}
      </footer>
    </Dialog>
  );
}
