/** What is said above a chat about where it is kept. */
import { BookmarkPlus } from 'lucide-react';
import { Button } from '../../../parts/form/button.tsx';
import { Notice } from '../../../parts/notice.tsx';
import type { Place } from './chat-places.ts';
import type { KeepFault } from './keep-fault.ts';

/** The chat that the address names is not kept. `fault`: why it could not be read. */
export function MissingNotice({ place, fault }: Readonly<{ place: Place; fault: string | null }>) {
  if (fault !== null) {
    return (
      <Notice tone="warn" title="This chat could not be read">
        {fault}
      </Notice>
    );
  }
  if (place === 'account') {
    return (
      <Notice tone="warn" title="This chat is not in your account">
        It was deleted, or it belongs to another person or organization. Ask for its JSON file or a
        link.
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="This chat is not in this browser">
      It was deleted, or it is kept in another browser or by another person. Ask for its JSON file
      or a link.
    </Notice>
  );
}

export function SharedNotice({ onKeep }: { onKeep: () => void }) {
  return (
    <Notice
      title="This chat was shared with you"
      action={
        <Button size="small" onClick={onKeep}>
          <BookmarkPlus /> Keep
        </Button>
      }
    >
      It is not kept in this browser unless you continue it or keep it.
    </Notice>
  );
}

type FaultProps = Readonly<{
  fault: KeepFault;
  place: Place;
  disabled: boolean;
  onRetry: () => void;
  onReopen: () => void;
  /** Keeps the chat as it is shown as a new one. */
  onCopy: (to: Place) => void;
}>;

/** The chat is not kept as it is shown. */
export function FaultNotice({ fault, place, disabled, onRetry, onReopen, onCopy }: FaultProps) {
  const retry = (
    <Button size="small" disabled={disabled} onClick={onRetry}>
      Try again
    </Button>
  );
  if (place === 'browser') {
    return (
      <Notice tone="warn" title="This chat is not kept" action={retry}>
        {fault.message}
      </Notice>
    );
  }
  const isChanged = fault.kind === 'changed-elsewhere';
  return (
    <Notice tone="warn" title="This chat is not saved in your account">
      <p>{fault.message}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {fault.kind === 'other' && retry}
        {isChanged && (
          <Button size="small" disabled={disabled} onClick={onReopen}>
            Show the other version
          </Button>
        )}
        <Button
          size="small"
          disabled={disabled}
          onClick={() => onCopy(isChanged ? 'account' : 'browser')}
        >
          {isChanged ? 'Keep this one as a new chat' : 'Keep in this browser'}
        </Button>
      </div>
    </Notice>
  );
}
