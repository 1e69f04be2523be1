/**
 * The route of both completion endpoints: reads a body, plans the answer, and starts the sequence
 * whose steps write the reply.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { unixSeconds } from '../../shared/clock.ts';
import type { Random } from '../../shared/random.ts';
import { Completion, type Counts } from './answer/completion.ts';
import type { Endpoint, GenerateParts, Routes } from './dialect.ts';
import { Sabotage } from './faults/book.ts';
import { ENGINE_DIED } from './faults/misbehave.ts';
import type { ServedModel } from './models.ts';
import type { Sequence } from './sequence.ts';
import { chatJob } from './wire/chat-request.ts';
import type { Head } from './wire/chunks.ts';
import { notFound, parsed, serverError, tooMany, unavailable } from './wire/errors.ts';
import { EventReply } from './wire/event-reply.ts';
import { EventStream } from './wire/event-stream.ts';
import type { Job } from './wire/job.ts';
import { readJson } from './wire/read.ts';
import type { ReplyParts } from './wire/reply.ts';
import type { RequestRules } from './wire/rules.ts';
import { textJob } from './wire/text-request.ts';
import { UnparsedReply } from './wire/unparsed-reply.ts';
import { WholeReply } from './wire/whole-reply.ts';

const Named = z.object({ model: z.string().nullish() });

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
}

export const completionRoutes: Routes = {
  'POST /v1/chat/completions': (...call) => complete('chat', ...call),
  'POST /v1/completions': (...call) => complete('text', ...call),
};

/**
 * The route of both endpoints: reads the body, records it in the journal, and generates. Throws
 * EngineError for a request that is refused.
 */
async function complete(
  endpoint: Endpoint,
  parts: GenerateParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request);
  parts.journal.note(request.url ?? '', request.headers, body);
  // While the body arrived, the engine may have died, or the client may have left.
  if (!parts.life.alive) throw unavailable('The engine is dead.');
  if (response.destroyed) return;
  generate(parts, endpoint, { request, response, body });
}

function generate(parts: GenerateParts, endpoint: Endpoint, exchange: Exchange): void {
  const { request, response, body } = exchange;
  const { engine, clock, life, dialect } = parts;
  const model = servedModel(parts, body);
  const { seed, toolCallParser: parsesTools } = parts.options;
  const plan = { model, seed, parsesTools, rules: rulesOf(parts) };
  const job = endpoint === 'chat' ? chatJob(body, plan) : textJob(body, plan);
  const sabotage = new Sabotage(parts.faults, { model: model.id, body });
  assertTaken(parts, sabotage);

  const counts: Counts = { prompt: job.prompt.length, cached: 0, completion: 0, reasoning: 0 };
  const id = replyId(parts, endpoint, { request, job });
  let sequence: Sequence | null = null;
  const abandon = (): void => {
    completion.abandon(clock.monotonic());
    if (sequence) engine.abort(sequence);
  };
  const replyParts: ReplyParts = {
    job,
    counts,
    chunks: dialect.chunks(endpoint, headOf(parts, { id, job, body }), job, () =>
      hexId(parts.random),
    ),
    usageEncoder: dialect.usageEncoder(job, parts.options),
    sabotage,
    dialect,
    die: (faults) => life.die(faults.death),
    abandon,
  };
  const written = job.sampling.stream
    ? eventReply(parts, replyParts, response)
    : new WholeReply(replyParts, response);
  const reply = parts.options.reasoningParser ? written : new UnparsedReply(written);
  const completion = new Completion({
    job,
    counts,
    reply,
    meter: parts.page,
    arrivedMs: clock.monotonic(),
    holdMs: () => sabotage.holdMs(counts.completion),
    ended: () => followed.ended(),
  });
  const followed = follow(parts, response, {
    id,
    sabotage,
    abandon,
    completion,
    stop: () => {
      completion.stop(clock.monotonic());
      if (sequence) engine.abort(sequence);
    },
  });
  parts.journal.started++;
  sequence = engine.submit(completion);
}

/**
 * Watches for what may end an answer early: the engine's death, the client's disconnect, or a stop
 * by the request's id.
 */
function follow(
  { life, live }: GenerateParts,
  response: ServerResponse,
  answer: {
    id: string;
    sabotage: Sabotage;
    completion: Completion;
    abandon: () => void;
    stop: () => void;
  },
): { ended: () => void } {
  const { id, sabotage, completion, abandon, stop } = answer;
  const watch = life.watch(() => {
    abandon();
    response.socket?.destroySoon();
  });
  // A disconnect stops the request at once. After the end of an answer there is nothing to stop.
  response.on('close', () => {
    // A zombie runs on until it is stopped by its id.
    if (sabotage.faults?.zombie && !completion.finished) return;
    watch.done();
    abandon();
  });
  live.set(id, stop);
  return {
    ended() {
      // Another request with the same id may have come.
      if (live.get(id) === stop) live.delete(id);
      if (response.destroyed) watch.done();
    },
  };
}

/** Throws an error if the engine refuses the request, by a fault or because its queue is full. */
function assertTaken({ engine, options }: GenerateParts, { faults }: Sabotage): void {
  if (faults?.http_500) throw serverError(ENGINE_DIED);
  if (faults?.request_500) throw serverError(faults.request_500.message);
  if (faults?.http_429) throw tooMany('The server has too many requests waiting.');
  if (faults?.http_503) throw unavailable('The server is overloaded.');
  const { maxQueued = Infinity } = options;
  if (engine.scheduler.waiting.size >= maxQueued) {
    throw unavailable(`The request queue is full (${maxQueued} requests).`);
  }
}

/** A server that only resembles vLLM has one cache for all salts. */
function rulesOf({ dialect, options }: GenerateParts): RequestRules {
  return options.vllmLike ? { ...dialect.rules, saltOf: () => null } : dialect.rules;
}

/**
 * Returns the model of a request: the first one if the request names none. Throws a 404 for an
 * unknown name if the dialect checks names.
 */
function servedModel({ models, dialect }: GenerateParts, body: unknown): ServedModel {
  const { model: name } = parsed(Named, body);
  const [first] = models.values();
  const named = name == null ? first : models.get(name);
  const model = dialect.knowsModels ? named : (named ?? first);
  if (!model) throw notFound(`The model \`${name}\` does not exist.`, 'model');
  return model;
}

function replyId(
  { dialect, random }: GenerateParts,
  endpoint: Endpoint,
  { request, job }: { request: IncomingMessage; job: Job },
): string {
  const header = request.headers['x-request-id'];
  return dialect.replyId(endpoint, {
    header: typeof header === 'string' && header !== '' ? header : null,
    requestId: job.sampling.requestId,
    hex: () => hexId(random),
  });
}

/** Engines that do not check the model's name return the name that they were sent. */
function headOf(
  { dialect, clock }: GenerateParts,
  { id, job, body }: { id: string; job: Job; body: unknown },
): Head {
  const model = dialect.knowsModels ? null : parsed(Named, body).model;
  const { includeUsage } = job.sampling;
  return { id, created: unixSeconds(clock), model: model ?? job.model.id, includeUsage };
}

function eventReply(
  parts: GenerateParts,
  replyParts: ReplyParts,
  response: ServerResponse,
): EventReply {
  const out = new EventStream(response, parts.clock, () => reply.flush());
  const interval = replyParts.job.sampling.interval ?? parts.options.tokensPerChunk;
  const reply = new EventReply(replyParts, out, interval);
  if (!replyParts.sabotage.faults?.hang_before_first) out.open();
  const pingSeconds = replyParts.job.sampling.pingSeconds ?? parts.dialect.pingSeconds ?? 0;
  if (parts.dialect.pingSeconds !== null && pingSeconds > 0) out.pingEach(pingSeconds * 1000);
  return reply;
}

function hexId(random: Random): string {
  return Buffer.from(random.bytes(16)).toString('hex');
}
