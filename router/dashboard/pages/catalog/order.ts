/** Orders models by what they cost, how fast they are, and what they can take. */
import type { PublicModel } from '../../../../shared/api/public-figures.ts';
import { picoOf } from '../../format/usd.ts';
import { FIGURE_SPANS, type FigureSpan } from '../../../../shared/public-figures.ts';
import { RANGE_NAMES } from '../../format/range-names.ts';
import type { MODEL_ORDERS } from '../../search.ts';

export type Order = (typeof MODEL_ORDERS)[number];

export const ORDER_NAMES: Readonly<Record<Order, string>> = {
  name: 'Name',
  context: 'Longest context',
  prompt: 'Prompt price',
  cached: 'Cached price',
  completion: 'Completion price',
  ttft: 'Time to first token',
  speed: 'Fastest',
  uptime: 'Uptime',
  newest: 'Newest',
};

export const SPAN_NAMES: Readonly<Record<FigureSpan, string>> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  month: 'Last 30 days',
};

const SPAN_RANGES = { hour: '1h', day: '24h', month: '30d' } as const;

export const SPAN_CHOICES = FIGURE_SPANS.map((value) => ({
  value,
  name: RANGE_NAMES[SPAN_RANGES[value]],
}));

/** A model, with the prices that the reader pays. */
export type PricedModel = PublicModel & Readonly<{ billed: PublicModel['pricing'] }>;

type Direction = 'asc' | 'desc';

/** The direction that people usually want. */
const DIRECTIONS: Readonly<Record<Order, Direction>> = {
  name: 'asc',
  context: 'desc',
  prompt: 'asc',
  cached: 'asc',
  completion: 'asc',
  ttft: 'asc',
  speed: 'desc',
  uptime: 'desc',
  newest: 'desc',
};

export function directionOf(order: Order, isReversed: boolean): Direction {
  const usual = DIRECTIONS[order];
  if (!isReversed) return usual;
  return usual === 'asc' ? 'desc' : 'asc';
}

type Sorting = Readonly<{ order: Order | undefined; isReversed: boolean; span: FigureSpan }>;

/** Returns the models in order; models without the figure come last. No order: as in the catalog. */
export function inOrder(
  models: readonly PricedModel[],
  { order, isReversed, span }: Sorting,
): readonly PricedModel[] {
  if (order === undefined) return models;
  const sign = directionOf(order, isReversed) === 'asc' ? 1 : -1;
  const ranked = models.map((model) => ({ model, rank: rankOf(model, order, span) }));
  return ranked
    .toSorted(({ rank: a }, { rank: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return sign * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b));
    })
    .map(({ model }) => model);
}

function rankOf(model: PricedModel, order: Order, span: FigureSpan): number | string | null {
  const { ttft_ms: ttft, speed } = model.figures[span];
  switch (order) {
    case 'name':
      return model.name;
    case 'context':
      return model.context_length;
    case 'prompt':
      return Number(picoOf(model.billed.prompt));
    case 'cached':
      return Number(picoOf(model.billed.input_cache_read));
    case 'completion':
      return Number(picoOf(model.billed.completion));
    case 'ttft':
      return ttft && ttft.p50;
    case 'speed':
      return speed && speed.p50;
    case 'uptime':
      return model.uptime;
    case 'newest':
      return model.created;
  }
}
