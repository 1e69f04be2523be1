import { useIsMutating } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { AlertDialog, Dialog as Radix } from 'radix-ui';
import { createContext, type ReactNode, use, useState } from 'react';
import { Button } from './button.tsx';
import { cx } from '../class-names.ts';
import { CopyHeard } from '../copy.tsx';
import { Fault } from './field.tsx';
import { useFocusBack } from './focus-back.ts';

const VEIL = 'fixed inset-0 z-40 bg-black/40';
/**
 * On a phone, a dialog leaves only a narrow edge of the page. A field that gets the focus does not
 * stand behind the buttons, which stay in view.
 */
const BOX =
  'fixed top-1/2 left-1/2 z-50 grid max-h-[90dvh] w-[calc(100vw-2rem)] max-sm:max-h-[calc(100dvh-1rem)] max-sm:w-[calc(100vw-1rem)] max-sm:max-w-none -translate-x-1/2 -translate-y-1/2 grid-cols-[minmax(0,1fr)] gap-4 overflow-y-auto scroll-pb-20 rounded-xl border bg-panel p-5 shadow-float outline-none';

const WIDTHS = { usual: 'max-w-md', wide: 'max-w-2xl', widest: 'max-w-4xl' } as const;

type DialogProps = Readonly<{
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** `wide`: for tables and code; `widest`: for tables of many columns. */
  width?: keyof typeof WIDTHS;
  /**
   * The dialog shows something once, such as a link. A click outside does not close it, and
   * other ways of dismissing it, such as Escape, ask first. The owner's own button does not ask.
   */
  sticky?: boolean;
  /**
   * Texts that the dialog shows once, such as a new key, which makes it sticky. Until all of them are
   * copied, the button Done asks, too. After that, nothing asks.
   */
  secrets?: readonly string[] | null | undefined;
  /** A line was typed that is to be kept as a text of several lines is. */
  isEdited?: boolean;
  children: ReactNode;
}>;

/**
 * A dialog. Mount it only while it is open: unmounting discards what was typed. Once a text of several
 * lines was typed, only its button Cancel closes it without asking.
 */
export function Dialog({
  onClose,
  title,
  description,
  width = 'usual',
  sticky = false,
  secrets,
  isEdited = false,
  children,
}: DialogProps) {
  const focusBack = useFocusBack();
  const [asking, setAsking] = useState(false);
  const [isTyped, setTyped] = useState(false);
  const [copied, setCopied] = useState<readonly string[]>([]);
  const hasSecrets = secrets !== null && secrets !== undefined;
  const isCopied = hasSecrets && secrets.every((secret) => copied.includes(secret));
  const isShownOnce = sticky || hasSecrets;
  const isKept = isShownOnce || isTyped || isEdited;
  const isSending = useIsMutating() > 0;
  const dismiss = () => {
    if (isKept && !isCopied) setAsking(true);
    // While a mutation is in flight, the dialog stays, so that its result, such as a key, is seen.
    else if (!isSending) onClose();
  };
  const noteCopied = (text: string) => {
    const found = (secrets ?? []).filter((secret) => text.includes(secret));
    if (found.length > 0) setCopied((before) => [...new Set([...before, ...found])]);
  };
  const done = () => (isCopied ? onClose() : setAsking(true));
  return (
    <Radix.Root open onOpenChange={(open) => open || dismiss()}>
      <Radix.Portal>
        <Radix.Overlay className={VEIL} />
        <Radix.Content
          className={cx(BOX, WIDTHS[width])}
          {...focusBack}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          {...(isKept ? { onInteractOutside: (event) => event.preventDefault() } : {})}
          // Selected by hand.
          onCopy={({ target }) => noteCopied(selectedIn(target))}
          onInput={({ target }) => {
            if (target instanceof HTMLTextAreaElement) setTyped(true);
          }}
        >
          <header className="grid gap-1 pr-8">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description className="text-sm text-muted">{description}</Radix.Description>
            )}
          </header>
          <CopyHeard value={noteCopied}>
            <CloseDialog value={{ cancel: onClose, done: hasSecrets ? done : null }}>
              {children}
            </CloseDialog>
          </CopyHeard>
          {asking && (
            <ConfirmClose
              {...(isShownOnce ? WITHOUT_COPYING : WITHOUT_SENDING)}
              onClose={onClose}
              onStay={() => setAsking(false)}
            />
          )}
          <Radix.Close asChild>
            <Button
              look="ghost"
              size="small"
              square
              aria-label="Close"
              className="absolute top-4 right-4 max-sm:top-2 max-sm:right-2"
            >
              <X />
            </Button>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The selection of a document does not have what is selected in a field. */
function selectedIn(target: EventTarget): string {
  if (!(target instanceof HTMLInputElement)) return String(getSelection());
  return target.value.slice(target.selectionStart ?? 0, target.selectionEnd ?? 0);
}

/**
 * How buttons close the dialog that they are in. `done` asks if what is shown once was not copied;
 * null: its owner closes it.
 */
const CloseDialog = createContext<Readonly<{ cancel: () => void; done: (() => void) | null }>>({
  cancel: () => {},
  done: null,
});

/** The button that closes a dialog without any other action, also if something was typed. */
export function Cancel() {
  const isSending = useIsMutating() > 0;
  const { cancel } = use(CloseDialog);
  return <Button onClick={() => isSending || cancel()}>Cancel</Button>;
}

/** The buttons of a dialog, which stay in view while its content scrolls and fades out above them. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 bg-panel px-5 pt-2 pb-5 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-4 before:bg-linear-to-t before:from-panel before:to-transparent">
      {children}
    </footer>
  );
}

/** Makes its button close the dialog as Escape does: a sticky dialog asks first. */
export function Dismiss({ children }: { children: ReactNode }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}

/** The button that closes a dialog whose work is done. */
export function Done({ onClose }: { onClose: () => void }) {
  const { done } = use(CloseDialog);
  return (
    <Button look="primary" onClick={done ?? onClose}>
      Done
    </Button>
  );
}

type ConfirmProps = Readonly<{
  onClose: () => void;
  title: string;
  /** The effects of the action, and whether it can be undone. */
  children: ReactNode;
  /** The label of the button, such as "Revoke key". */
  action: string;
  /** The action itself. */
  mutation: Readonly<{ mutate: () => void; isPending: boolean; error: Error | null }>;
  harmless?: boolean;
  /** Something was typed, which Escape does not discard without asking. */
  isEdited?: boolean;
  /** The label of the button that closes it without the action. */
  cancel?: string;
}>;

/**
 * Asks for confirmation before an action. Mount it only while it is open; the owner closes it when
 * the action has succeeded.
 */
export function Confirm({
  onClose,
  title,
  children,
  action,
  mutation: { mutate, isPending, error },
  harmless = false,
  isEdited = false,
  cancel = 'Cancel',
}: ConfirmProps) {
  const focusBack = useFocusBack();
  const [asking, setAsking] = useState(false);
  const dismiss = () => (isEdited ? setAsking(true) : onClose());
  return (
    <AlertDialog.Root open onOpenChange={(open) => open || isPending || dismiss()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={VEIL} />
        <AlertDialog.Content className={`${BOX} max-w-md`} {...focusBack}>
          <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="grid gap-2 text-sm text-muted">{children}</div>
          </AlertDialog.Description>
          <Fault error={error} />
          <DialogFooter>
            <AlertDialog.Cancel asChild>
              <Button
                onClick={(event) => {
                  // Unlike Escape, it does not ask.
                  event.preventDefault();
                  if (!isPending) onClose();
                }}
              >
                {cancel}
              </Button>
            </AlertDialog.Cancel>
            <Button
              look={harmless ? 'primary' : 'danger'}
              busy={isPending}
              onClick={() => mutate()}
            >
              {action}
            </Button>
          </DialogFooter>
          {asking && (
            <ConfirmClose {...WITHOUT_SENDING} onClose={onClose} onStay={() => setAsking(false)} />
          )}
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

const WITHOUT_COPYING = {
  title: 'Close without copying?',
  action: 'Close',
  cancel: 'Keep open',
  children: "You won't see this again. Copy it first if you still need it.",
};
const WITHOUT_SENDING = {
  title: 'Discard what you entered?',
  action: 'Discard',
  cancel: 'Keep editing',
  children: 'It was not sent.',
};

type ConfirmCloseProps = Pick<ConfirmProps, 'title' | 'action' | 'cancel' | 'children'> &
  Readonly<{ onClose: () => void; onStay: () => void }>;

function ConfirmClose({ onClose, onStay, ...words }: ConfirmCloseProps) {
  return (
    <Confirm
      {...words}
      onClose={onStay}
      mutation={{ mutate: onClose, isPending: false, error: null }}
    />
  );
}
