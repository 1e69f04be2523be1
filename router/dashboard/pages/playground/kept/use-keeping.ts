/**
 * Keeps the open chat whenever it has changed. One in the account is saved at the end of an answer,
 * and not while it grows.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { after } from '../../../clock.ts';
import { say } from '../../../parts/said.tsx';
import { isAnswering } from '../chat.ts';
import { fileOf, type KeptChat } from './chat-file.ts';
import { type ChatPlaces, placeOf } from './chat-places.ts';
import { KeepFault } from './keep-fault.ts';
import { CHATS } from './queries.ts';

/** A chat that changes is kept once it has not changed for this long. */
const CALM_MS = 300;

const REGIONAL = 'Chats of US and EU organizations are not kept in accounts.';

type KeepingParts = Readonly<{
  places: ChatPlaces;
  id: string;
  chat: KeptChat;
  /** Whether chats may be kept in the account. */
  mayUseAccount: boolean;
  /** Called when the chat was kept while its page is open. */
  onKept: () => void;
}>;

export type Keeping = Readonly<{
  /** Why the chat is not kept as it is shown; null when it is. */
  fault: KeepFault | null;
  retry: () => void;
  /** Stops keeping the chat, which is being moved, until `resume`. */
  pause: () => void;
  resume: () => void;
}>;

export function useKeeping(parts: KeepingParts): Keeping {
  const { places, id, chat, mayUseAccount, onKept } = parts;
  const queries = useQueryClient();
  const [fault, setFault] = useState<KeepFault | null>(null);
  /** The chat as it was opened or last kept. */
  const kept = useRef(chat);
  const isPaused = useRef(false);
  const keep = useEffectEvent(async (): Promise<'kept' | 'unchanged' | KeepFault> => {
    const isSame = kept.current.turns === chat.turns && kept.current.lanes === chat.lanes;
    // The text of an answer in flight grows without a change of its turn.
    if (chat.turns.length === 0 || (isSame && !isAnswering(chat.turns))) return 'unchanged';
    // Saving again what was changed elsewhere, or deleted, cannot succeed.
    if (isPaused.current || (fault !== null && fault.kind !== 'other')) return 'unchanged';
    const save = async () => {
      // The API would refuse it, but only after the prompts had left the region of the organization.
      if (placeOf(id) === 'account' && !mayUseAccount) throw new KeepFault('other', REGIONAL);
      await places.put(id, fileOf(chat));
    };
    const before = kept.current;
    kept.current = chat;
    const problem = await save().then(() => null, faultOf);
    if (problem !== null && kept.current === chat) kept.current = before;
    setFault(problem);
    await queries.invalidateQueries({ queryKey: CHATS });
    return problem ?? 'kept';
  });
  const keepHere = useEffectEvent(async (isHere: () => boolean) => {
    if ((await keep()) === 'kept' && isHere()) onKept();
  });
  const waits = placeOf(id) === 'account' && isAnswering(chat.turns);
  useEffect(() => {
    if (chat.turns.length === 0 || waits) return undefined;
    let isHere = true;
    const cancel = after(CALM_MS, () => void keepHere(() => isHere));
    return () => {
      isHere = false;
      cancel();
    };
  }, [chat, waits]);
  useEffect(() => {
    const hide = () => void (document.visibilityState === 'hidden' && keep());
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      void keep().then((end) => end instanceof KeepFault && say(end.message));
    };
  }, []);
  const [retries, setRetries] = useState(0);
  useEffect(() => {
    if (retries > 0) void keep();
  }, [retries]);
  return {
    fault,
    retry: () => setRetries(retries + 1),
    pause: () => {
      isPaused.current = true;
    },
    resume: () => {
      isPaused.current = false;
    },
  };
}

function faultOf(error: unknown): KeepFault {
  if (error instanceof KeepFault) return error;
  return new KeepFault('other', 'The chat could not be kept. It is lost when you leave the page.');
}
