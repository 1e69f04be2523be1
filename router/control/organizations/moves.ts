/**
 * Where an org-admin may move the organization's inference region (docs/regions.md). Operators may
 * move it anywhere.
 */
import type { Region } from '../../../shared/region.ts';

/** An organization can move from Global to either region, once. */
export function movesFrom(region: Region): readonly Region[] {
  return region === 'global' ? ['us', 'eu'] : [];
}
