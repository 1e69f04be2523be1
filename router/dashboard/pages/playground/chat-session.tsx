/** Decides which chat is open: a new one, one that this browser keeps, or one from a link. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { say } from '../../parts/said.tsx';
import { useMe, useOrganization } from '../../session.tsx';
import { PageSkeleton } from '../../shell/frame.tsx';
import { chatOf, fileOf } from './kept/chat-file.ts';
import { fileIn, hasChat } from './kept/chat-link.ts';
import { ChatStore } from './kept/chat-store.ts';
import { CHATS, chatQuery } from './kept/queries.ts';
import { Playground } from './playground.tsx';

type SessionProps = Readonly<{ title: string; models: readonly Model[]; baseUrl: string }>;

export function ChatSession(props: SessionProps) {
  const { id: person } = useMe();
  const organization = useOrganization();
  const [store] = useState(() => new ChatStore(person, organization));
  const { id, isKept, restart } = useShown();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const open = (chat: string) =>
    void navigate({ to: '.', search: { chat }, hash: '', replace: isKept === null });
  /** Keeps a chat from a file or a link, and opens it. */
  const take = async (file: unknown) => {
    const chat = chatOf(file);
    if (chat === null) return say('This is not a chat of the playground, or it is damaged.');
    const taken = newId();
    const isTaken = await store.put(taken, fileOf(chat)).catch(() => false);
    if (!isTaken) return say('This browser could not keep the chat.');
    void queries.invalidateQueries({ queryKey: CHATS });
    open(taken);
  };
  useLinkedChat((file) => void take(file));
  const kept = useQuery({ ...chatQuery(store, id), enabled: isKept === 'opened' });
  if (isKept === 'opened' && kept.isPending) return <PageSkeleton />;
  return (
    <Playground
      {...props}
      key={id}
      id={id}
      store={store}
      kept={kept.data ?? null}
      isMissing={isKept === 'opened' && !kept.data}
      onNew={restart}
      onOpen={open}
      onFile={(file) => void take(file)}
    />
  );
}

type Shown = Readonly<{
  id: string;
  /** Whether the chat was opened from the store, or kept since then; null for neither. */
  isKept: 'opened' | 'here' | null;
}>;

/**
 * The address has the id of the open chat once the chat is kept, so that a reload shows it again.
 * Leaving the id out opens a new chat.
 */
function useShown(): Shown & Readonly<{ restart: () => void }> {
  const { chat, model, with: others } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [shown, setShown] = useState<Shown>(() => shownFor(chat));
  if (chat === undefined ? shown.isKept !== null : chat !== shown.id) setShown(shownFor(chat));
  else if (chat !== undefined && shown.isKept === null) setShown({ id: chat, isKept: 'here' });
  const restart = () => {
    if (chat === undefined) setShown(shownFor(chat));
    else void navigate({ to: '.', search: modelsIn(model, others) });
  };
  return { ...shown, restart };
}

/** The part of an address that names models. */
function modelsIn(model?: string, others?: string) {
  return { ...(model !== undefined && { model }), ...(others !== undefined && { with: others }) };
}

function shownFor(chat: string | undefined): Shown {
  return chat === undefined ? { id: newId(), isKept: null } : { id: chat, isKept: 'opened' };
}

function newId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-');
}

/** Reads the chat in the fragment of a link that is opened. */
function useLinkedChat(onFile: (file: unknown) => void): void {
  const fragment = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    let isHere = true;
    if (hasChat(fragment)) void fileIn(fragment).then((file) => isHere && onFile(file));
    return () => {
      isHere = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only another fragment is another chat
  }, [fragment]);
}
