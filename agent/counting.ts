/**
 * Answers a router's token count requests with an engine's own tokenizer: to compare the counts
 * with those that another host has reported, or because a client asks for them.
 */
import type { Count, Counted } from '../shared/wire/messages.ts';
import { promptBody } from './engine/body.ts';
import type { Fields } from './engine/dialects/dialect.ts';
import type { Engine } from './engine/engine.ts';
import { isObject } from './engine/json.ts';
import { planThinking } from './engine/reasoning.ts';
import type { Workers } from './workers.ts';

/**
 * The most token count requests in progress. Further requests are answered with null immediately,
 * because inference has priority.
 */
const OPEN_MAX = 4;
/** The router waits five seconds for an answer. A long text takes longer than the last counts may. */
const COUNT_MS_MAX = 4_000;

export class Counting {
  readonly #workers: Pick<Workers, 'serving'>;
  readonly #send: (counted: Counted) => void;
  #open = 0;

  constructor(workers: Pick<Workers, 'serving'>, send: (counted: Counted) => void) {
    this.#workers = workers;
    this.#send = send;
  }

  async count(query: Count): Promise<void> {
    const { id } = query;
    if (this.#open >= OPEN_MAX)
      return this.#send({ type: 'counted', id, prompt: null, answer: null });
    this.#open += 1;
    // A request that cannot be sent, such as a prompt nested too deeply, is answered with null.
    const [prompt, answer] = await Promise.all([
      this.#countPrompt(query).catch(() => null),
      this.#countAnswer(query).catch(() => null),
    ]);
    this.#open -= 1;
    this.#send({ type: 'counted', id, prompt, answer });
  }

  async #countPrompt({ worker, model: id, endpoint, prompt }: Count): Promise<number | null> {
    const client = prompt === null ? null : parse(prompt);
    const served = this.#workers.serving(worker, id);
    if (!served || !isObject(client)) return null;
    const { engine, model } = served;
    const { dialect } = engine.profile;
    const { model: of, served: name } = model;
    const { fields: thinking } = planThinking(client['reasoning'], of.thinking, dialect.thinking);
    const body = promptBody({ endpoint, client, served: name, dialect, thinking });
    return await countBy(engine, body);
  }

  async #countAnswer({ worker, model: id, answer }: Count): Promise<number | null> {
    const served = this.#workers.serving(worker, id);
    if (!served || answer === null) return null;
    return await countBy(served.engine, { model: served.model.served, prompt: answer });
  }
}

/**
 * Returns null when the engine does not report a count. That includes a count of 0: every text has
 * at least one token, so 0 means that the count is unknown.
 */
async function countBy({ profile, client }: Engine, body: Fields): Promise<number | null> {
  const { countPrompt } = profile.dialect;
  const tokens = countPrompt === null ? 0 : await countPrompt(client, body, COUNT_MS_MAX);
  return tokens === 0 ? null : tokens;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
