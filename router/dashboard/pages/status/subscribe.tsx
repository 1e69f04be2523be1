/** How to be told of incidents: the address of their feed. */
import { Rss } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { Dialog, Done } from '../../parts/form/dialog.tsx';

/** Where the status is not public, there is no feed. */
const FEED = '/status.atom';

export function feedAddress(): string {
  return `${location.origin}${FEED}`;
}

export function Subscribe() {
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
          description="Add this address to a feed reader or to your chat program. It looks at the feed regularly and tells you of new incidents and their updates."
        >
          <CodeBlock code={feedAddress()} what="address of the feed" />
          <footer className="flex items-center justify-between gap-2">
            <a
              href={FEED}
              type="application/atom+xml"
              target="_blank"
              rel="noreferrer"
              className="text-sm underline"
            >
              Open the feed
            </a>
            <Done onClose={close} />
          </footer>
        </Dialog>
      )}
    </>
  );
}
