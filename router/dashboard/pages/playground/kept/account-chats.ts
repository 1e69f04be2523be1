/**
 * The chats that a person keeps in their account. Each save names the version that it replaces, so
 * that two tabs do not overwrite each other.
 */
import { keptChats } from '../../../../../shared/bounds/kept-chats.ts';
import { printed } from '../../../../../shared/printed.ts';
import { deleteChat, keepChat, listChats, readChat, saveChat } from '../../../api/chats.ts';
import { ApiError } from '../../../api/client.ts';
import { type ChatFile, titleOf } from './chat-file.ts';
import type { ChatSummary } from './chat-store.ts';
import { KeepFault } from './keep-fault.ts';
import { pack, unpack } from './packing.ts';

/** Of the JSON of a chat. A larger one is refused before it is packed, which would take long. */
const UNPACKED_BYTES_MAX = 32_000_000;

const TOO_LARGE =
  'This chat is too large for your account. Keep it in this browser, or download it as JSON.';
const GONE = 'This chat was deleted from your account.';

/** The last save of each chat. It goes on when the page is left, and reads wait for it. */
const saves = new Map<string, Promise<unknown>>();

export class AccountChats {
  readonly #organization: string;
  /** The version of each chat that was read or saved last. */
  readonly #versions = new Map<string, number>();

  constructor(organization: string) {
    this.#organization = organization;
  }

  async list(): Promise<readonly ChatSummary[]> {
    const chats = await listChats(this.#organization);
    return chats.map(({ id, title, bytes, changed }) => ({
      id,
      title,
      bytes,
      changed: Date.parse(changed),
    }));
  }

  /** Returns null when there is no such chat, or it is damaged. */
  async get(id: string): Promise<unknown> {
    await saves.get(id);
    try {
      const { contents, version } = await readChat(this.#organization, id);
      this.#versions.set(id, version);
      return await unpack(contents, UNPACKED_BYTES_MAX);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  /** Keeps a new chat, and returns its id. Throws `KeepFault`. */
  async create(file: ChatFile): Promise<string> {
    const sent = await sentOf(file);
    const { id, version } = await keepChat(this.#organization, sent).catch(fail);
    this.#versions.set(id, version);
    return id;
  }

  /** Saves a chat once the save before it has ended. Throws `KeepFault`. */
  put(id: string, file: ChatFile): Promise<void> {
    const before = saves.get(id) ?? Promise.resolve();
    const save = before.then(() => this.#put(id, file));
    saves.set(
      id,
      save.catch(() => undefined),
    );
    return save;
  }

  /** Deletes a chat. One that was deleted elsewhere is no fault. */
  async delete(id: string): Promise<void> {
    await this.#delete(id, null);
  }

  /**
   * Deletes a chat that is kept elsewhere now, as this tab has read or saved it. Throws `KeepFault`
   * when it was changed since: that version would be lost.
   */
  async deleteMoved(id: string): Promise<void> {
    await saves.get(id);
    await this.#delete(id, this.#versions.get(id) ?? null).catch((error: unknown) => {
      if (!isOtherVersion(error)) throw error;
      throw new KeepFault(
        'changed-elsewhere',
        'Another tab or browser has changed this chat. That version is still in your account.',
      );
    });
  }

  async #delete(id: string, version: number | null): Promise<void> {
    await deleteChat(this.#organization, id, version).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    });
  }

  async #put(id: string, file: ChatFile): Promise<void> {
    const version = this.#versions.get(id);
    if (version === undefined) throw new KeepFault('gone', GONE);
    const sent = await sentOf(file);
    const saved = await saveChat(this.#organization, id, { ...sent, version }).catch(fail);
    this.#versions.set(id, saved.version);
  }
}

async function sentOf(file: ChatFile): Promise<{ title: string; contents: string }> {
  const contents = await pack(file, UNPACKED_BYTES_MAX);
  if (contents === null || contents.length > keptChats.contentsCharsMax) {
    throw new KeepFault('other', TOO_LARGE);
  }
  const title = printed(titleOf(file.turns), ' ');
  return { title: title.trim() || 'Chat', contents };
}

function isOtherVersion(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'conflict' && error.param === 'version';
}

function fail(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404) throw new KeepFault('gone', GONE);
  if (isOtherVersion(error)) {
    throw new KeepFault('changed-elsewhere', 'This chat was changed in another tab or browser.');
  }
  throw new KeepFault('other', error.message);
}
