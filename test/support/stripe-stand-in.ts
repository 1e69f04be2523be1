/**
 * A stand-in for Stripe on a local port, for tests and for end-to-end walks. It accepts and refuses
 * what Stripe would, and repeats its answer to a request with the same idempotency key. It sends
 * signed webhooks on request or by itself: late, twice, out of order, or badly signed.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sleep, systemClock } from '../../shared/clock.ts';
import {
  type Card,
  CARDS,
  StripeAccount,
  type StripeEvent,
  StripeRefusal,
} from './stripe/account.ts';
import { ENDPOINTS } from './stripe/endpoints.ts';
import { parseForm } from './stripe/form.ts';

export const STRIPE_SECRETS = { secretKey: 'sk_test_standIn', webhookSecret: 'whsec_standIn' };
/** The Stripe API version whose format the answers have. */
const API_VERSION = '2026-10-28.endive';
const AGAIN_MS = 200;
const AGAIN_MAX = 50;

export type ReceivedRequest = Readonly<{
  method: string;
  path: string;
  params: unknown;
  idempotencyKey: string | null;
  /** Whether this request got the stored answer of an earlier one. */
  replayed: boolean;
}>;

type Kept = Readonly<{ asked: string; answer: Promise<Answer> }>;
type Answer = Readonly<{ status: number; body: object }>;

export type Delivery = Readonly<{
  /**
   * The secret to sign with instead of the right one, and how many seconds ago the signature was
   * made.
   */
  secret?: string;
  agoS?: number;
  /** The signature header itself. */
  signature?: string;
}>;

export class StripeStandIn implements AsyncDisposable {
  readonly account: StripeAccount;
  readonly asked: ReceivedRequest[] = [];
  readonly #server: Server;
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;
  #webhook: string | null = null;
  #isAutomatic = false;
  #losing: { count: number; of: string | null } = { count: 0, of: null };
  #failing = 0;
  readonly #sending = new Set<Promise<void>>();

  private constructor(now: () => number) {
    this.#now = now;
    this.#server = createServer((request, response) => void this.#handle(request, response));
    this.account = new StripeAccount({
      now,
      apiVersion: API_VERSION,
      onEvent: (event) => {
        if (this.#isAutomatic) this.#keepSending(event);
      },
    });
  }

  static async start(now = () => systemClock.now()): Promise<StripeStandIn> {
    const standIn = new StripeStandIn(now);
    standIn.#server.listen(0, '127.0.0.1');
    await once(standIn.#server, 'listening');
    return standIn;
  }

  /** The options that make the Stripe library connect to this stand-in. */
  get at(): { host: string; port: number; protocol: 'http' } {
    const { port } = this.#server.address() as AddressInfo;
    return { host: '127.0.0.1', port, protocol: 'http' };
  }

  get origin(): string {
    return `http://127.0.0.1:${this.at.port}`;
  }

  /**
   * Sets the URL that receives events. With `automatic`, events are sent as they happen, and
   * retried until they are accepted.
   */
  tellTo(webhook: string, automatic?: 'automatic'): void {
    this.#webhook = webhook;
    this.#isAutomatic = automatic !== undefined;
  }

  /**
   * Returns the events of these types so far, in the order in which they happened. Without types,
   * returns all events.
   */
  events(...types: readonly string[]): StripeEvent[] {
    return this.account.events.filter(({ type }) => types.length === 0 || types.includes(type));
  }

  /** Sends an event once, and returns the response status. */
  async deliver(event: StripeEvent, how: Delivery = {}): Promise<number> {
    return (await this.send(JSON.stringify(event, null, 2), how)).status;
  }

  /** Sends any body to the webhook, signed. */
  async send(body: string, { secret, agoS = 0, signature }: Delivery = {}): Promise<Response> {
    if (this.#webhook === null) throw new Error('nobody is told of events');
    const at = Math.floor(this.#now() / 1000) - agoS;
    const signed = createHmac('sha256', secret ?? STRIPE_SECRETS.webhookSecret)
      .update(`${at}.${body}`)
      .digest('hex');
    return await fetch(this.#webhook, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature ?? `t=${at},v1=${signed}`,
      },
      body,
    });
  }

  /** Processes the next `count` POSTs (to the path `of`, if given) and sends no response. */
  loseAnswers(count: number, of: string | null = null): void {
    this.#losing = { count, of };
  }

  /** Answers the next `count` requests with 500 and does nothing. */
  failAnswers(count: number): void {
    this.#failing = count;
  }

  /** Drops all idempotency keys, as Stripe does after a day. */
  forgetIdempotencyKeys(): void {
    this.#kept.clear();
  }

  /** The payments that succeeded. */
  get paid(): readonly { id: string; amount: number }[] {
    return this.account
      .list('payment_intent', (one) => one['status'] === 'succeeded')
      .map(({ id, amount_received: amount }) => ({ id, amount: Number(amount) }));
  }

  /** Resolves when every automatic event has been accepted. */
  async quiet(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isAutomatic = false;
    this.#webhook = null;
    await this.quiet();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keepSending(event: StripeEvent): void {
    const sending = this.#sendUntilTaken(event).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #sendUntilTaken(event: StripeEvent): Promise<void> {
    for (let i = 0; i < AGAIN_MAX && this.#webhook !== null; i++) {
      const status = await this.deliver(event).catch(() => 0);
      if (status >= 200 && status < 300) return;
      await sleep(systemClock, AGAIN_MS);
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const body = await text(request);
    const { pathname, search } = new URL(url, this.origin);
    const page = /^\/c\/pay\/(\w+)$/.exec(pathname);
    if (page?.[1] !== undefined) return this.#page(page[1], method, body, response);
    const params = parseForm(method === 'POST' ? body : search.slice(1));
    const { status, body: answer } = await this.#answer(request, pathname, params);
    const { count, of } = this.#losing;
    if (method === 'POST' && count > 0 && (of === null || of === pathname)) {
      this.#losing = { count: count - 1, of };
      response.socket?.destroy();
      return;
    }
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${this.asked.length}`,
    });
    response.end(JSON.stringify(answer));
  }

  async #answer(request: IncomingMessage, path: string, params: object): Promise<Answer> {
    const { method = 'GET', headers } = request;
    const refused = refusalOf(headers);
    if (refused) return refused;
    if (this.#failing > 0) {
      this.#failing--;
      return { status: 500, body: { error: { type: 'api_error', message: 'Try again.' } } };
    }
    const key = method === 'POST' ? String(headers['idempotency-key'] ?? '') : '';
    const asked = `${path} ${JSON.stringify(params)}`;
    const before = this.#kept.get(key);
    const about = { method, path, params, idempotencyKey: key === '' ? null : key };
    this.asked.push({ ...about, replayed: before !== undefined });
    if (before) {
      if (before.asked === asked) return await before.answer;
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      return { status: 400, body: { error: { type: 'idempotency_error', message } } };
    }
    const answer = Promise.resolve(this.#work(method, path, params));
    if (key !== '') this.#kept.set(key, { asked, answer });
    return await answer;
  }

  #work(method: string, path: string, params: object): Answer {
    const [, stem = path, id = ''] = /^(.*)\/(\w+_[0-9a-f]{24})$/.exec(path) ?? [];
    const endpoint = ENDPOINTS[`${method} ${stem}${id === '' ? '' : '/:id'}`];
    try {
      if (!endpoint) {
        const message = `Unrecognized request URL (${method}: ${path}).`;
        throw new StripeRefusal(404, 'invalid_request_error', 'url_invalid', message);
      }
      // A copy, so that later changes of the object do not change this answer.
      return {
        status: 200,
        body: structuredClone(endpoint(this.account, params, id, this.origin)),
      };
    } catch (error) {
      if (error instanceof StripeRefusal) return { status: error.status, body: error.body };
      throw error;
    }
  }

  /**
   * The checkout page: a form for a card number, which leads back to the site that the person came
   * from.
   */
  #page(id: string, method: string, body: string, response: ServerResponse): void {
    const session = this.account.objects.get(id);
    if (session?.['status'] !== 'open') {
      response.writeHead(404).end();
      return;
    }
    if (method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<form method="post"><input name="card"><button>Pay</button></form>');
      return;
    }
    const card = new URLSearchParams(body).get('card') ?? '';
    const end = card in CARDS ? this.account.pay(id, card as Card) : 'declined';
    if (end === 'declined') response.writeHead(402).end('declined');
    else response.writeHead(303, { location: String(session['success_url']) }).end();
  }
}

function refusalOf(headers: IncomingMessage['headers']): Answer | null {
  if (headers.authorization !== `Bearer ${STRIPE_SECRETS.secretKey}`) {
    const message = 'Invalid API Key provided: sk_test_****Used';
    return { status: 401, body: { error: { type: 'invalid_request_error', message } } };
  }
  if (headers['stripe-version'] === API_VERSION) return null;
  const message = `Invalid Stripe API version: ${String(headers['stripe-version'])}`;
  return { status: 400, body: { error: { type: 'invalid_request_error', message } } };
}
