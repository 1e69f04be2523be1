/** How to be told of incidents: by the address of their feed, or by email. */
import { Link } from '@tanstack/react-router';
import { Rss } from 'lucide-react';
import { useState } from 'react';
import type { Me } from '../../../../shared/api/people.ts';
import { areModelsPublic } from '../../api/public-figures.ts';
import { Button } from '../../parts/form/button.tsx';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { Dialog, DialogFooter, Done } from '../../parts/form/dialog.tsx';
import { IncidentEmails } from '../account/incident-emails.tsx';

/** Where the status is not public, there is no feed. */
const FEED = '/status.atom';

export function feedAddress(): string {
  return `${location.origin}${FEED}`;
}

/** `visitor`: null for somebody who is not signed in. */
export function Subscribe({ visitor }: { visitor: Me | null }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Rss /> Subscribe
      </Button>
      {isOpen && (
        <Dialog
          onClose={close}
          title="Subscribe to incidents"
          description="Get notified of new incidents and their updates."
        >
          <section aria-label="By email" className="rounded-lg border">
            {visitor ? <IncidentEmails me={visitor} /> : <ByEmail />}
          </section>
          {areModelsPublic() && <Feed />}
          <DialogFooter>
            <Done onClose={close} />
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}

function ByEmail() {
  return (
    <p className="px-5 py-4 text-sm text-muted">
      By email:{' '}
      <Link to="/sign-in" search={{ next: '/account' }} className="text-ink underline">
        sign in
      </Link>{' '}
      and choose emails about incidents in your account.
    </p>
  );
}

function Feed() {
  return (
    <section aria-label="By a feed" className="grid gap-2">
      <p className="text-sm text-muted">
        Or add the address of the feed to a feed reader or to your chat program, which looks at it
        regularly:
      </p>
      <CodeBlock code={feedAddress()} what="address of the feed" />
      <a
        href={FEED}
        type="application/atom+xml"
        target="_blank"
        rel="noreferrer"
        className="justify-self-start text-sm underline"
      >
        Open the feed
      </a>
    </section>
  );
}
