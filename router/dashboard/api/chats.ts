/** Chats of the playground that the person keeps in their account. */
import type { Chat, ChatChange, ChatWithContents, NewChat } from '../../../shared/api/chats.ts';
import { keptChats } from '../../../shared/bounds/kept-chats.ts';
import { get, type Page, send, type Sent } from './client.ts';

/** All of them, without their contents. */
export async function listChats(organization: string): Promise<readonly Chat[]> {
  const limit = keptChats.chatsMax;
  return (await get<Page<Chat>>(`/organizations/${organization}/chats`, { limit })).data;
}

export function readChat(organization: string, id: string): Promise<ChatWithContents> {
  return get<ChatWithContents>(`/organizations/${organization}/chats/${id}`);
}

export function keepChat(organization: string, chat: Sent<typeof NewChat>): Promise<Chat> {
  return send<Chat>('POST', `/organizations/${organization}/chats`, chat);
}

export function saveChat(
  organization: string,
  id: string,
  chat: Sent<typeof ChatChange>,
): Promise<Chat> {
  return send<Chat>('PUT', `/organizations/${organization}/chats/${id}`, chat);
}

/** `version`: the only one that is deleted; null: any. */
export async function deleteChat(
  organization: string,
  id: string,
  version: number | null,
): Promise<void> {
  const query = version === null ? '' : `?version=${version}`;
  await send<unknown>('DELETE', `/organizations/${organization}/chats/${id}${query}`);
}
