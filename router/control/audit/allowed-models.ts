/** The models that a key may call, as the audit log has them: one text, or null for all models. */
import type { AllowedModels } from '../../ledger/allowed-models.ts';

const SEPARATOR = ', ';

/** How many models a sentence names. The details of the entry have all. */
const NAMED_MAX = 3;

export function modelDetail(models: AllowedModels): string | null {
  return models && models.join(SEPARATOR);
}

/** "lab/a, lab/b, lab/c and 2 more" */
export function modelsInSentence(detail: string): string {
  const models = detail.split(SEPARATOR);
  const more = models.length - NAMED_MAX;
  return more > 0 ? `${models.slice(0, NAMED_MAX).join(SEPARATOR)} and ${more} more` : detail;
}
