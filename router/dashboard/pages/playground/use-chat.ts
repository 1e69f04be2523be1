/** The conversation of an open page. Its answers stop when the page is left. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { ofOrganization } from '../../api/organization.ts';
import { openSession } from '../../api/playground.ts';
import { Chat } from './chat.ts';
import { DataPlane } from './data-plane.ts';
import type { Turn } from './turns.ts';

/** `kept` are the turns of a chat that is continued. */
export function useChat(
  organization: string,
  kept: readonly Turn[],
): Readonly<{ chat: Chat; turns: readonly Turn[] }> {
  const queries = useQueryClient();
  // `gcTime` 0 keeps the answer, which contains the key, out of the cache.
  const { mutateAsync } = useMutation({ mutationFn: () => openSession(organization), gcTime: 0 });
  const [chat] = useState(() => {
    const plane = new DataPlane(() => mutateAsync());
    return new Chat(async (body, hearer) => {
      await plane.ask(body, hearer);
      void queries.invalidateQueries({ queryKey: ofOrganization(organization, 'credit') });
    }, kept);
  });
  useEffect(() => () => chat.stop(), [chat]);
  const turns = useSyncExternalStore(chat.subscribe, () => chat.turns);
  return { chat, turns };
}
