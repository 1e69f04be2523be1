/**
 * The link's control messages: JSON text, checked by both ends. One WebSocket is one session of one agent
 * with one router. The order of a session:
 *
 *   agent                         router
 *   hello  ─────────────────────▶           who I am, which boot of me, a join token if I am new
 *          ◀───────────────── challenge     sign this
 *   proof  ─────────────────────▶
 *          ◀─────────────────  welcome      your id, the models; sent again when the catalog changes
 *   load   ─────────────────────▶           what I serve and how busy it is; on change and each second
 *
 *          ◀───────────────────  open       then the body, as binary records
 *   refused (before the engine saw it) or records … END
 *          ◀────────── grant, cancel
 *   ack    ─────────────────────▶           body bytes taken
 *          ◀──────────────────  count      how many tokens, by your engine's tokenizer?
 *   counted ────────────────────▶
 *   echo   ─────────────────────▶           what another router has under way here
 *   drain  ◀────────────────────▶           nothing new to this worker, this agent, or this router
 *
 * A message that does not parse, or that has no place at this point, ends the session.
 */
import { z } from 'zod';
import { Thinking } from '../catalog.ts';
import { loadTotals } from '../limits.ts';

/** Another number for each wire that the one before cannot speak: in v2 answers are deltas, in v1 they were bytes. */
export const SUBPROTOCOL = 'penstock.v2';
/**
 * The agent's public key, as in its hello, in the request that dials: a router knows from it, before anything is
 * proven, for whom it has to keep a place while strangers dial.
 */
export const AGENT_KEY_HEADER = 'penstock-agent-key';
export const CLOSE = { protocol: 4000, refused: 4001, draining: 4003 } as const;

const count = z.int().nonnegative();
/** Without a NUL: not every store takes one, and a worker's name comes to it with each request's usage. */
const name = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => !text.includes('\0'), 'has a NUL');

export const REGIONS = ['global', 'us', 'eu'] as const;
export const Region = z.enum(REGIONS);
export type Region = z.infer<typeof Region>;

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
  /** Random for each start of the agent. */
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
  /** Random for each start of the engine: with it, its cache is empty. */
  boot: z.string().max(64),
  phase: z.enum(WORKER_PHASES),
  models: z.array(name).max(1024),
  /** Whether usage comes with every chunk; if not, a request's whole output is held (MONEY 9). */
  runningUsage: z.boolean(),
  /** Whether its prefix cache is kept apart by `salt`; if not, one organization may hit what another sent. */
  salted: z.boolean(),
  running: count,
  waiting: count,
  /** Requests the agent takes at once for this engine. */
  slots: z.int().positive(),
  /** 0 to 1. */
  kvUse: z.number().min(0).max(1),
  /** Tokens that its KV cache holds; null: it does not say. */
  kvTokens: z.int().positive().nullable(),
  prefixHitTokens: count,
  prefixQueryTokens: count,
  /** The last stream the agent accepted for it: what the figures already include. */
  lastStream: count,
  gpus: z.array(Gpu).max(64),
  /** What an operator should know of it: a model that loads, a flag that is missing and what that costs. */
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
    'lists too much',
  );
export type Load = z.infer<typeof Load>;

/** A prompt as the prefix index knows it: the first 8 bytes of each chained hash, one after the other. */
const Chunks = z.base64().max(65_536);

/**
 * What another router has under way on a worker of this agent, in the order in which it happened. `from` and
 * `stream` name the dispatch; the `dispatched` comes first, and `over` last.
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

/** From the agent: take no new work to me. From the router: this router is going, serve the others. */
export const Drain = z.object({ type: z.literal('drain'), worker: name.nullable() });

export const Grant = z.object({
  /** Completion tokens that may be sent, counted from the start of the answer. */
  tokens: count,
  /** Bytes of deltas that may be sent, counted likewise, and `DELTA_OVERHEAD_BYTES` for each delta. */
  bytes: count,
  /** No more tokens will come: at this count the answer ends with `length`. */
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
  /** Whether the client reads a stream: if not, several chunks of the engine may come as one delta. */
  streamed: z.boolean(),
  completionId: name,
  /** What the engine is asked for; null where only the engine knows how much fits. */
  maxTokens: z.int().positive().nullable(),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  bodyBytes: z.int().positive(),
  /** What the router expects of the prompt, for the other routers: the agent sends it on as `echo`. */
  chunks: Chunks,
  promptTokens: count,
  uncachedTokens: count,
  grant: Grant,
});
export type Open = z.infer<typeof Open>;

/** The agent did not take the `open`: the engine has not seen it, and no record of it has been sent. */
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

/** A text that is shown to another host than the one that made it, to be counted. */
const ShownText = z.string().max(65_536).nullable();

/** How many tokens these are, by this worker's tokenizer: to compare with what another host has reported. */
export const Count = z.object({
  type: z.literal('count'),
  id: z.int().positive(),
  worker: name,
  model: name,
  endpoint: z.enum(['chat', 'completions']),
  /** A request body, whose prompt is to be counted; null: not that. */
  prompt: ShownText,
  /** Plain text; null: not that. */
  answer: ShownText,
});
export type Count = z.infer<typeof Count>;

/** Null: it cannot say, or not at the moment. */
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

/** What a proof signs: bound to this router, region and boot, so that it cannot be used elsewhere. */
export function proofText(challenge: z.infer<typeof Challenge>, boot: string): string {
  return [SUBPROTOCOL, challenge.router, challenge.region, boot, challenge.nonce].join('|');
}

/**
 * How an attempt ended: the payload of an END record, as JSON. The counts of the answer stand in the
 * record's own header.
 */
export const End = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('finished'),
    /** `tool_calls` only after a call. */
    finish: z.enum(['stop', 'length', 'tool_calls']),
    /** The agent ended it at its last grant, before the engine had said how much was cached. */
    cut: z.boolean(),
    /** Null: the engine did not say. */
    cached: z.number().nullable(),
    reasoning: z.number().nullable(),
  }),
  z.object({
    outcome: z.literal('failed'),
    /**
     * `context_length`, `bad_request`: the engine refuses the request itself, so no other worker is tried.
     * `busy`: the engine takes nothing at the moment. `engine_died`: its process ended, or no longer works, under
     * this request. `engine`: anything else.
     */
    reason: z.enum(['context_length', 'bad_request', 'busy', 'engine_died', 'engine']),
  }),
  z.object({
    outcome: z.literal('cancelled'),
    /** Whether the engine had taken the request: before that, nothing is charged. */
    accepted: z.boolean(),
  }),
]);
export type End = z.infer<typeof End>;
export type Finished = Extract<End, { outcome: 'finished' }>;
