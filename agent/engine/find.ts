/**
 * Discovers an engine: checks that it is healthy, lists its models, identifies its kind, and
 * verifies that it generates.
 */
import type { Dialect, MetricNames, Self } from './dialects/dialect.ts';
import type { Engine } from './engine.ts';
import { type Reading, readPage } from './gauges.ts';
import { identify } from './identify.ts';
import { isObject } from './json.ts';
import { ModelList, type ServedEntry } from './models.ts';
import type { EngineProfile } from './profile.ts';
import { probeOnce, type Tried, type TrialParts, tryOut } from './trial.ts';

/** The timeout of one request. A busy engine answers late. */
const QUERY_MS_MAX = 3_000;

export type Found = Readonly<{
  profile: EngineProfile;
  listed: readonly ServedEntry[];
  reading: Reading | null;
}>;

/** Whether the discovered engine is the process that was known before. */
export type IsSame = (dialect: Dialect, reading: Reading | null) => boolean;

export type FindParts = TrialParts & Readonly<{ isSame: IsSame }>;

/**
 * The result of a health check. `loading`: status 503 with a message that a model is being loaded.
 * `unwell`: any other bad status. `slow` and `unreachable`: see `NoResponse`.
 */
export type Health = 'good' | 'loading' | 'slow' | 'unwell' | 'unreachable';

const STAGE = {
  loading: 'its model is being loaded',
  slow: 'its health check timed out',
  unwell: 'its health check fails',
  unreachable: 'it does not answer',
} as const satisfies Record<Exclude<Health, 'good'>, string>;

/** Why an engine that answers cannot be used. */
export const WHY = {
  busy: 'it refuses requests at the moment (429 or 503)',
  failed: 'it answers health checks, but does not generate tokens',
  loading: STAGE.loading,
} as const;

/** Discovers the engine. Returns what was found, or a text that says why it cannot be used. */
export async function findEngine(parts: FindParts): Promise<Found | string> {
  const { engine, signal } = parts;
  const health = await healthOf(engine, signal);
  if (health !== 'good') return STAGE[health];
  const listed = await modelsOf(engine, signal);
  if (!listed) return 'it does not list its models';
  const look = (path: string) => engine.client.queryJson(about(path, signal));
  const { dialect, self } = await identify(look);
  const page = dialect.metrics && (await pageOf(engine, dialect.metrics, signal));
  const reading = typeof page === 'object' ? page : null;
  const metrics = reading && dialect.metrics;
  const isSame = parts.isSame(dialect, reading);
  if (!isSame) engine.load.prefixCache.restarted(reading?.countsPrefixes ?? false);
  // The prefix cache statistics are read first, because the trial would add queries of its own.
  if (reading) engine.load.prefixCache.update(reading.figures);
  const tried = await trial(parts, { dialect, self, listed, isSame });
  if (typeof tried === 'string') return tried;
  const known = engine.profile;
  const boot = isSame ? known.boot : Buffer.from(parts.random.bytes(16)).toString('hex');
  const { version, notes, refusesImages = false } = self;
  const kvTokens = self.kvTokens ?? reading?.kvTokens ?? null;
  const profile = { dialect, version, boot, metrics, kvTokens, refusesImages, notes, ...tried };
  return { profile, listed, reading };
}

type Candidate = Readonly<{
  dialect: Dialect;
  self: Self;
  listed: readonly ServedEntry[];
  isSame: boolean;
}>;

/**
 * Tests whether the engine generates. Returns what the test showed, or a text that says why the
 * engine cannot be used.
 */
async function trial(
  parts: FindParts,
  { dialect, self, listed, isSame }: Candidate,
): Promise<Tried | string> {
  const model = listed[0]?.id;
  if (model === undefined || !dialect.probed) {
    const { reasoning } = parts.engine.profile;
    return { ...untried(dialect, self), ...(isSame && { reasoning }) };
  }
  if (isSame) {
    const { outcome } = await probeOnce(parts, dialect, model);
    const known = parts.engine.profile;
    return outcome === 'generates' || outcome === 'refused' ? triedOf(known) : WHY[outcome];
  }
  const tried = await tryOut(parts, dialect, self, model);
  // The first model may support neither chat nor completions while other models of the engine do.
  if (tried === 'refused') return untried(dialect, self);
  return typeof tried === 'string' ? WHY[tried] : tried;
}

function untried({ runningUsage, salted }: Dialect, { reportsCached }: Self): Tried {
  return {
    runningUsage,
    salted: salted === true,
    reportsCached: reportsCached ?? false,
    reasoning: 'unknown',
    beganWithText: false,
    takesTools: true,
  };
}

/** What an earlier trial, and the answers since, have shown of the same engine. */
function triedOf(profile: EngineProfile): Tried {
  const { salted, runningUsage, reportsCached, reasoning, beganWithText, takesTools } = profile;
  return { salted, runningUsage, reportsCached, reasoning, beganWithText, takesTools };
}

/** Checks the engine's /health. An engine without this endpoint (404) counts as healthy. */
export async function healthOf({ client }: Engine, signal: AbortSignal): Promise<Health> {
  const response = await client.query(about('/health', signal));
  if (typeof response === 'string') return response;
  if (response.status === 200 || response.status === 404) return 'good';
  return response.status === 503 && isLoading(response.text) ? 'loading' : 'unwell';
}

function isLoading(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    const error = isObject(message) ? message['error'] : null;
    return isObject(error) && /loading/i.test(String(error['message']));
  } catch {
    return false;
  }
}

export async function modelsOf(
  { client }: Engine,
  signal: AbortSignal,
): Promise<readonly ServedEntry[] | null> {
  const list = ModelList.safeParse(await client.queryJson(about('/v1/models', signal)));
  return list.success ? list.data.data : null;
}

/** Reads the metrics page. Returns `none` when there is no such page. */
export async function pageOf(
  { client }: Engine,
  names: MetricNames,
  signal: AbortSignal,
): Promise<Reading | 'none' | 'slow' | 'unreachable'> {
  const page = await client.query(about('/metrics', signal));
  if (typeof page === 'string') return page;
  return page.status === 200 ? readPage(page.text, names) : 'none';
}

function about(path: string, signal: AbortSignal) {
  return { path, timeoutMs: QUERY_MS_MAX, signal };
}
