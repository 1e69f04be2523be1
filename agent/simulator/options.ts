/** The options of `penstock sim`. Numbers may be given as text, as on the command line. */
import { z } from 'zod';
import { LOG_LEVELS } from '../../shared/log.ts';
import { KV_EVENT_FORMS } from './vllm/kv-events.ts';

export const DIALECTS = ['vllm', 'sglang', 'llamacpp'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** How many requests run at once by default. */
const RUNNING_MAX: Readonly<Record<DialectName, number>> = {
  vllm: 1_024,
  sglang: 1_024,
  llamacpp: 4,
};

const whole = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,15}$/, 'is a whole number')
      .transform(Number),
  ])
  .pipe(z.int().nonnegative());
const positive = whole.pipe(z.int().positive());
/** Port 0 takes any free port. Loopback only, because the events contain salts. */
const eventsAddress = z
  .string()
  .regex(/^tcp:\/\/127\.0\.0\.1:\d{1,5}$/, 'is not tcp://127.0.0.1:PORT');
const decimal = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'is a number')
      .transform(Number),
  ])
  .pipe(z.number().nonnegative());

export const SimOptions = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1'),
    /** 0 takes any free port. */
    port: whole.pipe(z.number().max(65_535)).default(9000),
    /** The engine whose protocol is simulated. */
    dialect: z.enum(DIALECTS).default('vllm'),
    /** Names of the models to serve. Empty: the whole catalog. */
    model: z.array(z.string().min(1)).default([]),
    catalog: z.string().min(1).optional(),
    tokenMs: decimal.default(10),
    decodeSlopeUs: decimal.default(0),
    prefillUs: decimal.default(50),
    /**
     * The size of the KV cache, in blocks of 16 tokens. The default holds sixteen contexts of a
     * million tokens.
     */
    kvBlocks: positive.default(1 << 20),
    /** Requests that run at once. Absent: the engine's default. */
    maxRunning: positive.optional(),
    /**
     * Whether llama.cpp divides its KV cache among its slots, as it does with `--parallel`.
     * Otherwise all slots share the cache.
     */
    divideKv: z.boolean().default(false),
    /** Requests that may wait. One more gets a 503. Absent: any number. */
    maxQueued: positive.optional(),
    /** The most tokens of one step, prefill and decode together. */
    tokenBudget: positive.default(2_048),
    tokensPerChunk: positive.default(1),
    seed: whole.default(0),
    /** vLLM's --enable-prompt-tokens-details: cached_tokens in the usage. */
    promptTokensDetails: z.boolean().default(true),
    /** vLLM's --enable-auto-tool-choice --tool-call-parser: without them, tools are refused. */
    toolCallParser: z.boolean().default(true),
    /** vLLM's --reasoning-parser: without it, reasoning is part of the text. */
    reasoningParser: z.boolean().default(true),
    /**
     * Whether the engine only speaks vLLM's protocol, as llm-d's simulator does: it has no /version,
     * and ignores salts.
     */
    vllmLike: z.boolean().default(false),
    /** SGLang's --enable-cache-report, with the same effect. */
    enableCacheReport: z.boolean().default(false),
    /** The address at which vLLM's KV events are published. */
    kvEventsEndpoint: eventsAddress.optional(),
    /** The address at which missed KV events can be requested again. */
    kvReplayEndpoint: eventsAddress.optional(),
    /** Every nth batch of KV events is not published. */
    kvEventsLoseEvery: positive.optional(),
    kvEventsForm: z.enum(KV_EVENT_FORMS).default('map'),
    /**
     * Whether SGLang or llama.cpp has a metrics page. The real engines have one only with a flag.
     */
    metrics: z.boolean().default(true),
    /** How many seconds the model takes to load. */
    loadSeconds: decimal.default(0),
    /** A prompt that contains this kills the engine. */
    poison: z.string().min(1).optional(),
    /** Whether /sim/requests shows the last body. Otherwise it shows only the body's keys. */
    recordBodies: z.boolean().default(false),
    logLevel: z.enum(LOG_LEVELS).default('info'),
  })
  .refine(({ model, catalog }) => model.length > 0 || catalog !== undefined, {
    error: 'there is nothing to serve: give a model or a catalog',
    path: ['model'],
  })
  .refine(({ dialect, kvEventsEndpoint }) => dialect === 'vllm' || kvEventsEndpoint === undefined, {
    error: 'is only for vllm',
    path: ['kvEventsEndpoint'],
  })
  .refine(
    ({ kvEventsEndpoint, kvReplayEndpoint }) =>
      kvEventsEndpoint !== undefined || kvReplayEndpoint === undefined,
    { error: 'needs kvEventsEndpoint', path: ['kvReplayEndpoint'] },
  )
  .transform((given) => ({
    ...given,
    maxRunning: given.maxRunning ?? RUNNING_MAX[given.dialect],
  }))
  .refine(({ tokenBudget, maxRunning }) => tokenBudget >= maxRunning, {
    error: 'is below maxRunning: some requests would never get a token',
    path: ['tokenBudget'],
  });
export type SimOptions = z.infer<typeof SimOptions>;
export type SimOptionsInput = z.input<typeof SimOptions>;
