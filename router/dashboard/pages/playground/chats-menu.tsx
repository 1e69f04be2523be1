/** The chats that this browser keeps, to open and to delete. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { History, Trash2, Upload } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { say } from '../../parts/said.tsx';
import { When } from '../../parts/shown.tsx';
import { BAR_LABEL } from './bar-label.ts';
import type { ChatStore } from './kept/chat-store.ts';
import { CHATS, chatsQuery } from './kept/queries.ts';

type ChatsProps = Readonly<{
  store: ChatStore;
  /** The id of the open chat. */
  current: string;
  onOpen: (id: string) => void;
  onNew: () => void;
  onFile: (file: unknown) => void;
}>;

/** No chat is larger, with its images. */
const FILE_BYTES_MAX = 40_000_000;

export function ChatsMenu({ store, current, onOpen, onNew, onFile }: ChatsProps) {
  const [open, setOpen] = useState(false);
  const [clearing, setClearing] = useState(false);
  const chats = useQuery({ ...chatsQuery(store), enabled: open || clearing });
  const removal = useMutation({
    mutationFn: (ids: readonly string[]) => store.delete(ids),
    meta: { refetch: [CHATS] },
    onSuccess: (_data, ids) => {
      setClearing(false);
      if (ids.includes(current)) onNew();
    },
  });
  const all = chats.data ?? [];
  return (
    <>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger asChild>
          <Button>
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
                No chats yet. Your chats are kept in this browser only.
              </p>
            )}
            <ul aria-label="Kept chats" className="max-h-80 overflow-y-auto empty:hidden">
              {all.map(({ id, title, changed }) => (
                <li
                  key={id}
                  className={cx(
                    'flex items-center gap-1 rounded-md pr-1 hover:bg-hover',
                    id === current && 'bg-hover',
                  )}
                >
                  <button
                    type="button"
                    aria-current={id === current || undefined}
                    className="grid min-w-0 flex-1 gap-0.5 px-2 py-1.5 text-left"
                    onClick={() => {
                      setOpen(false);
                      onOpen(id);
                    }}
                  >
                    <span className="truncate text-sm">{title}</span>
                    <span className="text-xs text-muted">
                      <When at={new Date(changed).toISOString()} relative />
                    </span>
                  </button>
                  <Button
                    look="ghost"
                    size="small"
                    square
                    aria-label={`Delete ${title}`}
                    onClick={() => removal.mutate([id])}
                  >
                    <Trash2 />
                  </Button>
                </li>
              ))}
            </ul>
            <div className="flex justify-between gap-2 border-t pt-2">
              <OpenFile
                onFile={(file) => {
                  setOpen(false);
                  onFile(file);
                }}
              />
              {all.length > 0 && (
                <Button
                  look="ghost"
                  size="small"
                  onClick={() => {
                    setOpen(false);
                    setClearing(true);
                  }}
                >
                  Delete all
                </Button>
              )}
            </div>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {clearing && (
        <Confirm
          onClose={() => setClearing(false)}
          title="Delete all chats?"
          action="Delete all"
          mutation={{ ...removal, mutate: () => removal.mutate(all.map(({ id }) => id)) }}
        >
          <p>
            All your chats of this organization are deleted from this browser. This cannot be
            undone.
          </p>
        </Confirm>
      )}
    </>
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
