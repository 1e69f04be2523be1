/**
 * Decides which chat is open: a new one, one that is kept in this browser or in the account, or one
 * from a link. A link does not keep its chat: that could remove the oldest of the person's own.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { say } from '../../parts/said.tsx';
import { useMe, useOrganization } from '../../session.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { chatOf, fileOf, type KeptChat } from './kept/chat-file.ts';
import { fileIn, hasChat } from './kept/chat-link.ts';
import { ChatPlaces, type Move, newId } from './kept/chat-places.ts';
import { CHATS, chatQuery } from './kept/queries.ts';
import { Playground } from './playground.tsx';

const NO_CHAT = 'This is not a chat of the playground, or it is damaged.';

type SessionProps = Readonly<{
  title: string;
  models: readonly Model[];
  baseUrl: string;
  /** Whether the organization may keep chats in accounts. */
  mayUseAccount: boolean;
}>;

export function ChatSession(props: SessionProps) {
  const { id: person } = useMe();
  const organization = useOrganization();
  const [places] = useState(() => new ChatPlaces(person, organization));
  const { id, isKept, shared, visit, restart, show, reopen } = useShown();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const open = (chat: string) =>
    void navigate({ to: '.', search: { chat }, hash: '', replace: isKept === null });
  /** Puts the id of the open chat, which is kept now, into the address. */
  const onKept = () =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, chat: id }),
      hash: '',
      replace: true,
      resetScroll: false,
    });
  const keepAs = async (name: string, chat: KeptChat): Promise<boolean> => {
    const problem = await places.put(name, fileOf(chat)).then(
      () => null,
      (error: Error) => error,
    );
    if (problem) say(problem.message);
    void queries.invalidateQueries({ queryKey: CHATS });
    return problem === null;
  };
  /** Keeps the open chat as a new one, without or instead of the former one, and opens it. */
  const moving = useMutation({
    mutationFn: async ({ to, chat, deletes }: Move) => {
      const moved = await places.copyTo(to, fileOf(chat));
      open(moved);
      if (deletes) await places.deleteMoved(id);
    },
    meta: { refetch: [CHATS] },
    onError: (error) => say(error.message),
  });
  /** Keeps a chat from a file, and opens it. */
  const take = async (file: unknown) => {
    const chat = chatOf(file);
    if (chat === null) return say(NO_CHAT);
    const taken = newId();
    if (await keepAs(taken, chat)) open(taken);
  };
  const keep = async (chat: KeptChat) => {
    if (await keepAs(id, chat)) onKept();
  };
  useLinkedChat((file) => {
    const chat = chatOf(file);
    if (chat === null) return say(NO_CHAT);
    show(chat);
  });
  const kept = useQuery({ ...chatQuery(places, id, visit), enabled: isKept === 'opened' });
  if (isKept === 'opened' && kept.isPending) return <PageSkeleton />;
  return (
    <Playground
      {...props}
      key={`${id}/${visit}`}
      id={id}
      places={places}
      opened={shared ?? kept.data ?? null}
      isShared={shared !== null && isKept === null}
      missing={isKept === 'opened' && !kept.data ? (kept.error?.message ?? 'none') : null}
      isMoving={moving.isPending}
      onNew={restart}
      onOpen={open}
      onKept={onKept}
      onKeep={(chat) => void keep(chat)}
      onMove={(move) =>
        moving.mutateAsync(move).then(
          () => true,
          () => false,
        )
      }
      onReopen={reopen}
      onFile={(file) => void take(file)}
    />
  );
}

type Shown = Readonly<{
  id: string;
  /** Whether the chat was opened from the store, or kept since then; null for neither. */
  isKept: 'opened' | 'here' | null;
  /** The chat of the link that was opened. It is kept only once the person wants it. */
  shared: KeptChat | null;
  /** How often the chat was read again. */
  visit: number;
}>;

type Openings = Readonly<{
  /** Opens a new chat. */
  restart: () => void;
  /** Shows the chat of a link. */
  show: (shared: KeptChat) => void;
  /** Reads the open chat again, as it is kept. */
  reopen: () => void;
}>;

/**
 * The address has the id of the open chat once the chat is kept, so that a reload shows it again.
 * Leaving the id out opens a new chat.
 */
function useShown(): Shown & Openings {
  const { chat, model, with: others } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [shown, setShown] = useState<Shown>(() => shownFor(chat));
  if (chat === undefined ? shown.isKept !== null : chat !== shown.id) setShown(shownFor(chat));
  else if (chat !== undefined && shown.isKept === null) setShown({ ...shown, isKept: 'here' });
  const restart = () => {
    if (chat === undefined) setShown(shownFor(chat));
    // Without the id of a chat, and without the link of a shared one.
    void navigate({ to: '.', search: modelsIn(model, others), hash: '' });
  };
  const show = (shared: KeptChat) => setShown({ id: newId(), isKept: null, shared, visit: 0 });
  const reopen = () => setShown({ ...shown, isKept: 'opened', visit: shown.visit + 1 });
  return { ...shown, restart, show, reopen };
}

/** The part of an address that names models. */
function modelsIn(model?: string, others?: string) {
  return { ...(model !== undefined && { model }), ...(others !== undefined && { with: others }) };
}

function shownFor(chat: string | undefined): Shown {
  return chat === undefined
    ? { id: newId(), isKept: null, shared: null, visit: 0 }
    : { id: chat, isKept: 'opened', shared: null, visit: 0 };
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
