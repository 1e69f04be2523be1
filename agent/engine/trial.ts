/**
 * Tests an engine before it is used. Sends the same prompt twice under one salt, and once more
 * under another. This shows whether the engine generates, whether it reports cached tokens, whether
 * it keeps the caches of organizations apart, and whether it takes tools.
 */
import type { Random } from '../../shared/random.ts';
import type { Dialect, Self } from './dialects/dialect.ts';
import { probe, type Probed, type ProbeParts } from './probe.ts';
import type { EngineProfile } from './profile.ts';

/** The fields of a profile that only a trial can determine. */
export type Tried = Pick<
  EngineProfile,
  'salted' | 'runningUsage' | 'reportsCached' | 'reasoning' | 'beganWithText' | 'takesTools'
>;

export type TrialParts = Omit<ProbeParts, 'dialect' | 'salt' | 'tools' | 'id' | 'model'> &
  Readonly<{ random: Random }>;

/** Sends one probe. */
export function probeOnce(
  parts: TrialParts,
  dialect: Dialect,
  model: string,
  { salt = hex(parts.random), tools = false } = {},
): Promise<Probed> {
  return probe({ ...parts, dialect, model, salt, tools, id: `probe-${hex(parts.random)}` });
}

/**
 * Returns what the trial showed, or the outcome of the first probe if the engine did not generate.
 */
export async function tryOut(
  parts: TrialParts,
  dialect: Dialect,
  self: Self,
  model: string,
): Promise<Tried | Exclude<Probed['outcome'], 'generates'>> {
  const salt = hex(parts.random);
  const triesTools = dialect.switches.tools !== null;
  let tools = triesTools;
  let first = await probeOnce(parts, dialect, model, { salt, tools });
  if (tools && first.outcome === 'refused') {
    tools = false;
    first = await probeOnce(parts, dialect, model, { salt });
  }
  if (first.outcome !== 'generates') return first.outcome;
  const again = await probeOnce(parts, dialect, model, { salt, tools });
  // Old versions leave out a count of zero. Then only the second answer has a count.
  const cached = cachedOf(again) ?? first.cached;
  return {
    runningUsage: first.runningUsage ?? dialect.runningUsage,
    reportsCached: self.reportsCached ?? cached !== null,
    salted: await isSalted(parts, dialect, model, { tools, cached: cachedOf(again) ?? 0 }),
    reasoning: first.reasoning,
    beganWithText: first.beganWithText,
    // A model that knows no chat says nothing about tools.
    takesTools: tools || !triesTools || first.endpoint === 'completions',
  };
}

/**
 * Whether the same probe under another salt misses the cache. `cached`: what the second probe under
 * the same salt found.
 */
async function isSalted(
  parts: TrialParts,
  dialect: Dialect,
  model: string,
  { tools, cached }: Readonly<{ tools: boolean; cached: number }>,
): Promise<boolean> {
  if (!dialect.salted) return false;
  if (cached === 0) return dialect.salted === true;
  const other = await probeOnce(parts, dialect, model, { tools });
  return other.outcome === 'generates' && (other.cached ?? 0) === 0;
}

function cachedOf(probed: Probed): number | null {
  return probed.outcome === 'generates' ? probed.cached : null;
}

function hex(random: Random): string {
  return Buffer.from(random.bytes(16)).toString('hex');
}
