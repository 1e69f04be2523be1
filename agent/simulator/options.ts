/** What `penstock sim` can be told. The command line gives text, a program may give numbers. */
import { z } from 'zod';
import { LOG_LEVELS } from '../../shared/log.ts';
import { DIALECTS, RUNNING_MAX } from './dialect.ts';
import { KV_EVENT_FORMS } from './vllm/kv-events.ts';

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
    /** 0: any free one. */
    port: whole.pipe(z.number().max(65_535)).default(9000),
    /** Whose wire it speaks. */
    dialect: z.enum(DIALECTS).default('vllm'),
    /** Names to serve; none: the whole catalog. */
    model: z.array(z.string().min(1)).default([]),
    catalog: z.string().min(1).optional(),
    tokenMs: decimal.default(10),
    decodeSlopeUs: decimal.default(0),
    prefillUs: decimal.default(50),
    /** 16 tokens each. The default holds sixteen contexts of a million tokens. */
    kvBlocks: positive.default(1 << 20),
    /** Absent: as the engine has it. */
    maxRunning: positive.optional(),
    /** Requests that may wait; one more is a 503. Absent: any number. */
    maxQueued: positive.optional(),
    /** Tokens of one step, prefill and decode together. */
    tokenBudget: positive.default(2_048),
    tokensPerChunk: positive.default(1),
    seed: whole.default(0),
    /** vLLM's --enable-prompt-tokens-details: cached_tokens in the usage. */
    promptTokensDetails: z.boolean().default(true),
    /** SGLang's --enable-cache-report: the same. */
    enableCacheReport: z.boolean().default(false),
    /** Where vLLM's KV events are published; port 0 is any free one. They tell salts: loopback only. */
    kvEventsEndpoint: z
      .string()
      .regex(/^tcp:\/\/127\.0\.0\.1:\d{1,5}$/, 'is not tcp://127.0.0.1:PORT')
      .optional(),
    kvEventsForm: z.enum(KV_EVENT_FORMS).default('map'),
    /** Whether there is a page of metrics: SGLang and llama.cpp have one only if told so. */
    metrics: z.boolean().default(true),
    /** How long its model takes to load. */
    loadSeconds: decimal.default(0),
    /** It dies of prompts that contain this. */
    poison: z.string().min(1).optional(),
    /** Shows the last body on /sim/requests; without it only its keys. */
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
