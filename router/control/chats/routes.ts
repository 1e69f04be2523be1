/** Routes for the chats that people keep in their account. */
import type { FastifyRequest } from 'fastify';
import {
  type Chat,
  ChatChange,
  ChatDeletion,
  ChatPage,
  ChatWithContents,
  Chat as ChatSchema,
  NewChat,
} from '../../../shared/api/chats.ts';
import { ChatIdText } from '../../../shared/api/ids.ts';
import { Deleted } from '../../../shared/api/keys.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { keptChats } from '../../../shared/bounds/kept-chats.ts';
import { PeerRates } from '../../../shared/bounds/peer-rates.ts';
import { mintId, type PersonId } from '../../../shared/ids.ts';
import { personOrNull } from '../access/gate.ts';
import { type Api, found, isoInstant, noSuch, Refused } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { decryptContents, decryptTitle, encryptChat } from './encryption.ts';
import {
  changeChat,
  createChatAudited,
  deleteChatAudited,
  findChat,
  listChats,
  type ListedChat,
  type OfChat,
  type Owner,
  type Refusal,
  type Version,
} from './procedures.ts';

export type ChatParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'pepper'>;

const ChatPath = OrganizationPath.extend({ chat: ChatIdText });

/** Saves of one person, and of all together: each may write a megabyte. */
export const CHAT_SAVES = {
  all: { perSecond: 20, burst: 200 },
  peer: { perSecond: 1, burst: 20 },
  peersMax: 16_384,
} as const;

const TAGS = ['playground'];

export function chatRoutes(api: Api, parts: ChatParts): void {
  readRoutes(api, parts);
  saveRoutes(api, parts);

  api.delete(
    '/organizations/:organization/chats/:chat',
    {
      config: { access: { organization: 'read' }, action: 'chat.delete' },
      schema: {
        summary: 'Delete one of your chats from your account',
        tags: TAGS,
        params: ChatPath,
        querystring: ChatDeletion,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { chat } = request.params;
      const { version = null } = request.query;
      const answer = await parts.store.call(deleteChatAudited, {
        input: { ...ownerOf(request, request.params), chat, version },
        entry: request.auditEntry({ target: chat }),
      });
      if (answer === 'unknown') throw noSuch('chat');
      if (answer === 'other_version') throw changedElsewhere();
      return { id: chat, deleted: true as const };
    },
  );
}

function readRoutes(api: Api, { store, pepper }: ChatParts): void {
  api.get(
    '/organizations/:organization/chats',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List the chats that you keep in your account, without their contents',
        description:
          'Nobody else sees them: neither other members nor operators. A management token has none.',
        tags: TAGS,
        params: OrganizationPath,
        querystring: pageQuery(ChatIdText),
        response: { 200: ChatPage },
      },
    },
    async (request) => {
      const { limit, after = null } = request.query;
      const person = personOrNull(request);
      if (person === null) return { data: [], has_more: false, next: null };
      const owner = { organization: request.params.organization, person };
      const page = await store.call(listChats, { ...owner, limit, after });
      return answerPage(page, (row) => shownChat(row, decryptTitle(pepper, owner, row)));
    },
  );

  api.get(
    '/organizations/:organization/chats/:chat',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get one of your chats, with its contents',
        tags: TAGS,
        params: ChatPath,
        response: { 200: ChatWithContents },
      },
    },
    async (request) => {
      const { organization, chat } = request.params;
      const person = personOrNull(request);
      if (person === null) throw noSuch('chat');
      const owner = { organization, person };
      const row = found(await store.call(findChat, { ...owner, chat }), 'chat');
      const contents = decryptContents(pepper, owner, row).toString('base64url');
      return { ...shownChat(row, decryptTitle(pepper, owner, row)), contents };
    },
  );
}

function saveRoutes(api: Api, parts: ChatParts): void {
  const { store, clock, random } = parts;
  const rates = new PeerRates<PersonId>(clock, CHAT_SAVES);
  /** Before the body is read. */
  const checkRate = async (request: FastifyRequest) => {
    if (rates.spend(personWho(request))) return;
    throw new Refused('rate_limited', 'You save chats too often: retry shortly.', undefined, 1);
  };
  const versionOf = (
    chat: OfChat,
    { title, contents }: Readonly<{ title: string; contents: string }>,
  ): Version => {
    const bytes = Buffer.from(contents, 'base64url');
    const encrypted = encryptChat(parts, chat, { title, contents: bytes });
    return { ...encrypted, bytes: bytes.length, now: clock.now() };
  };

  api.post(
    '/organizations/:organization/chats',
    {
      onRequest: checkRate,
      config: { access: { organization: 'playground' }, action: 'chat.keep' },
      schema: {
        summary: 'Keep a chat in your account',
        description:
          'Of an organization in the region Global. A person keeps at most ' +
          `${keptChats.chatsMax} chats with ${keptChats.bytesMax / 1024 / 1024} MiB in all. They are ` +
          'deleted when the person leaves the organization.',
        tags: TAGS,
        params: OrganizationPath,
        body: NewChat,
        response: { 201: ChatSchema },
      },
    },
    async (request, reply) => {
      const chat = mintId('chat', clock, random);
      const place = { ...ownerOf(request, request.params), chat };
      const answer = await store.call(createChatAudited, {
        input: { ...place, ...versionOf(place, request.body) },
        entry: request.auditEntry({ target: chat }),
      });
      if (typeof answer === 'string') throw refused(answer);
      return reply.code(201).send(shownChat(answer, request.body.title));
    },
  );

  api.put(
    '/organizations/:organization/chats/:chat',
    {
      onRequest: checkRate,
      config: { access: { organization: 'playground' }, action: 'chat.keep' },
      schema: {
        summary: 'Save a new version of one of your chats',
        description: 'The audit log has no entry for it: only for the first version.',
        tags: TAGS,
        params: ChatPath,
        body: ChatChange,
        response: { 200: ChatSchema },
      },
    },
    async (request) => {
      const place = { ...ownerOf(request, request.params), chat: request.params.chat };
      const { version } = request.body;
      const answer = await store.call(changeChat, {
        ...place,
        version,
        ...versionOf(place, request.body),
      });
      if (answer === 'unknown') throw noSuch('chat');
      if (answer === 'other_version') throw changedElsewhere();
      if (typeof answer === 'string') throw refused(answer);
      return shownChat(answer, request.body.title);
    },
  );
}

function shownChat({ id, version, bytes, created, changed }: ListedChat, title: string): Chat {
  return {
    id,
    title,
    version: Number(version),
    bytes: Number(bytes),
    created: isoInstant(created),
    changed: isoInstant(changed),
  };
}

function ownerOf(request: FastifyRequest, { organization }: Pick<Owner, 'organization'>): Owner {
  return { organization, person: personWho(request) };
}

/** Throws `Refused` for a management token. */
function personWho(request: Pick<FastifyRequest, 'caller'>): PersonId {
  const person = personOrNull(request);
  if (person === null) {
    throw new Refused('forbidden', 'A management token has no chats: they belong to people.');
  }
  return person;
}

function changedElsewhere(): Refused {
  return new Refused('conflict', 'This chat was changed elsewhere: read it again.', 'version');
}

function refused(why: Refusal): Refused {
  switch (why) {
    case 'no_member':
      return new Refused('forbidden', 'Only members of the organization keep chats in it.');
    case 'regional':
      return new Refused(
        'forbidden',
        'Chats of a US or EU organization are not kept in accounts, which may be stored in another ' +
          'region.',
      );
    case 'too_many':
      return new Refused(
        'conflict',
        `You keep ${keptChats.chatsMax} chats in your account, which is the most: delete one that ` +
          'is not needed any more.',
        'contents',
      );
    case 'too_large':
      return new Refused(
        'conflict',
        `The chats in your account would take more than ${keptChats.bytesMax / 1024 / 1024} MiB: ` +
          'delete some that are not needed any more.',
        'contents',
      );
  }
}
