/** Where an org-admin may move the organization's inference region (SPEC 3.3); operators may move it anywhere. */
import type { Region } from '../../../shared/wire/messages.ts';

/** From Global to either region, once. */
export function movesFrom(region: Region): readonly Region[] {
  return region === 'global' ? ['us', 'eu'] : [];
}
