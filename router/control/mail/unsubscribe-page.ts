/**
 * The page that the link at the end of an email opens. Opening it changes nothing, because programs
 * that check emails open links, too: its button ends the emails. A mail program's own button sends
 * the same request (RFC 8058), without cookies and from anywhere; the link alone proves it. It may be
 * in the log of a server, so that the page does not show the whole address of the account.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { mintId, type PersonId } from '../../../shared/ids.ts';
import type { Api } from '../api.ts';
import { html, sendPage } from '../html.ts';
import type { ControlParts } from '../parts.ts';
import { maskedEmail } from './masked-email.ts';
import { findUnsubscriber, unsubscribe, UNSUBSCRIBE_PATH, unsubscriberOf } from './unsubscribe.ts';

const FORM_BYTES_MAX = 4 * 1024;

const Query = z.object({
  person: z.string().max(100).default(''),
  proof: z.string().max(200).default(''),
});

type UnsubscribeParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'pepper'>;

export function unsubscribePage(
  app: Api,
  { store, clock, random, pepper }: UnsubscribeParts,
): void {
  const schema = { hide: true, querystring: Query } as const;

  // A plugin of its own: what the request's body says does not matter, whatever its type.
  app.register(async (page: Api) => {
    page.addHook('onRequest', async ({ headers }) => {
      delete headers['content-type'];
    });
    page.setErrorHandler((error: Readonly<{ statusCode?: number }>, _request, reply) => {
      const { statusCode = 500 } = error;
      // A router that cannot answer says so as everywhere.
      if (statusCode >= 500) throw error;
      return sendUnknown(reply);
    });
    page.removeAllContentTypeParsers();
    page.addContentTypeParser('*', async (request: FastifyRequest) => {
      await request.readBody(FORM_BYTES_MAX);
    });

    page.get(UNSUBSCRIBE_PATH, { schema }, async ({ query }, reply) => {
      const account = await accountOf(query);
      if (account === null) return sendUnknown(reply);
      return account.isSubscribed ? sendButton(reply, account) : sendDone(reply, account);
    });

    page.post(UNSUBSCRIBE_PATH, { schema }, async ({ query, ip, id }, reply) => {
      const account = await accountOf(query);
      if (account === null) return sendUnknown(reply);
      const { person } = account;
      await store.call(unsubscribe, { person, entry: entryOf(person, ip, id) });
      return sendDone(reply, account);
    });
  });

  /** Returns null if the link is nobody's. The store is read only for a link that is proven. */
  async function accountOf(query: z.infer<typeof Query>): Promise<Account | null> {
    const person = unsubscriberOf(pepper, query);
    if (person === null) return null;
    const found = await store.call(findUnsubscriber, person);
    if (found === null) return null;
    return { person, masked: maskedEmail(found.email), isSubscribed: found.isSubscribed };
  }

  function entryOf(person: PersonId, address: string, request: string) {
    return {
      id: mintId('audit', clock, random),
      organization: null,
      actor: { kind: 'person', id: person },
      action: 'person.change',
      target: person,
      details: { incident_emails: 'none', by: 'the link in an email' },
      address,
      request,
      created: clock.now(),
    } as const;
  }
}

type Account = Readonly<{ person: PersonId; masked: string; isSubscribed: boolean }>;

function sendButton(reply: FastifyReply, { masked }: Account): FastifyReply {
  // Without an address of its own, the form is sent to the page's, with the link's proof.
  const title = 'Unsubscribe from emails about incidents';
  const body = html`<h1 class="heading">${title}</h1>
<div class="panel ask">
<p>The account ${masked} gets an email when an incident is reported or updated on the status page. You will still get all other emails to the account.</p>
<form method="post"><button class="button primary">Unsubscribe</button></form>
</div>`;
  return sendPage(reply, { title, body, narrow: true, forms: true });
}

function sendDone(reply: FastifyReply, { masked }: Account): FastifyReply {
  const body = html`<h1 class="heading">You are unsubscribed</h1>
<div class="panel ask">No more emails about incidents are sent to the account ${masked}. To get them again, turn them on in <a href="/account">your account</a>. The <a href="/status">status page</a> shows incidents, too.</div>`;
  return sendPage(reply, { title: 'You are unsubscribed', body, narrow: true });
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  const body = html`<h1 class="heading">This link does not work</h1>
<div class="panel ask">It is incomplete or too old. Choose your emails in <a href="/account">your account</a>.</div>`;
  const page = { title: 'This link does not work', body, narrow: true };
  return sendPage(reply.code(404), page);
}
