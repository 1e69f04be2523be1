/**
 * Sends one request to an endpoint. The host of the endpoint is a stranger: everything that it does
 * is bounded in time and bytes, its redirects are not followed, and of its answer only the first bytes
 * are kept, as text for those who manage the endpoint.
 */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { buildConnector as Connector, Dispatcher } from 'undici';
import type { DeliveryFault } from '../../../shared/api/webhooks.ts';
import { BUILD } from '../../../shared/build.ts';
import type { Clock } from '../../../shared/clock.ts';
import { ANSWER_BYTES_MAX } from '../../../shared/webhook-events.ts';
import { isPublicAddress, NoAddress, PrivateAddress, publicLookup } from './addresses.ts';
import { answerText } from './answer-text.ts';

/** From the lookup of the name to the end of the answer. */
export const ATTEMPT_MS_MAX = 10_000;
/** For the answer's body, which decides nothing. */
const ANSWER_MS_MAX = 1_000;
const ANSWER_HEADER_BYTES_MAX = 16 * 1024;
const RESOLVE = { timeout: 2_000, tries: 2 } as const;

export type WebhookSettings = Readonly<{
  /** Also sends to addresses that are not public, and over plain HTTP. */
  allowPrivateAddresses: boolean;
}>;

export type SenderParts = Readonly<{
  clock: Clock;
  settings: WebhookSettings;
  /** Resolves the names of hosts. Default: the name servers of this machine. */
  resolver?: Resolver;
}>;

export type Posting = Readonly<{ url: string; headers: Record<string, string>; body: string }>;

export type Sent = Readonly<{
  /** The status of the answer, if there was one. */
  status: number | null;
  /** Null when it was delivered. */
  fault: DeliveryFault | null;
  /** How long the attempt took, in ms. */
  took: number;
  /** The first bytes of the answer's body, as text; null: there was no answer. */
  answer: string | null;
}>;

export class WebhookSender implements Disposable {
  readonly #parts: SenderParts;
  readonly #resolver: Resolver;
  readonly #stopping = new AbortController();

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#resolver = parts.resolver ?? new Resolver(RESOLVE);
  }

  /** Never rejects because of the host. Throws when it is disposed meanwhile. */
  async send({ url, headers, body }: Posting): Promise<Sent> {
    // Imported on demand, because most routers send nothing.
    const { Agent, buildConnector, request } = await import('undici');
    // One for each request, so that nothing is left open to a host.
    const dispatcher = new Agent({
      connect: this.#connector(buildConnector),
      connections: 1,
      pipelining: 0,
      maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
    });
    const late = new AbortController();
    const { clock } = this.#parts;
    const timer = clock.after(ATTEMPT_MS_MAX, () => late.abort());
    const began = clock.monotonic();
    const took = () => Math.round(clock.monotonic() - began);
    const signal = AbortSignal.any([late.signal, this.#stopping.signal]);
    try {
      const answer = await request(url, {
        dispatcher,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': `Penstock/${BUILD.version}`,
          ...headers,
        },
        body,
        signal,
      });
      const { statusCode: status } = answer;
      const text = await this.#readSome(answer.body);
      const fault = status >= 200 && status < 300 ? null : 'status';
      return { status, fault, took: took(), answer: text };
    } catch (error) {
      if (this.#stopping.signal.aborted) throw new Error('the router stops', { cause: error });
      const fault = late.signal.aborted ? 'timeout' : faultOf(error);
      return { status: null, fault, took: took(), answer: null };
    } finally {
      timer.cancel();
      await dispatcher.destroy();
    }
  }

  /** Returns what was read, however the body ends. */
  async #readSome(body: Dispatcher.ResponseData['body']): Promise<string> {
    const timer = this.#parts.clock.after(ANSWER_MS_MAX, () => body.destroy());
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of body) {
        const rest = (chunk as Uint8Array).subarray(0, ANSWER_BYTES_MAX - bytes);
        chunks.push(rest);
        bytes += rest.byteLength;
        // Leaving the loop destroys the body.
        if (bytes === ANSWER_BYTES_MAX) break;
      }
    } catch {
      // A host that has answered may close its connection as it likes.
    } finally {
      timer.cancel();
    }
    return answerText(Buffer.concat(chunks));
  }

  #connector(buildConnector: typeof Connector): Connector.connector {
    const { allowPrivateAddresses } = this.#parts.settings;
    const options = { timeout: ATTEMPT_MS_MAX, allowH2: false };
    if (allowPrivateAddresses) return buildConnector(options);
    const connect = buildConnector({ ...options, lookup: publicLookup(this.#resolver) });
    return (target, callback) => {
      // An address is not looked up.
      const host = bareHost(target.hostname);
      if (isIP(host) !== 0 && !isPublicAddress(host)) callback(new PrivateAddress(), null);
      else connect(target, callback);
    };
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
  }
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/;
const DNS = /^(?:ENOTFOUND|ENODATA|EAI_)/;

function faultOf(error: unknown): DeliveryFault {
  if (error instanceof PrivateAddress) return 'private_address';
  // A name with a private address is not told from one without any, or one could ask for the names of
  // the network that the router runs in.
  if (error instanceof NoAddress) return 'dns';
  const code = codeOf(error);
  if (DNS.test(code)) return 'dns';
  if (TLS.test(code)) return 'tls';
  return code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : 'connection';
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
