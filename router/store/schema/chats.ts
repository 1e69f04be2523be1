/** The table of chats that people keep in their account (decision 0035). */
import type { ChatId, MemberId } from '../../../shared/ids.ts';

export interface ChatTables {
  chats: ChatRow;
}

export interface ChatRow {
  id: ChatId;
  /** The owner. Nobody else can read the chat, and nobody at all once the member has left. */
  member: MemberId;
  /** The key of this version's title and contents, sealed under a pepper. */
  sealed_key: string;
  /** Encrypted. */
  title: Uint8Array;
  version: bigint;
  /** Of the contents before they are encrypted. */
  bytes: bigint;
  created: bigint;
  changed: bigint;
  /** The compressed JSON of the chat, encrypted. */
  contents: Uint8Array;
}
