/**
 * The link's control messages: JSON text, checked by both ends. One WebSocket is one session of one
 * agent with one router. The order of a session:
 *
 *   agent                         router
 *   hello  ─────────────────────▶           public key, boot id, and the join token of a new agent
 *          ◀───────────────── challenge     a nonce to sign
 *   proof  ─────────────────────▶           the signature
 *          ◀─────────────────  welcome      agent id and models; again when the catalog changes
 *   load   ─────────────────────▶           models and load of each worker; on change, each second
 *
 *          ◀───────────────────  open       a request; its body follows as binary records
 *   refused (before the engine saw it) or records … END
 *          ◀────────── grant, cancel
 *   ack    ─────────────────────▶           body bytes received
 *          ◀──────────────────  count       a text to count with the engine's tokenizer
 *   counted ────────────────────▶           its number of tokens
 *   echo   ─────────────────────▶           requests that another router has in flight here
 *   drain  ◀────────────────────▶           no new requests to this worker, agent or router
 *
 * A message that does not parse, or that is not allowed at this point, ends the session.
 *
 * The two ends may be of different releases. Each reads a message as follows, since v2:
 *
 *   a field that it does not know        ignored, so a new field that is optional needs no new
 *                                        version: its absence means that the sender is older
 *   a message type that it does not      ends the session, as do a new value of an enum, a value
 *   know                                 beyond a bound, a new kind of record, a field that is gone
 *
 * What would end a session with the older end needs a new version (protocol.ts), and is sent only if
 * `protocol` of the session is at least this version. There, the older form stays.
 */
import { z } from 'zod';
import { Thinking } from '../catalog.ts';
import { limits, loadTotals } from '../limits.ts';
import { Region } from '../region-schema.ts';
import { TRACEPARENT } from '../tracing/trace-context.ts';
import { TOP_LOGPROBS_MAX } from './logprobs.ts';
import { type ProtocolVersion, subprotocolOf } from './protocol.ts';

/**
 * The header of the upgrade request that names the agent's public key, as in its hello. With this
 * key the router can keep a socket free for an enrolled agent while unknown agents dial, before the
 * agent has authenticated itself.
 */
export const AGENT_KEY_HEADER = 'penstock-agent-key';
export const CLOSE = { protocol: 4000, refused: 4001, draining: 4003 } as const;

const count = z.int().nonnegative();
/** Without a NUL, which not every store accepts: usage rows contain the worker's name. */
const name = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => !text.includes('\0'), 'has a NUL');

/** What an agent must know of a model to serve it. */
export const WireModel = z.object({
  id: name,
  hubModelId: name,
  contextLength: z.int().positive(),
  maxOutputLength: z.int().positive(),
  images: z.boolean(),
  thinking: Thinking.nullable(),
});
export type WireModel = z.infer<typeof WireModel>;

export const Hello = z.object({
  type: z.literal('hello'),
  version: name,
  /** The agent's Ed25519 public key: DER SubjectPublicKeyInfo in base64. */
  publicKey: z.string().min(40).max(200),
  /** A random id of this start of the agent. */
  boot: z.string().min(8).max(64),
  join: z.string().max(200).nullable(),
});

export const Challenge = z.object({
  type: z.literal('challenge'),
  nonce: z.string().min(16).max(128),
  router: name,
  region: Region,
});

/** `signature`: base64 Ed25519 over `proofText(challenge, boot)`. */
export const Proof = z.object({ type: z.literal('proof'), signature: z.string().max(200) });

export const Welcome = z.object({
  type: z.literal('welcome'),
  agent: name,
  name,
  router: name,
  models: z.array(WireModel).max(4_096),
});

/** The other routers that this agent may serve. */
export const Peers = z.object({
  type: z.literal('peers'),
  routers: z.array(z.string().max(2048)).max(1024),
});

export const WORKER_PHASES = ['joining', 'ready', 'draining'] as const;

const Gpu = z.object({
  name,
  memoryUsedBytes: count,
  memoryTotalBytes: count,
  /** 0 to 1. */
  use: z.number().min(0).max(1),
});
export type Gpu = z.infer<typeof Gpu>;

/** One engine behind the agent. */
export const WorkerLoad = z.object({
  worker: name,
  engine: z.string().max(128),
  /** A random id of this start of the engine. A new id means that its cache is empty. */
  boot: z.string().max(64),
  phase: z.enum(WORKER_PHASES),
  models: z.array(name).max(1024),
  /** Whether usage comes with every chunk. If not, a request's whole output is held (MONEY 9). */
  runningUsage: z.boolean(),
  /** Whether `salt` keeps prefix caches apart. If not, an organization may hit another's cache. */
  salted: z.boolean(),
  running: count,
  waiting: count,
  /** The most requests that the agent accepts at once for this engine. */
  slots: z.int().positive(),
  /** 0 to 1. */
  kvUse: z.number().min(0).max(1),
  /** Capacity of the KV cache in tokens. Null when the engine does not report it. */
  kvTokens: z.int().positive().nullable(),
  prefixHitTokens: count,
  prefixQueryTokens: count,
  /**
   * What the engine's KV events show of its prefix cache. Absent when the agent receives none, or
   * is older than this field. `evictedMs`: everything that was last in use longer ago than this is
   * evicted; null when that is not known of anything.
   */
  kvEvents: z.object({ evictedMs: count.nullable() }).optional(),
  /**
   * The longest text whose tokens the engine counts, in characters; 0 if it cannot count. Absent
   * when the agent is older than this field.
   */
  countChars: count.optional(),
  /** Whether log probabilities can be requested. Absent when the agent is older than this field. */
  reportsLogprobs: z.boolean().optional(),
  /** The last stream that the agent accepted for this engine: the figures include it. */
  lastStream: count,
  gpus: z.array(Gpu).max(64),
  /** Notes for an operator: loading progress, or a missing flag and its cost. */
  notes: z.array(z.string().max(512)).max(16),
});
export type WorkerLoad = z.infer<typeof WorkerLoad>;
const LOAD_LISTS = ['models', 'gpus', 'notes'] as const;

export const Load = z
  .object({ type: z.literal('load'), workers: z.array(WorkerLoad).max(256) })
  .refine(
    ({ workers }) =>
      LOAD_LISTS.every(
        (list) => workers.reduce((sum, worker) => sum + worker[list].length, 0) <= loadTotals[list],
      ),
    'has too many models, GPUs or notes',
  );
export type Load = z.infer<typeof Load>;

/** A prompt as the prefix index knows it: the first 8 bytes of each chained hash, concatenated. */
const Chunks = z.base64().max(65_536);

/**
 * Requests that another router has in flight on a worker of this agent, as events in the order in
 * which they happened. `from` and `stream` identify the request. Its first event is `dispatched`,
 * and its last is `over`.
 */
export const Echo = z.object({
  type: z.literal('echo'),
  worker: name,
  events: z
    .array(
      z.discriminatedUnion('at', [
        z.object({
          at: z.literal('dispatched'),
          from: name,
          stream: z.int().positive(),
          chunks: Chunks,
          promptTokens: count,
          uncachedTokens: count,
        }),
        z.object({ at: z.literal('first_token'), from: name, stream: z.int().positive() }),
        z.object({ at: z.literal('over'), from: name, stream: z.int().positive() }),
      ]),
    )
    .max(1024),
});
export type Echo = z.infer<typeof Echo>;

/**
 * From an agent: send no new requests to the worker, or to this agent if `worker` is null. From a
 * router: an operator drains the worker, or this router shuts down if `worker` is null. With `undo`,
 * from a router only: the operator ends the drain of the worker. An agent that is older than this
 * field goes on draining.
 */
export const Drain = z.object({
  type: z.literal('drain'),
  worker: name.nullable(),
  undo: z.boolean().optional(),
});

export const Grant = z.object({
  /** Completion tokens that may be sent, counted from the start of the answer. */
  tokens: count,
  /**
   * Bytes of deltas that may be sent, counted from the start of the answer, with
   * `DELTA_OVERHEAD_BYTES` for each delta.
   */
  bytes: count,
  /** Whether this is the last grant of tokens: at this count the answer ends with `length`. */
  final: z.boolean(),
});
export type Grant = z.infer<typeof Grant>;

export const Open = z.object({
  type: z.literal('open'),
  stream: z.int().positive(),
  request: name,
  attempt: z.int().positive(),
  worker: name,
  model: name,
  endpoint: z.enum(['chat', 'completions']),
  /**
   * Whether the client reads a stream. If not, the agent may merge several chunks into one delta.
   */
  streamed: z.boolean(),
  completionId: name,
  /** The `max_tokens` for the engine. Null when only the engine knows how much fits. */
  maxTokens: z.int().positive().nullable(),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  /**
   * How many alternatives to each token are requested (`top_logprobs`), of a worker with
   * `reportsLogprobs`. Absent when no log probabilities are requested.
   */
  topLogprobs: z.int().min(0).max(TOP_LOGPROBS_MAX).optional(),
  /**
   * The context of a traced request, for the agent's spans and for the engine. Absent when the
   * request is not traced. Agents that are older than this field ignore it.
   */
  traceparent: z.string().regex(TRACEPARENT).optional(),
  bodyBytes: z.int().positive(),
  /** The router's forecast for the prompt. The agent sends it to the other routers as `echo`. */
  chunks: Chunks,
  promptTokens: count,
  uncachedTokens: count,
  grant: Grant,
});
export type Open = z.infer<typeof Open>;

/** The agent refuses an `open`: the engine has not seen it, and no record of it was sent. */
export const Refused = z.object({
  type: z.literal('refused'),
  stream: z.int().positive(),
  reason: z.enum(['busy', 'draining', 'unknown_worker', 'unknown_model']),
});

export type RefusedReason = z.infer<typeof Refused>['reason'];

export const GrantMessage = Grant.extend({
  type: z.literal('grant'),
  stream: z.int().positive(),
});

export const Cancel = z.object({ type: z.literal('cancel'), stream: z.int().positive() });

/** Body bytes received on this session so far, over all streams. */
export const Ack = z.object({ type: z.literal('ack'), bytes: count });

/** A text that is sent for counting. Older agents accept less: see `countChars`. */
const ShownText = z.string().max(limits.linkCountChars.most).nullable();

/**
 * Requests the number of tokens of a text from this worker's tokenizer: for a client, or to compare
 * it with the count that another host has reported.
 */
export const Count = z.object({
  type: z.literal('count'),
  id: z.int().positive(),
  worker: name,
  model: name,
  endpoint: z.enum(['chat', 'completions']),
  /** A request body whose prompt is to be counted, or null. */
  prompt: ShownText,
  /** Plain text to be counted, or null. */
  answer: ShownText,
});
export type Count = z.infer<typeof Count>;

/** The response to `count`. Null: the worker cannot count, or not this text, or not at the moment. */
export const Counted = z.object({
  type: z.literal('counted'),
  id: z.int().positive(),
  prompt: count.nullable(),
  answer: count.nullable(),
});
export type Counted = z.infer<typeof Counted>;

export const FromAgent = z.discriminatedUnion('type', [
  Hello,
  Proof,
  Load,
  Echo,
  Drain,
  Refused,
  Ack,
  Counted,
]);
export type FromAgent = z.infer<typeof FromAgent>;

export const FromRouter = z.discriminatedUnion('type', [
  Challenge,
  Welcome,
  Peers,
  Drain,
  Open,
  GrantMessage,
  Cancel,
  Count,
]);
export type FromRouter = z.infer<typeof FromRouter>;

/**
 * Returns the text that a proof signs. It names the session's protocol, the router, the region and
 * the boot, so that the signature cannot be used elsewhere.
 */
export function proofText(
  { router, region, nonce }: z.infer<typeof Challenge>,
  boot: string,
  protocol: ProtocolVersion,
): string {
  return [subprotocolOf(protocol), router, region, boot, nonce].join('|');
}
