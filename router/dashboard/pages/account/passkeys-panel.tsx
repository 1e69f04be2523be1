import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '../../../../shared/api/passkeys.ts';
import { PASSKEYS_MAX } from '../../../../shared/bounds/passkeys.ts';
import { arePasskeysOfThisPage, canUsePasskeys, passkeysQuery } from '../../api/passkeys.ts';
import { Button } from '../../parts/form/button.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Panel } from '../../parts/page.tsx';
import { When } from '../../parts/shown.tsx';
import { passkeyOrigin } from '../../service.ts';
import { useMe } from '../../session.tsx';
import { Section } from '../../parts/section.tsx';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';

/** Not shown when this installation can have no passkeys. */
export function PasskeysPanel() {
  const origin = passkeyOrigin();
  return origin === null ? null : <Passkeys origin={origin} />;
}

function Passkeys({ origin }: { origin: string }) {
  const query = useInfiniteQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const { email_confirmed: isConfirmed } = useMe();
  const whyNone = whyNoneCanBeAdded({ origin, count: query.data?.length ?? 0, isConfirmed });
  return (
    <Section
      title="Passkeys"
      description="Sign in with your fingerprint, face or PIN, or a security key, instead of your password and code."
      action={
        whyNone === null && (
          <Button size="small" onClick={() => setAdding(true)}>
            Add passkey
          </Button>
        )
      }
    >
      <Panel flush>
        <LoadedList
          list={query}
          empty={
            <p className="px-5 py-4 text-sm text-muted">
              No passkeys. {whyNone ?? `You can have up to ${PASSKEYS_MAX}.`}
            </p>
          }
        >
          {(passkeys) => (
            <div className="divide-y divide-line">
              <ul className="divide-y divide-line">
                {passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} />
                ))}
              </ul>
              {whyNone !== null && <p className="px-5 py-3 text-sm text-muted">{whyNone}</p>}
            </div>
          )}
        </LoadedList>
      </Panel>
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

type Account = Readonly<{ origin: string; count: number; isConfirmed: boolean }>;

/** Null when one can be added. */
function whyNoneCanBeAdded({ origin, count, isConfirmed }: Account): string | null {
  if (!isConfirmed) return 'Confirm your email address to add one.';
  if (count >= PASSKEYS_MAX)
    return `You have ${count} passkeys, and cannot have more. Remove one to add another.`;
  if (!arePasskeysOfThisPage())
    return `Passkeys work only at ${origin}. Open the dashboard there to add one.`;
  return canUsePasskeys()
    ? null
    : 'This browser does not support passkeys. Update it, or use another one.';
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const { name, created, last_used: lastUsed } = passkey;
  const close = () => setOpen(null);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-3">
      <div className="grid min-w-0 flex-1 basis-48 gap-0.5 text-sm">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="flex flex-wrap gap-x-3 text-muted">
          <span>
            Added <When at={created} />
          </span>
          <span>
            {lastUsed === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <When at={lastUsed} relative />
              </>
            )}
          </span>
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <Button
          size="small"
          aria-label={`Rename passkey: ${name}`}
          onClick={() => setOpen('rename')}
        >
          Rename
        </Button>
        <Button
          size="small"
          aria-label={`Remove passkey: ${name}`}
          onClick={() => setOpen('remove')}
        >
          Remove
        </Button>
      </div>
      {open === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemovePasskeyDialog passkey={passkey} onClose={close} />}
    </li>
  );
}
