/** Keeps the open chat in the browser whenever it has changed. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { after } from '../../../clock.ts';
import { say } from '../../../parts/said.tsx';
import { isAnswering } from '../chat.ts';
import { fileOf, type KeptChat } from './chat-file.ts';
import type { ChatStore } from './chat-store.ts';
import { CHATS } from './queries.ts';

/** A chat that changes is kept once it has not changed for this long. */
const CALM_MS = 300;

type Keeping = Readonly<{
  store: ChatStore;
  id: string;
  chat: KeptChat;
  /** Called when the chat was kept while its page is open. */
  onKept: () => void;
}>;

export function useKeeping({ store, id, chat, onKept }: Keeping): void {
  const queries = useQueryClient();
  /** The chat as it was opened or last kept. */
  const kept = useRef(chat);
  const hasFailed = useRef(false);
  /** Returns whether the chat has changed and was kept. */
  const keep = useEffectEvent(async (): Promise<boolean> => {
    const isSame = kept.current.turns === chat.turns && kept.current.lanes === chat.lanes;
    // The text of an answer in flight grows without a change of its turn.
    if (chat.turns.length === 0 || (isSame && !isAnswering(chat.turns))) return false;
    kept.current = chat;
    const problem = await store.put(id, fileOf(chat)).then(
      (isKept) => (isKept ? null : 'This chat is too large to be kept in this browser.'),
      () => 'This browser could not keep the chat. It is lost when you leave the page.',
    );
    if (problem !== null && !hasFailed.current) say(problem);
    hasFailed.current = problem !== null;
    await queries.invalidateQueries({ queryKey: CHATS });
    return problem === null;
  });
  const keepHere = useEffectEvent(async (isHere: () => boolean) => {
    if ((await keep()) && isHere()) onKept();
  });
  useEffect(() => {
    if (chat.turns.length === 0) return undefined;
    let isHere = true;
    const cancel = after(CALM_MS, () => void keepHere(() => isHere));
    return () => {
      isHere = false;
      cancel();
    };
  }, [chat]);
  useEffect(() => {
    const hide = () => void (document.visibilityState === 'hidden' && keep());
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      void keep();
    };
  }, []);
}
