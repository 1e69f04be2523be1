/** What differs between kinds of engines: one small value for each, so that another kind is another file. */
import type { Open } from '../../../shared/wire/messages.ts';
import type { Asking } from '../ask.ts';
import type { EngineChunk, EngineUsage } from '../chunk.ts';

export type Fields = Record<string, unknown>;

/** The names under which an engine's metrics page carries each figure; the first that is there counts. */
export type MetricNames = Readonly<{
  running: readonly string[];
  waiting: readonly string[];
  kvUse: readonly string[];
  prefixHitTokens: readonly string[];
  prefixQueryTokens: readonly string[];
  /** Tokens it has written since it was started. */
  generatedTokens: readonly string[];
  /** What its KV cache holds: a figure, or two labels of a line that tells of the configuration. */
  kvTokens: readonly string[];
  kvLabels: Readonly<{ name: string; blocks: string; blockTokens: string }> | null;
}>;

/** What a request's body may depend on, besides what the client asked for. */
export type Controlled = Pick<Open, 'salt' | 'endpoint' | 'maxTokens' | 'bodyBytes'> &
  Readonly<{
    /** What the engine is to call the request. */
    id: string;
    contextLength: number;
  }>;

/** How it is told how much to think, beyond the switches of the chat template. */
export type ThinkingWords = Readonly<{
  /** Whether it takes `thinking_token_budget`. */
  budget: boolean;
  /** Where `reasoning_effort` belongs: in the body, or in `chat_template_kwargs`. */
  effort: 'body' | 'template';
}>;

/** The switches it has to be started with, as its operator knows them; null where there is none to miss. */
export type Switches = Readonly<{
  cachedTokens: string | null;
  metrics: string | null;
  reasoning: string | null;
}>;

/** What an engine says of itself when asked. */
export type Self = Readonly<{
  version: string | null;
  /** Null: it does not say. */
  kvTokens: number | null;
  /** Whether cached tokens will stand in its usage; null: it does not say. */
  reportsCached: boolean | null;
  notes: readonly string[];
}>;

/** Asks the engine for a page of JSON; null for anything else. */
export type Look = (path: string) => Promise<unknown>;

export type Dialect = Readonly<{
  /** As it stands in the fingerprint and in the load report: lower case, no spaces. */
  name: string;
  /** What the engine says of itself, or null: it is of another kind. */
  recognise(look: Look): Promise<Self | null>;
  /** Whether usage comes with every chunk when asked for. */
  runningUsage: boolean;
  /** Whether it keeps the caches of different salts apart; `if shown`: only once a trial has shown that it does. */
  salted: boolean | 'if shown';
  /** Null: the engine has no metrics page, and the agent's own counts are all there is. */
  metrics: MetricNames | null;
  /** What the engine's body says besides what the client asked for. */
  control(request: Controlled): Fields;
  /** The counts that come with a chunk. */
  usageOf(chunk: EngineChunk): EngineUsage | null | undefined;
  /** A prompt's tokens; 0 where it does not say in time. Null: it cannot say before its first token. */
  countPrompt: ((asking: Asking, body: Fields) => Promise<number>) | null;
  /** Where it is told to stop a request by its id, before the connection goes; null: that one is enough. */
  abortPath: string | null;
  thinking: ThinkingWords;
  switches: Switches;
  /** Whether one token may be asked of the first model it lists: not where that would load it first. */
  probed: boolean;
}>;
