/**
 * Idempotent requests. Requests that move money, or send an invoice again, carry an Idempotency-Key. A form that is sent again
 * unchanged, by a double click or because the response was lost, counts as one request. A changed
 * form is a new request.
 */
import { useRef } from 'react';
import { send } from './client.ts';

const KEY_BYTES = 16;

type Sent = { body: string; key: string };

/**
 * Returns the send function of one form. It reuses the key of the previous request when path and
 * body are the same, and otherwise makes a new key. Throws ApiError.
 */
export function useSendOnce(): <Answer>(path: string, body: unknown) => Promise<Answer> {
  const last = useRef<Sent | null>(null);
  return async (path, body) => {
    const text = JSON.stringify([path, body]);
    if (last.current?.body !== text) last.current = { body: text, key: newKey() };
    return await send('POST', path, body, last.current.key);
  };
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
