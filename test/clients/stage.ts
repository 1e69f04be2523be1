/**
 * The service that the clients are tried against: a `penstock up` whose engine cuts off one prompt,
 * and for each client an organization with a key for each scene. So the ledger tells what each
 * scene has spent.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Up, until } from '../support/up.ts';

/** What a client is given to play on its standard input. */
export type Stage = Readonly<{
  base_url: string;
  origin: string;
  plain: string;
  thinker: string;
  image: string;
  texts: typeof TEXTS;
  scenes: readonly string[];
  keys: Readonly<Record<string, string>>;
}>;

/** The scenes in the order in which they are played. */
export const SCENES = {
  /** A 429 is tried again, and succeeds. It is the first, while the stage keeps its key busy. */
  limited: '429 again',
  whole: 'whole',
  streamed: 'streamed',
  tools: 'tools',
  reasoning: 'reasoning',
  image: 'image',
  json: 'JSON',
  /** A stream that is cut raises. */
  cut: 'cut',
  /** A 402 is tried once. */
  no_credit: '402 once',
  too_long: 'too long',
  models: 'models',
} as const;
export type SceneName = keyof typeof SCENES;

const CUT = 'Tell of the sluice that broke.';
const TEXTS = {
  ask: 'Say in 20 words what a penstock is.',
  tool: 'What is the weather in Paris? Use get_weather.',
  think: 'Why do dams have penstocks?',
  json: 'Describe a dam as JSON.',
  cut: CUT,
  too_long: 'word '.repeat(300_000),
};
const PLAIN = 'qwen/qwen3-235b-a22b-instruct-2507';
const THINKER = 'qwen/qwen3.5-397b-a17b';
/** One red pixel. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

type Keys = Readonly<Record<string, Readonly<{ id: string; key: string }>>>;

export type Spent = Readonly<{ requests: number; prompt: number; completion: number }>;

export class Theatre implements AsyncDisposable {
  readonly #up: Up;
  readonly #broke: Readonly<{ key: string; keyId: string }>;

  private constructor(up: Up, broke: Readonly<{ key: string; keyId: string }>) {
    this.#up = up;
    this.#broke = broke;
  }

  static async open(): Promise<Theatre> {
    const up = await Up.start();
    const config = parse(await readFile(join(up.data, 'agent.yaml'), 'utf8')) as {
      engines: { url: string }[];
    };
    const cut = await fetch(`${config.engines[0]?.url}/sim/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ eof: { containing: CUT, after_tokens: 15 } }),
    });
    if (!cut.ok) throw new Error(await cut.text());
    const broke = await up.customer('Without credit');
    const none = ['--organization', broke.id, '--amount', '-5', '--reason', 'test'];
    await up.admin('credit', 'adjust', ...none);
    return new Theatre(up, broke);
  }

  /** Makes an organization for a client, with a key for each scene. */
  async stage(client: string): Promise<{ stage: Stage; organization: string; keys: Keys }> {
    const up = this.#up;
    const { id } = await up.api('POST', '/organizations', { name: client });
    const keys: Record<string, { id: string; key: string }> = {};
    for (const scene of Object.keys(SCENES)) {
      const limits = scene === 'limited' ? { limits: { concurrent_requests: 1 } } : {};
      keys[scene] = await up.api('POST', `/organizations/${id}/keys`, { name: scene, ...limits });
    }
    const values = Object.entries(keys).map(([scene, { key }]) => [scene, key] as const);
    const stage: Stage = {
      base_url: up.ready.base_url,
      origin: up.origin,
      plain: PLAIN,
      thinker: THINKER,
      image: IMAGE,
      texts: TEXTS,
      scenes: Object.keys(SCENES),
      keys: { ...Object.fromEntries(values), no_credit: this.#broke.key },
    };
    return { stage, organization: id, keys };
  }

  /**
   * Keeps a key at its limit until a request with it has been refused, or until `done` is aborted.
   */
  async keepBusy(key: string, done: AbortSignal): Promise<void> {
    const before = await this.refusals('rate_limited');
    const leaving = new AbortController();
    const messages = [{ role: 'user', content: 'Write 20000 words about rivers.' }];
    const running = await this.#up.post(
      '/chat/completions',
      { model: PLAIN, messages, stream: true },
      {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        signal: leaving.signal,
      },
    );
    if (running.status !== 200) throw new Error(await running.text());
    // An answer that nobody reads is dropped with its last reference.
    void running.text().catch(() => null);
    const refused = async () => done.aborted || (await this.refusals('rate_limited')) > before;
    void until(refused, 'a refused request', 120_000).finally(() => leaving.abort());
  }

  /** How many requests have been refused with this code. */
  async refusals(code: string): Promise<number> {
    const metrics = await this.#up.metrics();
    const lines = metrics.matchAll(/^penstock_router_requests_total\{(.*)\} (\d+)$/gm);
    return [...lines]
      .filter(([, labels]) => labels?.includes(`code="${code}"`))
      .reduce((sum, [, , count]) => sum + Number(count), 0);
  }

  /** What `penstock admin usage list` lists for an organization, by key. Cut answers are free. */
  async spent(organization: string): Promise<Map<string, Spent>> {
    const spent = new Map<string, Spent>();
    for (const row of await this.#up.usage(organization)) {
      if (row.status !== 200) continue;
      const { requests, prompt, completion } = spent.get(row.key_id) ?? {
        requests: 0,
        prompt: 0,
        completion: 0,
      };
      spent.set(row.key_id, {
        requests: requests + 1,
        prompt: prompt + row.prompt_tokens,
        completion: completion + row.completion_tokens,
      });
    }
    return spent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#up[Symbol.asyncDispose]();
  }
}
