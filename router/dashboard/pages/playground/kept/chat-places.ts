/**
 * The two places where a chat can be kept: this browser, or the person's account. The person decides
 * for each chat; nothing is sent to the account unasked. The id of a chat tells its place.
 */
import { AccountChats } from './account-chats.ts';
import type { ChatFile, KeptChat } from './chat-file.ts';
import { ChatStore } from './chat-store.ts';
import { KeepFault } from './keep-fault.ts';

export type Place = 'browser' | 'account';

/** The open chat is kept as a new one in a place; `deletes`: the former one is deleted then. */
export type Move = Readonly<{ to: Place; chat: KeptChat; deletes: boolean }>;

export function placeOf(id: string): Place {
  return id.startsWith('cht_') ? 'account' : 'browser';
}

/** An id for a chat in the browser. */
export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-');
}

export class ChatPlaces {
  readonly browser: ChatStore;
  readonly account: AccountChats;

  constructor(person: string, organization: string) {
    this.browser = new ChatStore(person, organization);
    this.account = new AccountChats(organization);
  }

  get owner(): string {
    return this.browser.owner;
  }

  get(id: string): Promise<unknown> {
    return placeOf(id) === 'account' ? this.account.get(id) : this.browser.get(id);
  }

  /** Throws `KeepFault`. */
  async put(id: string, file: ChatFile): Promise<void> {
    if (placeOf(id) === 'account') return await this.account.put(id, file);
    const isKept = await this.browser.put(id, file).catch(() => {
      throw new KeepFault(
        'other',
        'This browser could not keep the chat. It is lost when you leave the page.',
      );
    });
    if (!isKept) {
      throw new KeepFault('other', 'This chat is too large to be kept in this browser.');
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.browser.delete(ids.filter((id) => placeOf(id) === 'browser'));
    for (const id of ids) if (placeOf(id) === 'account') await this.account.delete(id);
  }

  /** Deletes a chat that was moved to the other place. Throws `KeepFault`. */
  async deleteMoved(id: string): Promise<void> {
    if (placeOf(id) === 'account') await this.account.deleteMoved(id);
    else await this.browser.delete([id]);
  }

  /** Keeps a chat as a new one, and returns its id. Throws `KeepFault`. */
  async copyTo(place: Place, file: ChatFile): Promise<string> {
    if (place === 'account') return await this.account.create(file);
    const id = newId();
    await this.put(id, file);
    return id;
  }
}
