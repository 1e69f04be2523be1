/**
 * Tries an engine out before it is used: that it generates, and by asking the same twice, and once more under
 * another salt, what it tells of its cache and whether it keeps organizations apart.
 */
import type { Random } from '../../shared/random.ts';
import type { Dialect, Self } from './dialects/dialect.ts';
import type { Build } from './engine.ts';
import { probe, type Probed, type ProbeParts } from './probe.ts';

/** What a trial is for: the rest of a build is known without. */
export type Tried = Pick<Build, 'salted' | 'runningUsage' | 'reportsCached'>;

export type TrialParts = Omit<ProbeParts, 'dialect' | 'salt' | 'id' | 'model'> &
  Readonly<{ random: Random }>;

/** Asks for one token, once. */
export function probeOnce(
  parts: TrialParts,
  dialect: Dialect,
  model: string,
  salt = hex(parts.random),
): Promise<Probed> {
  return probe({ ...parts, dialect, model, salt, id: `probe-${hex(parts.random)}` });
}

/** What the trial showed, or why there was none. */
export async function tryOut(
  parts: TrialParts,
  dialect: Dialect,
  self: Self,
  model: string,
): Promise<Tried | Exclude<Probed['outcome'], 'generates'>> {
  const salt = hex(parts.random);
  const first = await probeOnce(parts, dialect, model, salt);
  if (first.outcome !== 'generates') return first.outcome;
  const again = await probeOnce(parts, dialect, model, salt);
  // Old versions leave the count out when it is zero: then only the second answer has it.
  const told = cachedOf(again) ?? first.cached;
  return {
    runningUsage: first.runningUsage ?? dialect.runningUsage,
    reportsCached: self.reportsCached ?? told !== null,
    salted: await isSalted(parts, dialect, model, cachedOf(again) ?? 0),
  };
}

/** `cached`: what a second question under the same salt found. */
async function isSalted(
  parts: TrialParts,
  dialect: Dialect,
  model: string,
  cached: number,
): Promise<boolean> {
  if (!dialect.salted) return false;
  if (cached === 0) return dialect.salted === true;
  const other = await probeOnce(parts, dialect, model);
  return other.outcome === 'generates' && (other.cached ?? 0) === 0;
}

function cachedOf(probed: Probed): number | null {
  return probed.outcome === 'generates' ? probed.cached : null;
}

function hex(random: Random): string {
  return Buffer.from(random.bytes(16)).toString('hex');
}
