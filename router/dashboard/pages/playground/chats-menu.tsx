/** The chats that are kept in this browser and in the account, to open and to delete. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { History, Trash2, Upload } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useRef, useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Confirm } from '../../parts/form/dialog.tsx';
import { say } from '../../parts/said.tsx';
import { When } from '../../parts/shown.tsx';
import { BAR_LABEL } from './bar-label.ts';
import { type ChatPlaces, placeOf } from './kept/chat-places.ts';
import type { ChatSummary } from './kept/chat-store.ts';
import { PLACES } from './kept/place-menu.tsx';
import { CHATS, chatsQuery } from './kept/queries.ts';

type ChatsProps = Readonly<{
  places: ChatPlaces;
  mayUseAccount: boolean;
  /** The id of the open chat. */
  current: string;
  onOpen: (id: string) => void;
  onNew: () => void;
  onFile: (file: unknown) => void;
}>;

/** No chat is larger, with its images. */
const FILE_BYTES_MAX = 40_000_000;

export function ChatsMenu(props: ChatsProps) {
  const { places, mayUseAccount, current, onOpen, onNew, onFile } = props;
  const [open, setOpen] = useState(false);
  /** The chats whose deletion is to be confirmed. */
  const [doomed, setDoomed] = useState<readonly ChatSummary[] | null>(null);
  const isShown = open || doomed !== null;
  const here = useQuery({ ...chatsQuery(places, 'browser'), enabled: isShown });
  const account = useQuery({ ...chatsQuery(places, 'account'), enabled: isShown });
  const removal = useMutation({
    mutationFn: (ids: readonly string[]) => places.delete(ids),
    meta: { refetch: [CHATS] },
    onSuccess: (_data, ids) => {
      setDoomed(null);
      if (ids.includes(current)) onNew();
    },
  });
  const all = [...(here.data ?? []), ...(account.data ?? [])].toSorted(
    (a, b) => b.changed - a.changed,
  );
  const close = (act: () => void) => {
    setOpen(false);
    act();
  };
  return (
    <>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger asChild>
          <Button look="ghost">
            <History /> <span className={BAR_LABEL}>Chats</span>
          </Button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="end"
            sideOffset={4}
            collisionPadding={8}
            aria-label="Chats"
            className="z-50 grid w-[min(24rem,calc(100vw-1rem))] gap-2 rounded-lg border bg-panel p-2 shadow-float"
          >
            {all.length === 0 && (
              <p className="px-2 py-3 text-sm text-muted">
                No chats yet. Your chats are kept only in this browser
                {mayUseAccount ? ', unless you keep one in your account.' : '.'}
              </p>
            )}
            {account.error && (
              <p className="px-2 py-1 text-sm text-muted">
                The chats in your account could not be listed. {account.error.message}
              </p>
            )}
            <ul aria-label="Kept chats" className="max-h-80 overflow-y-auto empty:hidden">
              {all.map((chat) => (
                <ChatRow
                  key={chat.id}
                  chat={chat}
                  isCurrent={chat.id === current}
                  onOpen={() => close(() => onOpen(chat.id))}
                  onDelete={() => close(() => setDoomed([chat]))}
                />
              ))}
            </ul>
            <div className="flex justify-between gap-2 border-t pt-2">
              <OpenFile onFile={(file) => close(() => onFile(file))} />
              {all.length > 0 && (
                <Button look="ghost" size="small" onClick={() => close(() => setDoomed(all))}>
                  Delete all
                </Button>
              )}
            </div>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {doomed && (
        <Confirm
          onClose={() => setDoomed(null)}
          title={doomed.length === 1 ? 'Delete this chat?' : `Delete ${doomed.length} chats?`}
          action={doomed.length === 1 ? 'Delete' : 'Delete all'}
          mutation={{ ...removal, mutate: () => removal.mutate(doomed.map(({ id }) => id)) }}
        >
          <p>{effectOf(doomed)} This cannot be undone.</p>
        </Confirm>
      )}
    </>
  );
}

function effectOf(doomed: readonly ChatSummary[]): string {
  const [one] = doomed;
  if (one && doomed.length === 1) {
    const from = placeOf(one.id) === 'account' ? 'your account' : 'this browser';
    return `“${one.title}” is deleted from ${from}.`;
  }
  return 'All your chats of this organization are deleted, from this browser and from your account.';
}

type RowProps = Readonly<{
  chat: ChatSummary;
  isCurrent: boolean;
  onOpen: () => void;
  onDelete: () => void;
}>;

function ChatRow({ chat: { id, title, changed }, isCurrent, onOpen, onDelete }: RowProps) {
  const { name, icon: Icon } = PLACES[placeOf(id)];
  return (
    <li
      className={cx(
        'flex items-center gap-1 rounded-md pr-1 hover:bg-hover',
        isCurrent && 'bg-hover',
      )}
    >
      <button
        type="button"
        aria-current={isCurrent || undefined}
        className="grid min-w-0 flex-1 gap-0.5 rounded-md px-2 py-1.5 text-left focus-visible:-outline-offset-2"
        onClick={onOpen}
      >
        <span className="truncate text-sm">{title}</span>
        <span className="flex items-center gap-1 text-xs text-muted [&_svg]:size-3">
          <Icon aria-hidden /> {name}, <When at={new Date(changed).toISOString()} relative />
        </span>
      </button>
      <Button look="ghost" size="small" square aria-label={`Delete ${title}`} onClick={onDelete}>
        <Trash2 />
      </Button>
    </li>
  );
}

function OpenFile({ onFile }: { onFile: (file: unknown) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    if (file.size > FILE_BYTES_MAX) return say('This file is too large to be a chat.');
    onFile(
      await file
        .text()
        .then(JSON.parse)
        .catch(() => null),
    );
  };
  return (
    <>
      <Button look="ghost" size="small" onClick={() => input.current?.click()}>
        <Upload /> Open a file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Chat file"
        accept="application/json,.json"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void read(file);
          // Clearing the value lets the same file be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
