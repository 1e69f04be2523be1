/** Workers that do not serve: why, as far as their agents tell, and what they served before. */
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { capitalized } from '../../../../../shared/capitalized.ts';
import { isUnready } from '../../../api/readings.ts';

/** "Its health check timed out". Null if the worker is ready or drains, or if its agent does not say. */
export function causeOf(worker: Pick<WorkerEntry, 'phase' | 'models' | 'notes'>): string | null {
  // The note on why a worker serves nothing is the last one: other notes are about its engine.
  const cause = isUnready(worker) ? worker.notes.at(-1) : undefined;
  return cause === undefined ? null : capitalized(cause);
}

/** What the worker serves, or what it served when it was ready last. */
export function usualModels({
  models,
  last_ready: before,
}: Pick<WorkerEntry, 'models' | 'last_ready'>): readonly string[] {
  return models.length > 0 ? models : (before?.models ?? []);
}
