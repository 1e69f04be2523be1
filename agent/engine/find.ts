/**
 * Discovers an engine: checks that it is healthy, lists its models, identifies its kind, and
 * verifies that it generates.
 */
import { ask, askJson } from './ask.ts';
import type { Build } from './build.ts';
import type { Dialect, MetricNames, Self } from './dialects/dialect.ts';
import type { Engine } from './engine.ts';
import { type Reading, readPage } from './gauges.ts';
import { identify } from './identify.ts';
import { isObject } from './json.ts';
import { ModelList, type ServedEntry } from './models.ts';
import { probeOnce, type Tried, type TrialParts, tryOut } from './trial.ts';

/** The timeout of one request. A busy engine answers late. */
const ASK_MS_MAX = 3_000;

export type Found = Readonly<{
  build: Build;
  listed: readonly ServedEntry[];
  reading: Reading | null;
}>;

/** Whether the discovered engine is the process that was known before. */
export type IsSame = (dialect: Dialect, reading: Reading | null) => boolean;

export type FindParts = TrialParts & Readonly<{ isSame: IsSame }>;

/**
 * The result of a health check. `loading`: status 503 with a message that a model is being loaded.
 * `unwell`: any other bad status. `slow` and `unreachable`: see `NoAnswer`.
 */
export type Health = 'good' | 'loading' | 'slow' | 'unwell' | 'unreachable';

const STAGE = {
  loading: 'its model is being loaded',
  slow: 'it answers too late',
  unwell: 'it says that it is not well',
  unreachable: 'it does not answer',
} as const satisfies Record<Exclude<Health, 'good'>, string>;

/** Why an engine that answers cannot be used. */
export const WHY = {
  busy: 'it takes no request at the moment',
  failed: 'it answers, but does not generate',
  loading: STAGE.loading,
} as const;

/** Discovers the engine. Returns what was found, or a text that says why it cannot be used. */
export async function findEngine(parts: FindParts): Promise<Found | string> {
  const { engine, signal } = parts;
  const health = await healthOf(engine, signal);
  if (health !== 'good') return STAGE[health];
  const listed = await modelsOf(engine, signal);
  if (!listed) return 'it does not list its models';
  const look = (path: string) => askJson(engine.asking, about(path, signal));
  const { dialect, self } = await identify(look);
  const page = dialect.metrics && (await pageOf(engine, dialect.metrics, signal));
  const reading = typeof page === 'object' ? page : null;
  const metrics = reading && dialect.metrics;
  const isSame = parts.isSame(dialect, reading);
  if (!isSame) engine.prefixCache.anew((metrics?.prefixQueryTokens.length ?? 0) > 0);
  // The prefix cache statistics are read first, because the trial would add queries of its own.
  if (reading) engine.prefixCache.saw(reading.figures);
  const tried = await trial(parts, { dialect, self, listed, isSame });
  if (typeof tried === 'string') return tried;
  const boot = isSame ? engine.boot : Buffer.from(parts.random.bytes(16)).toString('hex');
  const { version, notes } = self;
  const kvTokens = self.kvTokens ?? reading?.kvTokens ?? null;
  return { build: { dialect, version, boot, metrics, kvTokens, notes, ...tried }, listed, reading };
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
  if (model === undefined || !dialect.probed) return untried(dialect, self);
  if (isSame) {
    const { outcome } = await probeOnce(parts, dialect, model);
    const { salted, runningUsage, reportsCached } = parts.engine.build;
    const known = { salted, runningUsage, reportsCached };
    return outcome === 'generates' || outcome === 'refused' ? known : WHY[outcome];
  }
  const tried = await tryOut(parts, dialect, self, model);
  // The first model may support neither chat nor completions while other models of the engine do.
  if (tried === 'refused') return untried(dialect, self);
  return typeof tried === 'string' ? WHY[tried] : tried;
}

function untried({ runningUsage, salted }: Dialect, { reportsCached }: Self): Tried {
  return { runningUsage, salted: salted === true, reportsCached: reportsCached ?? false };
}

/** Checks the engine's /health. An engine without this endpoint (404) counts as healthy. */
export async function healthOf({ asking }: Engine, signal: AbortSignal): Promise<Health> {
  const answer = await ask(asking, about('/health', signal));
  if (typeof answer === 'string') return answer;
  if (answer.status === 200 || answer.status === 404) return 'good';
  return answer.status === 503 && saysLoading(answer.text) ? 'loading' : 'unwell';
}

function saysLoading(text: string): boolean {
  try {
    const said: unknown = JSON.parse(text);
    const error = isObject(said) ? said['error'] : null;
    return isObject(error) && /loading/i.test(String(error['message']));
  } catch {
    return false;
  }
}

export async function modelsOf(
  { asking }: Engine,
  signal: AbortSignal,
): Promise<readonly ServedEntry[] | null> {
  const list = ModelList.safeParse(await askJson(asking, about('/v1/models', signal)));
  return list.success ? list.data.data : null;
}

/** Reads the metrics page. Returns `none` when there is no such page. */
export async function pageOf(
  { asking }: Engine,
  names: MetricNames,
  signal: AbortSignal,
): Promise<Reading | 'none' | 'slow' | 'unreachable'> {
  const page = await ask(asking, about('/metrics', signal));
  if (typeof page === 'string') return page;
  return page.status === 200 ? readPage(page.text, names) : 'none';
}

function about(path: string, signal: AbortSignal) {
  return { path, timeoutMs: ASK_MS_MAX, signal };
}
