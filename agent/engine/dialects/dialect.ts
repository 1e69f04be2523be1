/** What differs between kinds of engines. Each kind is one small value in a file of its own. */
import type { Open } from '../../../shared/wire/messages.ts';
import type { EngineChunk, EngineUsage } from '../chunk.ts';
import type { EngineClient } from '../client.ts';

export type Fields = Record<string, unknown>;

/** The names of an engine's metrics. Of several names, the first one on the page is used. */
export type MetricNames = Readonly<{
  running: readonly string[];
  waiting: readonly string[];
  kvUse: readonly string[];
  prefixHitTokens: readonly string[];
  prefixQueryTokens: readonly string[];
  /**
   * Tokens that were looked up and not found, of an engine that counts them together with
   * `prefixHitTokens` instead of `prefixQueryTokens`.
   */
  prefixMissTokens: readonly string[];
  /** Tokens that the engine has generated since it was started. */
  generatedTokens: readonly string[];
  /**
   * The capacity of the KV cache in tokens: a metric (`kvTokens`), or the product of two labels of
   * a metric that describes the configuration (`kvLabels`).
   */
  kvTokens: readonly string[];
  kvLabels: Readonly<{ name: string; blocks: string; blockTokens: string }> | null;
}>;

/** What an engine's body may depend on, besides the client's fields. */
export type Controlled = Pick<Open, 'salt' | 'endpoint' | 'maxTokens' | 'bodyBytes'> &
  Readonly<{
    /** The id that the engine uses for the request. */
    id: string;
    contextLength: number;
  }>;

/** How a request sets the amount of reasoning. */
export type ThinkingWords = Readonly<{
  /** Whether the engine accepts `thinking_token_budget`. */
  budget: boolean;
  /** What turns thinking on and off: the family's own switch, or the effort `none`. */
  switch: 'template' | 'effort';
  /** Where `reasoning_effort` goes: in the body, or in `chat_template_kwargs`. */
  effort: 'body' | 'template';
}>;

/**
 * The command-line flags that enable a feature of the engine. Null when the feature needs no flag.
 */
export type Switches = Readonly<{
  cachedTokens: string | null;
  metrics: string | null;
  reasoning: string | null;
  images: string | null;
  /** Without these flags, requests with tools are refused. A trial shows it. */
  tools: string | null;
}>;

/** What an engine reports about itself. */
export type Self = Readonly<{
  version: string | null;
  /** Capacity of the KV cache in tokens. Null when the engine does not report it. */
  kvTokens: number | null;
  /** Whether the engine's usage includes cached tokens. Null when the engine does not report it. */
  reportsCached: boolean | null;
  /** True when the engine reports that it takes no images. */
  refusesImages?: boolean;
  notes: readonly string[];
}>;

/** Fetches JSON from the engine. Returns null for anything else. */
export type Look = (path: string) => Promise<unknown>;

export type Dialect = Readonly<{
  /** The engine's name in `system_fingerprint` and in load reports: lower case, no spaces. */
  name: string;
  /** Returns what the engine reports about itself, or null when the engine is of another kind. */
  recognise(look: Look): Promise<Self | null>;
  /** Whether the engine sends usage with every chunk if a request enables it. */
  runningUsage: boolean;
  /** Whether the caches of different salts are kept apart. `if shown`: if a trial shows it. */
  salted: boolean | 'if shown';
  /** Null when the engine has no metrics page. Then only the agent's own counts are known. */
  metrics: MetricNames | null;
  /** Returns the fields of the engine's body that do not come from the client. */
  control(request: Controlled): Fields;
  /** Returns the token counts in a chunk, if it has any. */
  usageOf(chunk: EngineChunk): EngineUsage | null | undefined;
  /** Whether the engine reports the log probabilities of tokens. */
  reportsLogprobs: boolean;
  /**
   * Counts the tokens of a prompt. Resolves to 0 when the engine does not answer in that time. Null
   * when the engine cannot count a prompt before its first token.
   */
  countPrompt: ((client: EngineClient, body: Fields, timeoutMs: number) => Promise<number>) | null;
  /** The field of a message in which the engine takes earlier reasoning. */
  reasoningField: 'reasoning' | 'reasoning_content';
  /** The `response_format` with which the engine writes a JSON object. */
  jsonFormat: Fields;
  /**
   * The endpoint that stops a request by its id, before the connection is closed. Null when closing
   * the connection is enough.
   */
  abortPath: string | null;
  thinking: ThinkingWords;
  switches: Switches;
  /** Whether the first listed model may be probed. False if that would load the model. */
  probed: boolean;
}>;
