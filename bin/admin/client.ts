/** A client of the management API over HTTP, typed by the schemas that the router itself uses. */
import { Agent, request } from 'undici';
import { z } from 'zod';
import { PAGE_ROWS_MAX, page } from '../../shared/api/pages.ts';
import { sleep, systemClock as clock } from '../../shared/clock.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { Failed } from '../faults.ts';

const ErrorAnswer = z.object({
  error: z.object({ message: z.string(), code: z.string(), param: z.string().nullish() }),
  request_id: z.string(),
});

/** The delays between attempts, in ms. After the last attempt the command fails. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000] as const;
const KEY_BYTES = 16;

/** The largest response. A page of a list is far smaller. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const dispatcher = new Agent({ maxResponseSize: ANSWER_BYTES_MAX });

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export class Client {
  readonly #origin: string;
  readonly #token: string;
  readonly #signal: AbortSignal | null;

  constructor(origin: string, token: string, signal: AbortSignal | null = null) {
    this.#origin = origin;
    this.#token = token;
    this.#signal = signal;
  }

  /** Returns a client whose requests are aborted by `signal`. */
  until(signal: AbortSignal): Client {
    return new Client(this.#origin, this.#token, signal);
  }

  /** Sends one request. Throws Failed with the API's own message and request id. */
  async call<Answer extends z.ZodType>(
    method: Method,
    path: string,
    answer: Answer,
    body?: object,
  ): Promise<z.output<Answer>> {
    return this.#read(path, answer, await this.#exchange(method, path, body));
  }

  /**
   * Sends a mutation that moves money. Repeats it with the same idempotency key when there is no
   * response or a status of 500 or more; it takes effect only once. Pass `key` to repeat an earlier
   * command that may have taken effect. Throws Failed, with the key if the outcome is unknown.
   */
  async callOnce<Answer extends z.ZodType>(
    path: string,
    answer: Answer,
    body: object,
    key = Buffer.from(random.bytes(KEY_BYTES)).toString('hex'),
  ): Promise<z.output<Answer>> {
    for (const pauseMs of [...PAUSES_MS, null]) {
      const answered = await this.#exchange('POST', path, body, key).catch((error: unknown) => {
        if (error instanceof Failed) return error;
        throw error;
      });
      const isKnown = !(answered instanceof Failed) && answered.status < 500;
      if (isKnown) return this.#read(path, answer, answered);
      if (pauseMs === null) throw unknownOutcome(answered, key);
      await sleep(clock, pauseMs);
    }
    throw new Error('the last attempt neither returned nor threw');
  }

  #read<Answer extends z.ZodType>(
    path: string,
    answer: Answer,
    { status, text }: Answered,
  ): z.output<Answer> {
    const json = parseJson(text);
    if (status >= 400) throw new Failed(refusalText(status, json));
    const parsed = answer.safeParse(json);
    if (!parsed.success) {
      throw new Failed(
        `${this.#origin} did not answer ${path} as the management API does: check --url`,
      );
    }
    return parsed.data;
  }

  /**
   * Yields a list page by page. `filters` are query parameters: undefined ones are left out, and one
   * with several values is repeated.
   */
  async *pages<Item extends z.ZodType>(
    path: string,
    item: Item,
    filters: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  ): AsyncGenerator<z.output<Item>[]> {
    const schema = page(item);
    let after: string | undefined;
    for (;;) {
      const query = new URLSearchParams({ limit: String(PAGE_ROWS_MAX) });
      for (const [name, value] of Object.entries({ ...filters, after })) {
        for (const one of [value ?? []].flat()) query.append(name, one);
      }
      const { data, has_more, next } = await this.call(
        'GET',
        `${path}?${query.toString()}`,
        schema,
      );
      yield data;
      if (!has_more || next === null) return;
      after = next;
    }
  }

  async #exchange(
    method: Method,
    path: string,
    body: object | undefined,
    key?: string,
  ): Promise<Answered> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    if (key !== undefined) headers['idempotency-key'] = key;
    if (body) headers['content-type'] = 'application/json';
    try {
      const answer = await request(`${this.#origin}/api/v1${path}`, {
        dispatcher,
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        ...(this.#signal && { signal: this.#signal }),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const isTooLarge = code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
      const why = isTooLarge ? "the router's response is too large" : (code ?? message);
      throw new Failed(`cannot reach ${this.#origin}: ${why}`, { cause: error });
    }
  }
}

type Answered = Readonly<{ status: number; text: string }>;

function unknownOutcome(last: Failed | Answered, key: string): Failed {
  const why =
    last instanceof Failed ? last.message : refusalText(last.status, parseJson(last.text));
  return new Failed(
    `${why}\nThe outcome is unknown. Run the same command again with --idempotency-key ${key} to make the change only once.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusalText(status: number, json: unknown): string {
  const parsed = ErrorAnswer.safeParse(json);
  if (!parsed.success)
    return `the router answered with status ${status} and without an error message`;
  const { error, request_id } = parsed.data;
  const { message, code, param } = error;
  const field = param == null ? '' : `field ${param}, `;
  return `${message} (${code}, ${field}request ${request_id})`;
}
