/** Queries of the chats that the browser keeps. */
import { queryOptions } from '@tanstack/react-query';
import { chatOf } from './chat-file.ts';
import type { ChatStore } from './chat-store.ts';

/** The key of the list of chats. */
export const CHATS: readonly unknown[] = ['kept-chats'];

export const chatsQuery = (store: ChatStore) =>
  queryOptions({
    queryKey: [...CHATS, store.owner],
    queryFn: () => store.list(),
    staleTime: 0,
    retry: false,
  });

/** A chat as it is opened; null when this browser does not keep it. It is read each time. */
export const chatQuery = (store: ChatStore, id: string) =>
  queryOptions({
    queryKey: ['kept-chat', store.owner, id],
    queryFn: async () => chatOf(await store.get(id)),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
