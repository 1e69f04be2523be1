/**
 * Generates a token or two on an engine to see whether it works, because an engine that hangs may
 * still answer /health and /version. The answer also shows which counts the engine reports, and
 * what was cached.
 */
import type { Clock } from '../../shared/clock.ts';
import { count, type EngineDelta, isEmpty, parseChunk, reasoningOf, text } from './chunk.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { Engine } from './engine.ts';
import { Exchange, type ExchangeEvents } from './exchange.ts';
import type { ReasoningSupport } from './reasoning-support.ts';
import { isError } from './refusal.ts';

export type Probed =
  | Readonly<{
      outcome: 'generates';
      endpoint: Endpoint;
      /** Whether counts came before the end. Null when nothing came before the end. */
      runningUsage: boolean | null;
      prompt: number;
      /** Cached tokens of the prompt. Null when the engine did not report them. */
      cached: number | null;
      /** Where the first tokens show reasoning to be. */
      reasoning: ReasoningSupport;
      beganWithText: boolean;
    }>
  /** The engine takes no request at the moment (status 429 or 503). */
  | Readonly<{ outcome: 'busy' }>
  /** The engine rejects this kind of request (any other 4xx). */
  | Readonly<{ outcome: 'refused' }>
  /** The probe timed out, or met an error or an end without an answer. */
  | Readonly<{ outcome: 'failed' }>;

export type ProbeParts = Readonly<{
  engine: Engine;
  dialect: Dialect;
  /** The engine's own name for a model. */
  model: string;
  /** 32 hexadecimal digits. */
  salt: string;
  /** Whether the probe is a chat with a tool, which it need not call. */
  tools: boolean;
  id: string;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
}>;

/** The first of two tokens comes before the end, and shows whether counts come with it. */
const PROBE_TOKENS = 2;
/** How much of the text of an answer is read. */
const BEGINNING_CHARS = 64;
/** Long enough to fill blocks of a cache, short enough to cost nothing. */
const PASSAGE =
  'The keeper opens the gate, the water falls, and the boat goes down the river. '.repeat(6);
/** A tool for a probe that shows whether tools are taken at all. */
const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'open_gate',
      description: 'Opens a gate.',
      parameters: { type: 'object', properties: { gate: { type: 'string' } } },
    },
  },
];
const ENDPOINTS = ['chat', 'completions'] as const;
type Endpoint = (typeof ENDPOINTS)[number];

/**
 * Generates `PROBE_TOKENS` tokens with a chat. If that is rejected and was to have no tools, a text
 * completion is tried.
 */
export async function probe(parts: ProbeParts): Promise<Probed> {
  let probed: Probed = { outcome: 'failed' };
  for (const endpoint of parts.tools ? (['chat'] as const) : ENDPOINTS) {
    probed = await probeOne(parts, endpoint);
    if (probed.outcome === 'generates') {
      parts.engine.load.prefixCache.probed(probed.prompt, probed.cached ?? 0);
    }
    if (probed.outcome !== 'refused') break;
  }
  return probed;
}

function probeOne(parts: ProbeParts, endpoint: Endpoint): Promise<Probed> {
  const { engine, dialect, model, salt, tools, id, clock, timeoutMs, signal } = parts;
  const content =
    endpoint === 'chat' ? { messages: [{ role: 'user', content: PASSAGE }] } : { prompt: PASSAGE };
  const withTools = tools ? { tools: TOOLS, tool_choice: 'auto' } : {};
  const contextLength = PASSAGE.length;
  const request = {
    salt,
    endpoint,
    maxTokens: PROBE_TOKENS,
    bodyBytes: PASSAGE.length,
    id,
    contextLength,
  };
  const body = {
    model,
    ...content,
    ...withTools,
    max_tokens: PROBE_TOKENS,
    temperature: 0,
    stream: true,
    ...dialect.control(request),
  };
  return new Promise((resolve) => {
    const listener = new ProbeListener(dialect, endpoint, (probed) => {
      timer.cancel();
      signal.removeEventListener('abort', giveUp);
      exchange.abort();
      resolve(probed);
    });
    const exchange = new Exchange(listener);
    const giveUp = () => listener.finish({ outcome: 'failed' });
    const timer = clock.after(timeoutMs, giveUp);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const { client } = engine;
    exchange.start(client.queries, client.completionRequest(endpoint, { id }, body));
  });
}

/** A probe succeeds when a finish_reason was seen, as for any answer. */
class ProbeListener implements ExchangeEvents {
  readonly #dialect: Dialect;
  readonly #endpoint: Endpoint;
  readonly #onResult: (probed: Probed) => void;
  #over = false;
  #finished = false;
  #runningUsage: boolean | null = null;
  #prompt = 0;
  #cached: number | null = null;
  #text = '';
  #isReasoningApart = false;

  constructor(dialect: Dialect, endpoint: Endpoint, onResult: (probed: Probed) => void) {
    this.#dialect = dialect;
    this.#endpoint = endpoint;
    this.#onResult = onResult;
  }

  finish(probed: Probed): void {
    if (this.#over) return;
    this.#over = true;
    this.#onResult(probed);
  }

  accepted(): void {}

  event(data: string): void {
    if (data === '[DONE]') return this.ended();
    const chunk = parseChunk(data);
    if (!chunk || isError(chunk)) return this.finish({ outcome: 'failed' });
    const choice = chunk.choices?.[0];
    const usage = this.#dialect.usageOf(chunk);
    if (choice?.delta) this.#read(choice.delta);
    const isEnd = typeof choice?.finish_reason === 'string';
    if (choice && !isEnd && (usage || !isEmpty(choice))) this.#runningUsage ||= Boolean(usage);
    this.#prompt = count(usage?.prompt_tokens) ?? this.#prompt;
    const cached = count(usage?.prompt_tokens_details?.cached_tokens);
    if (cached !== null) this.#cached = cached;
    if (isEnd && choice.finish_reason !== 'abort') this.#finished = true;
  }

  ended(): void {
    if (!this.#finished) return this.finish({ outcome: 'failed' });
    this.finish({
      outcome: 'generates',
      endpoint: this.#endpoint,
      runningUsage: this.#runningUsage,
      prompt: this.#prompt,
      cached: this.#cached,
      reasoning: this.#reasoning,
      beganWithText: this.#text.trim() !== '',
    });
  }

  #read(delta: EngineDelta): void {
    if (reasoningOf(delta) !== '') this.#isReasoningApart = true;
    if (this.#text.length < BEGINNING_CHARS) this.#text += text(delta.content);
  }

  get #reasoning(): ReasoningSupport {
    if (this.#isReasoningApart) return 'apart';
    return /^\s*<think>/.test(this.#text) ? 'in the text' : 'unknown';
  }

  failed(status: number | null): void {
    if (status === 503 || status === 429) return this.finish({ outcome: 'busy' });
    const refused = status !== null && status >= 400 && status < 500;
    this.finish({ outcome: refused ? 'refused' : 'failed' });
  }
}
