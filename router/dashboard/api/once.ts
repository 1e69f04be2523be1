/**
 * What moves money is sent with an Idempotency-Key: a form that is sent again as it is, by a double click or after an
 * answer that was lost, is one request. What was changed in it meanwhile is another.
 */
import { useRef } from 'react';
import { send } from './client.ts';

const KEY_BYTES = 16;

type Sent = { body: string; key: string };

/** For one form: sends a body under the key that it was sent with before, if it was. Throws ApiError. */
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
