/**
 * The path of one generation: from a body that was read to the reply that the scheduler's steps
 * will write.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Clock, unixSeconds } from '../../shared/clock.ts';
import type { Random } from '../../shared/random.ts';
import { Completion, type Counts, type Meter } from './answer/completion.ts';
import type { Engine } from './engine.ts';
import { type FaultBook, Sabotage } from './faults/book.ts';
import { ENGINE_DIED } from './faults/misbehave.ts';
import type { Journal } from './journal.ts';
import { rootHash } from './kv/block-hash.ts';
import type { Life } from './life.ts';
import type { ServedModel } from './models.ts';
import type { Sequence } from './scheduler.ts';
import { ChatChunks } from './vllm/chat-chunks.ts';
import { chatJob } from './vllm/chat-request.ts';
import type { Chunks, Head } from './vllm/chunks.ts';
import { notFound, parsed, serverError, unavailable } from './vllm/errors.ts';
import { EventReply, type ReplyParts } from './vllm/event-reply.ts';
import { EventStream } from './vllm/event-stream.ts';
import type { Job } from './vllm/job.ts';
import { TextChunks } from './vllm/text-chunks.ts';
import { textJob } from './vllm/text-request.ts';
import { WholeReply } from './vllm/whole-reply.ts';

export interface GenerateParts {
  readonly models: ReadonlyMap<string, ServedModel>;
  readonly engine: Engine;
  readonly faults: FaultBook;
  readonly life: Life;
  readonly meter: Meter;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly seed: number;
  readonly queuedMax: number | null;
  readonly tokensPerChunk: number;
  readonly promptTokensDetails: boolean;
}

const Named = z.object({ model: z.string().nullish() });

export type Endpoint = 'chat' | 'text';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
}

/** Throws an EngineError for what is refused before the engine has it. */
export function generate(parts: GenerateParts, endpoint: Endpoint, exchange: Exchange): void {
  const { request, response, body } = exchange;
  const { engine, clock, life } = parts;
  const model = servedModel(parts.models, body);
  const plan = { model, seed: parts.seed };
  const job = endpoint === 'chat' ? chatJob(body, plan) : textJob(body, plan);
  const sabotage = new Sabotage(parts.faults, model.id);
  if (sabotage.faults?.http_500) throw serverError(ENGINE_DIED);
  if (sabotage.faults?.http_503) throw unavailable('The server is overloaded.');
  if (engine.scheduler.waiting.size >= (parts.queuedMax ?? Infinity)) {
    throw unavailable(`The request queue is full (${parts.queuedMax} requests).`);
  }

  const counts: Counts = { prompt: job.prompt.length, cached: 0, completion: 0, reasoning: 0 };
  let sequence: Sequence | null = null;
  const abandon = (): void => {
    completion.abandon(clock.monotonic());
    if (sequence) engine.abort(sequence);
  };
  const replyParts: ReplyParts = {
    job,
    counts,
    chunks: chunksFor(parts, endpoint, job, responseId(parts, endpoint, request)),
    sabotage,
    cachedDetails: parts.promptTokensDetails,
    die: (faults) => life.die(faults.death?.for_ms),
    abandon,
  };
  const reply = job.sampling.stream
    ? eventReply(parts, replyParts, response)
    : new WholeReply(replyParts, response);
  const completion = new Completion(
    {
      model: model.id,
      root: rootHash(model.id, job.sampling.salt),
      prompt: job.prompt,
      script: job.script,
      maxTokens: job.sampling.length.maxTokens,
      stops: job.sampling.stops,
      includeStop: job.sampling.includeStop,
    },
    {
      counts,
      reply,
      meter: parts.meter,
      nowMs: clock.monotonic(),
      holdMs: () => sabotage.holdMs(counts.completion),
    },
  );
  const watch = life.watch(() => {
    abandon();
    response.socket?.destroySoon();
  });
  // A client that leaves stops the engine at once; one that has its answer has finished.
  response.on('close', () => {
    watch.done();
    abandon();
  });
  parts.journal.started++;
  sequence = engine.submit(completion);
}

/** Without a name, it is the first. */
function servedModel(models: ReadonlyMap<string, ServedModel>, body: unknown): ServedModel {
  const { model: name } = parsed(Named, body);
  const [first] = models.values();
  const model = name == null ? first : models.get(name);
  if (!model) throw notFound(`The model \`${name}\` does not exist.`, 'model');
  return model;
}

function responseId(parts: GenerateParts, endpoint: Endpoint, request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && given !== '' ? given : hexId(parts.random);
  return `${endpoint === 'chat' ? 'chatcmpl' : 'cmpl'}-${id}`;
}

function chunksFor(parts: GenerateParts, endpoint: Endpoint, job: Job, id: string): Chunks {
  const { includeUsage } = job.sampling;
  const head: Head = { id, created: unixSeconds(parts.clock), model: job.model.id, includeUsage };
  if (endpoint === 'text') return new TextChunks(head);
  return new ChatChunks(head, job, () => `chatcmpl-tool-${hexId(parts.random)}`);
}

function eventReply(
  parts: GenerateParts,
  replyParts: ReplyParts,
  response: ServerResponse,
): EventReply {
  const out = new EventStream(response, parts.clock, () => reply.flush());
  const interval = replyParts.job.sampling.interval ?? parts.tokensPerChunk;
  const reply = new EventReply(replyParts, out, interval);
  if (!replyParts.sabotage.faults?.hang_before_first) out.open();
  return reply;
}

function hexId(random: Random): string {
  return Buffer.from(random.bytes(16)).toString('hex');
}
