/** A gateway of the comparison, as it runs in front of the engine. */
import { request } from 'undici';
import { until } from '../../support/up.ts';

export type Gateway = AsyncDisposable &
  Readonly<{
    url: string;
    key: string;
    model: string;
    /** Its processes by the names of its parts. */
    parts: Readonly<Record<string, readonly number[]>>;
  }>;

export type GatewayKind = Readonly<{
  name: string;
  /** What it does for a request besides passing it on. */
  carries: string;
  /** Whether its code is compiled as it runs, so that it needs a long warm-up. */
  isCompiledLate: boolean;
  /** Null if the gateway is not on this machine. */
  version: string | null;
  start: (engineUrl: string, signal: AbortSignal) => Promise<Gateway>;
}>;

/** The one key that a gateway without accounts compares. */
export const PEER_KEY = 'sk-bench-0123456789abcdef';

/** Waits until the gateway answers a chat. */
export async function untilAnswering(gateway: Omit<Gateway, 'parts' | keyof AsyncDisposable>) {
  const ask = async () => {
    const { statusCode, body } = await request(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: gateway.model,
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 1,
      }),
    });
    await body.dump();
    return statusCode === 200;
  };
  await until(() => ask().catch(() => false), `an answer of ${gateway.url}`);
}
