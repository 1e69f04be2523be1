/** Says in one sentence how all models are. */
import type { ModelStatus } from '../../../../shared/api/public-figures.ts';

export type Summary = Readonly<{ tone: 'good' | 'warn' | 'neutral'; text: string }>;

export function summaryOf(models: readonly ModelStatus[]): Summary {
  const places = models.flatMap(({ regions }) => regions);
  const known = places.filter(({ state }) => state !== 'no_data');
  if (known.length === 0) return { tone: 'neutral', text: 'No router has reported yet.' };
  const isIn = (state: string) =>
    models.filter(({ regions }) => regions.some((one) => one.state === state)).length;
  const parts = [
    [isIn('no_capacity'), 'without capacity'],
    [isIn('degraded'), 'degraded'],
    [isIn('no_data'), 'without data'],
  ] as const;
  const told = parts.filter(([count]) => count > 0);
  if (told.length === 0) return { tone: 'good', text: 'All models are operational.' };
  const all = told.map(([count, what]) => `${count === 1 ? '1 model' : `${count} models`} ${what}`);
  return { tone: 'warn', text: `${new Intl.ListFormat('en').format(all)}.` };
}
