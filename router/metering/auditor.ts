/**
 * Audits a sample of answers: whether the counts that hosts report fit the text. It compares them
 * with the count of another host's tokenizer or, without one, with what hosts usually report. It
 * raises alarms and does nothing else: an alarm is a reason to investigate, and no proof (decision
 * 0010).
 *
 * Text is sent only to hosts that the request itself could have been sent to, and to no log, metric
 * or store.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Budget } from '../../shared/bounds/budget.ts';
import type { Clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { Region } from '../../shared/region.ts';
import { CountBackoff } from '../fleet/count-backoff.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Stream, StreamEvents } from '../fleet/stream.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Alarms, AuditResult } from './alarms.ts';
import { Bands, unitsOf } from './bands.ts';
import { CacheShares } from './cache-shares.ts';
import { BODY_BYTES_MAX, comparableTextOf } from './comparable-text.ts';
import { Recounts } from './recounts.ts';
import { type Reported, Sample } from './sample.ts';
import type { Alarm, Subject, TokenKind } from './subject.ts';

/** The most samples in progress. Each takes the memory of a body and an answer. */
export const SAMPLES_UNDER_WAY_MAX = 64;
/** The most bytes of an answer that are kept. Of a longer answer, only the counts are used. */
export const ANSWER_BYTES_MAX = 256 * 1024;
/** The most characters sent to another host: longer texts could delay a grant or a cancel. */
const SENT_CHARS_MAX = limits.linkCountChars.least;

export type AuditConfig = Readonly<{
  /** The share of requests that are audited, 0 to 1. */
  sample: number;
  /** Listeners whose samples may be sent to another host. */
  recountIn: readonly Region[];
}>;

export type AuditorParts = Readonly<{
  fleet: Pick<Fleet, 'serving'>;
  alarms: Alarms;
  clock: Clock;
  random: Random;
  log: Log;
}>;

/** The part of an attempt that an audit uses. */
export type Auditable = Readonly<{
  worker: Worker;
  cache: { predicted(promptTokens: number): number };
  dispatch(events: StreamEvents): Stream;
}>;

/** The request of the attempt. */
export type AuditedRequest = Readonly<{
  model: { entry: { id: string } };
  endpoint: 'chat' | 'completions';
  /** Whether the answer may lack reasoning that the model has generated. */
  reasoningWithheld: boolean;
  raw: Buffer;
}>;

/** The texts of a sample that can be compared. Null when a text cannot. */
type Texts = Readonly<{ prompt: string | null; completion: string | null }>;

type Sampled = Readonly<{
  attempt: Auditable;
  request: AuditedRequest;
  region: Region;
  subject: Subject;
}>;

export class Auditor {
  readonly #config: AuditConfig;
  readonly #parts: AuditorParts;
  readonly #recounts = new Recounts();
  readonly #bands = new Bands();
  readonly #caches = new CacheShares();
  readonly #backoff: CountBackoff;
  readonly #answers = new Budget<Sampled>({
    totalBytesMax: SAMPLES_UNDER_WAY_MAX * ANSWER_BYTES_MAX,
    peerBytesMax: ANSWER_BYTES_MAX,
  });
  #underWay = 0;

  constructor(config: AuditConfig, parts: AuditorParts) {
    this.#config = config;
    this.#parts = parts;
    this.#backoff = new CountBackoff(parts.clock);
  }

  /** Returns the attempt, or a copy that is audited. Must be called before the attempt is dispatched. */
  watch<A extends Auditable>(attempt: A, request: AuditedRequest, region: Region): A {
    const { sample } = this.#config;
    if (sample === 0 || this.#parts.random.unit() >= sample) return attempt;
    if (this.#underWay >= SAMPLES_UNDER_WAY_MAX || request.raw.length > BODY_BYTES_MAX) {
      return attempt;
    }
    this.#underWay += 1;
    const { id: worker, agent } = attempt.worker;
    const subject = { worker, agent, model: request.model.entry.id };
    const sampled = { attempt, request, region, subject };
    return {
      ...attempt,
      dispatch: (events: StreamEvents) => {
        const lease = this.#answers.lease(sampled);
        const tap = new Sample(events, lease, (reported) => void this.#over(sampled, reported));
        return tap.over(attempt.dispatch(tap));
      },
    };
  }

  async #over(sampled: Sampled, reported: Reported | null): Promise<void> {
    // Lets the request settle first: checking a long text takes milliseconds.
    await nextTurn();
    try {
      const result = reported ? await this.#audit(sampled, reported) : 'not_finished';
      this.#parts.alarms.audited(result);
    } catch (error) {
      // A bug here concerns no request. Only the name is logged, because a message could quote the
      // sampled text.
      this.#parts.alarms.audited('failed');
      const name = error instanceof Error ? error.name : 'unknown';
      this.#parts.log.error({ worker: sampled.subject.worker, error: name }, 'audit failed');
    } finally {
      this.#underWay -= 1;
    }
  }

  async #audit(sampled: Sampled, reported: Reported): Promise<AuditResult> {
    const { attempt, subject } = sampled;
    if (!reported.end.cut) {
      const predicted = attempt.cache.predicted(reported.prompt);
      this.#raise(this.#caches.learn(subject, { predicted, reported: reported.end.cached ?? 0 }));
    }
    const texts = textsOf(sampled.request, reported);
    const counted = await this.#recount(sampled, texts, reported);
    for (const which of ['prompt', 'completion'] as const) {
      const text = texts[which];
      if (text === null) continue;
      const isJudged = !counted.has(which);
      const figures = { reported: reported[which], units: unitsOf(text), isJudged };
      this.#raise(this.#bands.learn(subject, which, figures));
    }
    return counted.size > 0 ? 'recounted' : 'by_band';
  }

  /** Has another host count the texts that may be sent to it. Returns what was compared. */
  async #recount(
    { request, region, subject }: Sampled,
    texts: Texts,
    reported: Reported,
  ): Promise<ReadonlySet<TokenKind>> {
    const compared = new Set<TokenKind>();
    const [prompt, completion] = [sendable(texts.prompt), sendable(texts.completion)];
    if (!this.#config.recountIn.includes(region)) return compared;
    if (prompt === null && completion === null) return compared;
    const others = this.#referees(subject, region);
    const agents = [...others.keys()];
    const referee = this.#recounts.referee(subject, agents);
    const worker = referee === null ? undefined : others.get(referee);
    if (!worker || referee === null) return compared;
    const counted = await worker.session.count({
      worker: worker.name,
      model: subject.model,
      endpoint: request.endpoint,
      prompt,
      answer: completion,
    });
    if (counted === 'busy') return compared;
    const counts = { prompt: counted?.prompt ?? null, completion: counted?.answer ?? null };
    this.#backoff.note(worker, 'audit', counts.prompt !== null || counts.completion !== null);
    for (const which of ['prompt', 'completion'] as const) {
      const count = counts[which];
      if (count === null || (which === 'prompt' ? prompt : completion) === null) continue;
      compared.add(which);
      const figures = { reported: reported[which], counted: count, referee, agents };
      this.#raise(this.#recounts.compare(subject, which, figures));
    }
    return compared;
  }

  /** By agent: a worker of each other agent that may count for this request, unless backed off. */
  #referees(subject: Subject, region: Region): Map<string, Worker> {
    const found = new Map<string, Worker>();
    for (const worker of this.#parts.fleet.serving(subject.model, region)) {
      if (worker.agent === subject.agent || this.#backoff.isPaused(worker, 'audit')) continue;
      found.set(worker.agent, worker);
    }
    return found;
  }

  #raise(alarm: Alarm | null): void {
    if (alarm) this.#parts.alarms.raise(alarm);
  }
}

function textsOf({ raw, reasoningWithheld }: AuditedRequest, { answer }: Reported): Texts {
  const { prompt, hasNoStop } = comparableTextOf(raw);
  const isShownWhole = hasNoStop && !reasoningWithheld;
  if (!isShownWhole || answer === null) return { prompt, completion: null };
  return { prompt, completion: JSON.parse(`"${answer.toString('utf8')}"`) as string };
}

/** The text, if it may be sent to another host. */
function sendable(text: string | null): string | null {
  return text !== null && text !== '' && text.length <= SENT_CHARS_MAX ? text : null;
}
