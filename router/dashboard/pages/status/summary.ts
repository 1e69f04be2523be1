/** The state of all models in one sentence, and the models and regions that have an open incident. */
import type { Incident } from '../../../../shared/api/incidents.ts';
import type { ModelStatus } from '../../../../shared/api/public-figures.ts';
import type { Region } from '../../../../shared/region.ts';

export type Summary = Readonly<{ tone: 'good' | 'warn' | 'bad' | 'neutral'; text: string }>;

export function isOpen({ resolved }: Pick<Incident, 'resolved'>): boolean {
  return resolved === null;
}

/** An incident without models is one of all models, and likewise of all regions. */
export function affects(
  { models, regions }: Pick<Incident, 'models' | 'regions'>,
  model: string,
  region: Region,
): boolean {
  return (
    (models.length === 0 || models.includes(model)) &&
    (regions.length === 0 || regions.includes(region))
  );
}

type Affected = Readonly<{ models: readonly string[]; regions: readonly Region[] }>;

/** Whether two incidents affect the same model in the same region. */
export function overlap(one: Affected, other: Affected): boolean {
  return share(one.models, other.models) && share(one.regions, other.regions);
}

/** An empty list stands for all. */
function share(some: readonly string[], others: readonly string[]): boolean {
  return some.length === 0 || others.length === 0 || some.some((each) => others.includes(each));
}

/** Open incidents come first: operators may know of a fault that no router can measure. */
export function summaryOf(
  models: readonly ModelStatus[],
  open: readonly Pick<Incident, 'title'>[],
): Summary {
  const measured = measuredOf(models);
  if (open.length === 0) return measured;
  const titles = open.map(({ title }) => title).join(', ');
  const count = open.length === 1 ? '1 open incident' : `${open.length} open incidents`;
  if (measured.tone === 'bad') return { tone: 'bad', text: `${measured.text} ${count}: ${titles}` };
  const also = measured.tone === 'warn' ? ` – ${measured.text}` : '';
  return { tone: 'warn', text: `${count}: ${titles}${also}` };
}

function measuredOf(models: readonly ModelStatus[]): Summary {
  const places = models.flatMap(({ regions }) => regions);
  const known = places.filter(({ state }) => state !== 'no_data');
  if (known.length === 0) return { tone: 'neutral', text: 'There is no data yet.' };
  if (known.every(({ state }) => state === 'no_capacity')) {
    return { tone: 'bad', text: 'All models are unavailable.' };
  }
  const isIn = (state: string) =>
    models.filter(({ regions }) => regions.some((one) => one.state === state)).length;
  const parts = [
    [isIn('no_capacity'), 'unavailable'],
    [isIn('degraded'), 'degraded'],
    [isIn('no_data'), 'without data'],
  ] as const;
  const told = parts.filter(([count]) => count > 0);
  if (told.length === 0) return { tone: 'good', text: 'All models are operational.' };
  const all = told.map(([count, what]) => `${count === 1 ? '1 model' : `${count} models`} ${what}`);
  return { tone: 'warn', text: `${new Intl.ListFormat('en').format(all)}.` };
}
