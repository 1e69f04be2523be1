/**
 * The chats that this browser keeps, in IndexedDB. They belong to a person and an organization, so
 * that nobody who signs in at the same browser sees the chats of others.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { now } from '../../../clock.ts';
import { bytesOf, type ChatFile, titleOf } from './chat-file.ts';

/** The chats that were changed longest ago are deleted above these limits of the whole browser. */
const CHATS_MAX = 100;
const BYTES_MAX = 100_000_000;
/** A chat that is larger is not kept. */
const CHAT_BYTES_MAX = 32_000_000;

/** What the list of chats shows. `changed` is in ms since the epoch. */
export type ChatSummary = Readonly<{
  id: string;
  title: string;
  changed: number;
  bytes: number;
}>;

type Stored = ChatSummary & Readonly<{ owner: string }>;

type Tables = DBSchema & {
  summaries: { key: string; value: Stored; indexes: { changed: number } };
  chats: { key: string; value: ChatFile };
};

export class ChatStore {
  readonly owner: string;
  #opened: Promise<IDBPDatabase<Tables>> | null = null;

  constructor(person: string, organization: string) {
    this.owner = `${person}/${organization}`;
  }

  /** The chats of the owner, the one that was changed last first. */
  async list(): Promise<readonly ChatSummary[]> {
    const all = await (await this.#open()).getAllFromIndex('summaries', 'changed');
    return all.filter(({ owner }) => owner === this.owner).toReversed();
  }

  async get(id: string): Promise<unknown> {
    const database = await this.#open();
    const summary = await database.get('summaries', id);
    return summary?.owner === this.owner ? await database.get('chats', id) : null;
  }

  /** Returns whether the chat is kept, which it is not when it is too large. */
  async put(id: string, file: ChatFile): Promise<boolean> {
    const bytes = bytesOf(file);
    if (bytes > CHAT_BYTES_MAX) return false;
    const database = await this.#open();
    const change = database.transaction(['summaries', 'chats'], 'readwrite');
    const summaries = change.objectStore('summaries');
    const summary = { id, owner: this.owner, title: titleOf(file.turns), changed: now(), bytes };
    await summaries.put(summary);
    await change.objectStore('chats').put(file, id);
    const all = (await summaries.index('changed').getAll()).toReversed();
    let kept = 0;
    for (const [index, one] of all.entries()) {
      kept += one.bytes;
      if (index < CHATS_MAX && kept <= BYTES_MAX) continue;
      await summaries.delete(one.id);
      await change.objectStore('chats').delete(one.id);
    }
    await change.done;
    return true;
  }

  async delete(ids: readonly string[]): Promise<void> {
    const change = (await this.#open()).transaction(['summaries', 'chats'], 'readwrite');
    for (const id of ids) {
      await change.objectStore('summaries').delete(id);
      await change.objectStore('chats').delete(id);
    }
    await change.done;
  }

  #open(): Promise<IDBPDatabase<Tables>> {
    return (this.#opened ??= openDB<Tables>('penstock-playground', 1, {
      upgrade: (database) => {
        const summaries = database.createObjectStore('summaries', { keyPath: 'id' });
        summaries.createIndex('changed', 'changed');
        database.createObjectStore('chats');
      },
    }));
  }
}
