/**
 * The routes of the sandbox's checkout. As with any hosted checkout, whoever has a checkout's URL may
 * pay it, and the URL cannot be guessed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type PaymentId } from '../../../shared/ids.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { digestIn } from '../access/digests.ts';
import { checkOrigin } from '../access/gate.ts';
import { type Api, found, Refused } from '../api.ts';
import { sendPage } from '../html.ts';
import { ingestEvent } from '../payments/ingest-event.ts';
import { cardPage, confirmPage, overPage } from './bodies.ts';
import { cardNumber } from './cards.ts';
import {
  findSandboxCheckout,
  lookSandbox,
  type ShownCheckout,
  type Submitted,
  submitSandboxCard,
} from './procedures.ts';
import type { SandboxParts, SandboxProvider } from './sandbox.ts';

type PageParts = SandboxParts & Readonly<{ contact: string | null }>;

const FORM_BYTES_MAX = 4 * 1024;

const Path = z.object({ token: z.string().regex(/^[0-9a-f]{40}$/) });
const CardForm = z.strictObject({ form: z.string(), card: z.string().max(40) });
const AnswerForm = z.strictObject({ form: z.string(), answer: z.enum(['confirm', 'fail']) });

/**
 * Registers the pages. Call this only when the sandbox is the payment provider. `contact` is where
 * the pages send people who need help, if the operator has configured it.
 */
export function sandboxPages(
  app: Api,
  { parts: provided }: SandboxProvider,
  contact: string | null,
): void {
  const parts: PageParts = { ...provided, contact };
  app.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) => {
    const body = await request.readBody(FORM_BYTES_MAX);
    return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  });
  const schema = { hide: true, params: Path } as const;

  app.get('/checkout/sandbox/:token', { schema }, async ({ params: { token } }, reply) =>
    show(parts, reply, token, await read(parts, token)),
  );

  app.post(
    '/checkout/sandbox/:token',
    { schema: { ...schema, body: CardForm } },
    async (request, reply) => {
      const { token } = request.params;
      checkForm(parts, request, token);
      const card = cardNumber(request.body.card);
      const typed = request.body.card;
      return await submit(parts, reply, token, { card, confirmed: null, typed });
    },
  );

  app.post(
    '/checkout/sandbox/:token/confirm',
    { schema: { ...schema, body: AnswerForm } },
    async (request, reply) => {
      const { token } = request.params;
      checkForm(parts, request, token);
      const confirmed = request.body.answer === 'confirm';
      return await submit(parts, reply, token, { card: null, confirmed, typed: null });
    },
  );
}

async function read(parts: SandboxParts, token: string): Promise<ShownCheckout> {
  const digest = await digestIn(parts, 'sandbox_checkouts', token);
  return found(await parts.store.call(findSandboxCheckout, { digest }), 'checkout');
}

/**
 * A token against cross-site request forgery: only a page that can read this page knows the token.
 */
function formToken({ pepper }: SandboxParts, token: string): string {
  return createHmac('sha256', pepper.newest.secret).update(`sandbox-form/${token}`).digest('hex');
}

function checkForm(
  parts: PageParts,
  request: Readonly<{ headers: FastifyRequest['headers']; body: { form: string } }>,
  token: string,
): void {
  checkOrigin(request);
  const wanted = Buffer.from(formToken(parts, token));
  const given = Buffer.from(request.body.form);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Refused('forbidden', 'This form does not belong to this checkout.');
  }
}

async function submit(
  parts: PageParts,
  reply: FastifyReply,
  token: string,
  {
    typed,
    ...said
  }: Readonly<{
    card: string | null;
    confirmed: boolean | null;
    /** The card's number, as it was typed. */
    typed: string | null;
  }>,
): Promise<FastifyReply> {
  const { store, clock } = parts;
  const digest = await digestIn(parts, 'sandbox_checkouts', token);
  const { payment } = await read(parts, token);
  const now = clock.now();
  const submitted = await store.call(submitSandboxCard, { ...said, digest, now });
  await tell(parts, payment, submitted);
  const checkout = await read(parts, token);
  if (submitted === 'paid') return reply.redirect(checkout.success_url, 303);
  return show(parts, reply, token, checkout, { submitted, typed });
}

/**
 * Reports the result as a webhook would. If this event is lost, the payment's reconciliation finds
 * the result.
 */
async function tell(parts: SandboxParts, payment: PaymentId, submitted: Submitted): Promise<void> {
  const now = parts.clock.now();
  if (submitted === 'paid') {
    const event = await parts.store.call(lookSandbox, { payment, now });
    if (event) await ingestEvent(parts, 'sandbox', event);
  }
  if (submitted === 'declined') {
    const event = `declined:${payment}:${now}`;
    const reason = 'card_declined';
    await ingestEvent(parts, 'sandbox', { kind: 'payment_failed', event, payment, reason });
  }
}

function show(
  parts: PageParts,
  reply: FastifyReply,
  token: string,
  checkout: ShownCheckout,
  last: Readonly<{ submitted: Submitted | null; typed: string | null }> = {
    submitted: null,
    typed: null,
  },
): FastifyReply {
  const isOver = checkout.state === 'paid' || checkout.expires <= milliseconds(parts.clock.now());
  const { contact } = parts;
  if (isOver) return sendPage(reply, { ...overPage(checkout), contact, narrow: true });
  const form = { token, form: formToken(parts, token) };
  const page =
    checkout.card === null ? cardPage(form, checkout, last) : confirmPage(form, checkout);
  return sendPage(reply, { ...page, contact, narrow: true, forms: true });
}
