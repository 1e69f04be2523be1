/** An operator's client of the management API, over HTTP to any router. */
import { formatUsd, parseUsd, PICO_PER_USD, ZERO } from '../../shared/money.ts';

export type Customer = Readonly<{ id: string; key: string; keyId: string }>;

const WELCOME = 5n * PICO_PER_USD;

export class Office {
  readonly #origin: () => string;
  readonly #token: string;

  constructor(origin: () => string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  async call<T>(method: string, path: string, body?: object, origin = this.#origin()): Promise<T> {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** Creates an organization with exactly this credit (pico-USD), and a key for it. */
  async customer(name: string, credit: bigint): Promise<Customer> {
    const { id } = await this.call<{ id: string }>('POST', '/organizations', { name });
    if (credit !== WELCOME) await this.adjust(id, credit - WELCOME);
    return { id, ...(await this.key(id)) };
  }

  async key(organization: string): Promise<{ key: string; keyId: string }> {
    const path = `/organizations/${organization}/keys`;
    const made = await this.call<{ id: string; key: string }>('POST', path, { name: 'torture' });
    return { key: made.key, keyId: made.id };
  }

  async adjust(organization: string, change: bigint): Promise<void> {
    const path = `/organizations/${organization}/credit/adjustments`;
    await this.call('POST', path, { amount: formatUsd(change), reason: 'torture' });
  }

  async credit(organization: string): Promise<{ balance: bigint; held: bigint }> {
    const path = `/organizations/${organization}/credit`;
    const { balance, held } = await this.call<{ balance: string; held: string }>('GET', path);
    return { balance: parseUsd(balance) ?? ZERO, held: parseUsd(held) ?? ZERO };
  }

  async suspend(organization: string): Promise<void> {
    await this.call('PATCH', `/organizations/${organization}/terms`, { status: 'suspended' });
  }

  async revokeKey(organization: string, key: string, origin?: string): Promise<void> {
    await this.call('POST', `/organizations/${organization}/keys/${key}/revoke`, undefined, origin);
  }
}
