/**
 * The stages of a request, from top to bottom. Each returns a value or a Refusal, and this file decides
 * what follows.
 *
 *   authenticate → (entrance) → arrive → admit → pick → attempt → relay → conclude
 *                                                 └────────◀──────┘ a worker that failed before the first byte
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type KeyId, mintId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import type { SlotReservation } from '../fleet/fleet.ts';
import type { Auditor } from '../metering/auditor.ts';
import type { AdmitParts } from './admit.ts';
import { admitCaller } from './admit-caller.ts';
import { type ArriveParts, type ParsedRequest, arrive } from './arrive.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import { AttemptHistory } from './attempt-history.ts';
import { type Attempt, makeAttempt } from './attempt.ts';
import { type Callers, credentialsOf } from './authenticate.ts';
import type { Arrival, Call } from './call.ts';
import { type ConcludeParts, conclude, concludeUnanswered, endFree } from './conclude.ts';
import { answerPreflight, isPreflight } from './cors.ts';
import type { Entrance } from './entrance.ts';
import {
  type Known,
  knownAtFirst,
  type NotAdmittedParts,
  reportRefused,
  reportRepeated,
} from './not-admitted.ts';
import type { Ending, Outcome } from './outcome.ts';
import { type LookUpParts, lookUp } from './look-up.ts';
import { declaredBytes, discardBody } from './reading/body.ts';
import { refusalOf, type Refused, refuseCounted } from './refuse.ts';
import { Relay, type RelayParts } from './relay.ts';
import { claimOf, idempotencyKeyOf } from './repeats/claim.ts';
import type { Repeats } from './repeats/repeats.ts';
import { Reply } from './reply.ts';
import { type ReserveParts, reserve } from './reserve.ts';
import { type Route, routeOf } from './routes.ts';
import type { TokenCounts } from './token-counts.ts';
import { UNTRACED } from './trace.ts';
import type { RequestTraces } from './traces.ts';
import { newTries, noteFailure } from './tries.ts';

export type HandleParts = LookUpParts &
  ArriveParts &
  AdmitParts &
  ReserveParts &
  RelayParts &
  ConcludeParts &
  NotAdmittedParts &
  Readonly<{
    random: Random;
    log: Log;
    callers: Callers;
    entrance: Entrance;
    tokenCounts: TokenCounts;
    repeats: Repeats;
    /** The origin of the dashboard; '' when it is not known. */
    dashboard: () => string;
    /** Audits a sample of what workers report. */
    audit: Pick<Auditor, 'watch'>;
    /** Null when tracing is off. */
    traces: RequestTraces | null;
    /** Records when a key was last used. */
    touchKey: (key: KeyId) => void;
    /** The requests being handled. A router that stops waits for them. */
    underWay: Set<Promise<void>>;
  }>;

export type Handle = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => void;

const HEALTHY = JSON.stringify({ status: 'ok' });

export function makeHandle(parts: HandleParts): Handle {
  return (request, response, arrival) => {
    if (isPreflight(request)) {
      discardBody(request, parts.discards);
      return answerPreflight(request, response);
    }
    const call: Call = { id: mintId('request', parts.clock, parts.random), ...arrival };
    const { route, api } = routeOf(request);
    const reply = new Reply(request, response, { requestId: call.id, api, clock: parts.clock });
    const known = knownAtFirst(route, call.region);
    const serving = serve(parts, call, request, { route, reply, known }).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal.code === 'internal_error') {
        const name = isRefusal(route) ? null : route.kind;
        const fields = { request: call.id, route: name, err: error };
        parts.log.error(fields, 'request failed with an internal error');
      }
      discardBody(request, parts.discards);
      if (!known.isAdmitted) reportRefused(parts, call, known, refusal);
      refuseCounted(parts, reply, refusal, refusedOf(known));
    });
    parts.underWay.add(serving);
    void serving.then(() => parts.underWay.delete(serving));
  };
}

function refusedOf({ labels, caller }: Known): Refused {
  return { labels, organization: caller?.organization ?? null };
}

async function serve(
  parts: HandleParts,
  call: Call,
  request: IncomingMessage,
  { route, reply, known }: Readonly<{ route: Route | Refusal; reply: Reply; known: Known }>,
): Promise<void> {
  const no = (refusal: Refusal) => {
    reportRefused(parts, call, known, refusal);
    refuseCounted(parts, reply, refusal, refusedOf(known));
  };
  /** Refuses a request whose body has not been read. */
  const turnAway = (refusal: Refusal) => {
    discardBody(request, parts.discards);
    no(refusal);
  };
  /** Answers a request that needs no body. */
  const tell = (json: string) => {
    discardBody(request, parts.discards);
    reply.json(200, json);
  };
  const credentials = credentialsOf(request.headers, reply.api);
  if (isRefusal(route)) {
    known.caller = await parts.callers.recognize(credentials, call.region);
    return turnAway(route);
  }
  if (parts.stopping.aborted) return turnAway(new Refusal('shutting_down', { retryAfterS: 1 }));
  if (route.kind === 'health') return tell(HEALTHY);

  const caller = await parts.callers.authenticate(credentials, call.region);
  if (isRefusal(caller)) return turnAway(caller);
  known.caller = caller;
  if (route.kind !== 'inference' && route.kind !== 'count') {
    const json = await lookUp(parts, route, caller);
    return isRefusal(json) ? turnAway(json) : tell(json);
  }

  const trace =
    (route.kind === 'inference' && parts.traces?.begin(call, route.api, caller, request.headers)) ||
    UNTRACED;
  known.trace = trace;
  trace.enter('read');
  const tooMany = route.kind === 'count' ? parts.tokenCounts.refuse(caller.organization) : null;
  if (tooMany) return turnAway(tooMany);
  const entered = parts.entrance.enter(caller, declaredBytes(request), (answered) =>
    reply.onClose(answered),
  );
  if (isRefusal(entered)) {
    if (entered.code === 'insufficient_credit') parts.onExhausted(caller.organization);
    return turnAway(entered);
  }
  using entry = entered;
  const { organization } = caller;
  const idempotencyKey = route.kind === 'inference' ? idempotencyKeyOf(request.headers) : null;
  const from = { caller, entry, isRepeatable: idempotencyKey !== null, known };
  const parsed = await arrive(parts, request, route.api, from);
  const hasLeft = () => request.readableAborted || reply.disconnected;
  const faulty = (refusal: Refusal) => no(parts.entrance.faulty.noted(caller, refusal, hasLeft()));
  if (isRefusal(parsed)) return faulty(parsed);
  const bodyAt = parts.clock.monotonic();
  if (route.kind === 'count') {
    const asker = { organization, region: call.region };
    const { tokens, by } = await parts.tokenCounts.count(asker, parsed);
    return reply.json(200, JSON.stringify({ input_tokens: tokens }), { 'x-token-count': by });
  }
  const model = parsed.model.entry.id;
  const labels = (known.labels = { region: call.region, model, streamed: parsed.streamed });
  reply.setHeaders(told(parsed));

  const claim = claimOf(idempotencyKey, caller, parsed);
  if (isRefusal(claim)) return faulty(claim);
  if (claim) trace.enter('repeat');
  const turn = claim && (await parts.repeats.enter(claim, { call, organization, labels, reply }));
  if (isRefusal(turn)) return faulty(turn);
  if (turn === 'ended') return reportRepeated(parts, call, { caller, model, trace }, reply);
  using atEnd = new DisposableStack();
  atEnd.use(turn);
  const crowded = parsed.topLogprobs === null ? null : entry.takeLogprobs();
  if (crowded) return no(crowded);

  trace.enter('admit');
  const asked = parts.clock.monotonic();
  const admitted = await admitCaller(parts, request, caller, { call, parsed, claim });
  if (isRefusal(admitted)) {
    if (admitted.code === 'insufficient_credit') parts.onExhausted(caller.organization);
    return faulty(admitted);
  }
  known.isAdmitted = true;
  const admittedAt = parts.clock.monotonic();
  parts.metrics.admitted(admittedAt - asked);

  reply.setHeaders({ ...admitted.headers, ...told(parsed) });
  parts.touchKey(admitted.caller.key);
  parts.metrics.began(model, call.region);
  const tries = newTries(bodyAt, admittedAt);
  const { hold } = admitted;
  const admittedRequest = { call, caller: admitted.caller, parsed, hold, reply, tries, trace };
  try {
    await answer(parts, admittedRequest);
  } catch (error) {
    // A bug must not leave its hold open, and the client does not wait for the release.
    const unattempted = { ...admittedRequest, attempt: null, relay: null };
    const refusal = refusalOf(error);
    const cause = refusal.code === 'internal_error' ? 'internal_error' : 'store_away';
    endFree(parts, unattempted, { ...UNTAKEN, cause, refusal }).catch((fault: unknown) =>
      parts.log.error(
        { request: call.id, err: fault },
        'failed to release a hold; the next heartbeat tries again',
      ),
    );
    throw error;
  } finally {
    parts.metrics.ended(model, call.region);
    parts.recent.released(organization);
  }
}

function told({ ignored }: ParsedRequest): Record<string, string> {
  return ignored.length > 0 ? { 'x-ignored-parameters': ignored.join(', ') } : {};
}

/** Takes a request from its hold to its one ending: every path settles or releases the hold. */
async function answer(parts: HandleParts, request: AdmittedRequest): Promise<void> {
  const { call, parsed, tries, trace } = request;
  const attempts = new AttemptHistory(parts.clock, request.hold.organization);
  /** Why there is no answer. The cause stays `client_left` until another one is known. */
  let ending: Ending & { refusal: Refusal | null } = {
    ...UNTAKEN,
    cause: 'client_left',
    refusal: null,
  };
  let attempt: Attempt | null = null;
  let relay: Relay | null = null;

  for (let number = 1; !attempts.isExhausted; number++) {
    const tried = await tryWorker(parts, request, attempts, number);
    if (tried === 'left') break;
    if (isRefusal(tried)) {
      if (attempts.isBetterExplainedBy(tried)) {
        ending = { ...UNTAKEN, cause: 'not_placed', refusal: tried };
      }
      break;
    }
    tries.count += 1;
    ({ attempt, relay } = tried);
    const outcome = await tried.outcome;
    trace.attempted(attempt.worker, relay.heard, outcome);
    parts.metrics.attempts.ended(attempt.worker, relay.heard, outcome);
    if (outcome.kind === 'refused') {
      attempts.refused(outcome.by);
      continue;
    }
    attempts.note(attempt.worker, relay.heard.begunAt, outcome);
    if (outcome.kind !== 'failed') {
      trace.enter('settle');
      return await conclude(parts, { ...request, attempt, relay }, outcome);
    }
    ending = { ...outcome, refusal: attempts.refusal(outcome.refusal) };
    const { code } = outcome.refusal;
    const again = outcome.again && !attempts.isDeadly;
    noteFailure(tries, call, { worker: attempt.worker, code }, parts.clock.monotonic());
    const fields = { request: call.id, worker: attempt.worker.id, number, code, again };
    parts.log.debug(fields, 'an attempt failed');
    if (!again) break;
    parts.metrics.attempts.failedOver(parsed.model.entry.id, call.region, outcome.cause);
  }

  await concludeUnanswered(parts, { ...request, attempt, relay }, ending);
}

/** No engine has accepted the request. */
const UNTAKEN = { progress: 'untaken', counts: { prompt: 0, completion: 0 } } as const;

type Begun = Readonly<{ attempt: Attempt; relay: Relay; outcome: Promise<Outcome> }>;

/** Picks a worker and starts an attempt on it. Returns `left` when the client has left. */
async function tryWorker(
  parts: HandleParts,
  request: AdmittedRequest,
  attempts: AttemptHistory,
  number: number,
): Promise<Begun | Refusal | 'left'> {
  const { parsed, hold, reply } = request;
  if (reply.disconnected) return 'left';
  // Limits how often agents may refuse a request after they reported room.
  if (attempts.refusals >= limits.refusalsMax) return new Refusal('overloaded', { retryAfterS: 1 });
  request.trace.enter('pick');
  const reservation = await reserve(parts, request, attempts);
  if (reservation === null) return 'left';
  if (isRefusal(reservation)) return reservation;
  if (!reservation.worker.load.runningUsage) {
    // Answers of such an engine are not counted while they run, so their maximum is held first
    // (MONEY 9).
    const most = parsed.answerTokensMax;
    const covered = await hold.cover(parsed.promptTokensMax, most).catch(() => 'gone' as const);
    if (covered === 'gone' || covered < most) {
      parts.fleet.release(reservation);
      if (covered !== 'gone') return new Refusal('insufficient_credit');
      return new Refusal('store_unavailable', { retryAfterS: 1 });
    }
  }
  return begin(parts, request, reservation, number);
}

function begin(
  parts: HandleParts,
  request: AdmittedRequest,
  reservation: SlotReservation,
  number: number,
): Begun {
  try {
    const planned = makeAttempt(parts.fleet.forecasts, request, reservation, number);
    const attempt = parts.audit.watch(planned, request.parsed, request.call.region);
    const relay = new Relay(parts, request, attempt);
    request.tries.pickedAt = relay.heard.begunAt;
    return { attempt, relay, outcome: relay.follow(attempt.dispatch(relay)) };
  } catch (error) {
    parts.fleet.release(reservation);
    throw error;
  }
}
