/** Queries of the chats that a person keeps, in this browser and in their account. */
import { queryOptions } from '@tanstack/react-query';
import { chatOf } from './chat-file.ts';
import type { ChatPlaces, Place } from './chat-places.ts';

/** The key of the lists of chats. */
export const CHATS: readonly unknown[] = ['kept-chats'];

export const chatsQuery = (places: ChatPlaces, place: Place) =>
  queryOptions({
    queryKey: [...CHATS, places.owner, place],
    queryFn: () => places[place].list(),
    staleTime: 0,
    retry: false,
  });

/** A chat as it is opened; null when it is not kept there. It is read each time. */
export const chatQuery = (places: ChatPlaces, id: string, visit: number) =>
  queryOptions({
    queryKey: ['kept-chat', places.owner, id, visit],
    queryFn: async () => chatOf(await places.get(id)),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
