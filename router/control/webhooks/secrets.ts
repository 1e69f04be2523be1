/**
 * Secrets and signatures of webhooks, by the Standard Webhooks scheme: HMAC-SHA256 over the id of
 * the message, its time and its body.
 */
import { createHmac } from 'node:crypto';
import type { WebhookId } from '../../../shared/ids.ts';
import type { Peppers } from '../../../shared/peppers.ts';
import { type Place, seal, type SealParts, unseal } from '../access/sealing.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';
/** How long the secret before a rotation signs as well. */
export const FORMER_SECRET_MS = 24 * 60 * 60 * 1000;

/** Creates a secret: the text that its owner sees once, and what the store keeps. */
export function mintWebhookSecret(
  parts: SealParts,
  webhook: WebhookId,
): { secret: string; sealed: string } {
  const bytes = parts.random.bytes(SECRET_BYTES);
  return {
    secret: PREFIX + Buffer.from(bytes).toString('base64'),
    sealed: seal(parts, placeOf(webhook), bytes),
  };
}

/** Returns the bytes with which a secret signs. */
export function openWebhookSecret(peppers: Peppers, webhook: WebhookId, sealed: string) {
  return unseal(peppers, placeOf(webhook), sealed);
}

function placeOf(webhook: WebhookId): Place {
  return { purpose: 'webhook', id: webhook };
}

export type Message = Readonly<{
  id: string;
  /** When this attempt is made, in ms since the epoch. */
  at: number;
  body: string;
}>;

/** Returns the headers that identify and sign a message, with one signature for each secret. */
export function signedHeaders(
  { id, at, body }: Message,
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const signed = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
