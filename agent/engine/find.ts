/** Looks for an engine: healthy, listing models, of a known kind, and really generating. */
import { isObject } from './json.ts';
import { ask, askJson } from './ask.ts';
import type { Dialect, MetricNames, Self } from './dialects/dialect.ts';
import type { Build, Engine } from './engine.ts';
import { type Reading, readPage } from './gauges.ts';
import { identify } from './identify.ts';
import { ModelList, type ServedEntry } from './models.ts';
import { probeOnce, type Tried, type TrialParts, tryOut } from './trial.ts';

/** One question to an engine; a busy one answers late. */
const ASK_MS_MAX = 3_000;

export type Found = Readonly<{
  build: Build;
  listed: readonly ServedEntry[];
  reading: Reading | null;
}>;

/** Whether the engine found is the process that was known before. */
export type IsSame = (dialect: Dialect, reading: Reading | null) => boolean;

export type FindParts = TrialParts & Readonly<{ isSame: IsSame }>;

/** What an engine says of its health. */
export type Health = 'good' | 'loading' | 'slow' | 'unwell' | 'unreachable';

const STAGE = {
  loading: 'its model is being loaded',
  slow: 'it answers too late',
  unwell: 'it says that it is not well',
  unreachable: 'it does not answer',
} as const satisfies Record<Exclude<Health, 'good'>, string>;

/** What an engine lacks that is there. */
export const WHY = {
  busy: 'it takes no request at the moment',
  failed: 'it answers, but does not generate',
  loading: STAGE.loading,
} as const;

/** The engine as it is now, or in words what it lacks. */
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
  if (!isSame) engine.lookUps.anew((metrics?.prefixQueryTokens.length ?? 0) > 0);
  // Before our own questions are among them.
  if (reading) engine.lookUps.saw(reading.figures);
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

/** What is known of an engine that generates; in words why it is not to be used. */
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
  // It may serve what a chat cannot be asked of, beside what it can.
  if (tried === 'refused') return untried(dialect, self);
  return typeof tried === 'string' ? WHY[tried] : tried;
}

function untried({ runningUsage, salted }: Dialect, { reportsCached }: Self): Tried {
  return { runningUsage, salted: salted === true, reportsCached: reportsCached ?? false };
}

/** An engine without such a page is as healthy as its other answers. */
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

/** What the metrics page says; `none`: there is no such page. */
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
