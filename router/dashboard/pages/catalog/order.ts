/** Orders models by what they cost, how fast they are, and what they can take. */
import type { PublicModel } from '../../../../shared/api/public-figures.ts';
import { picoOf } from '../../format/usd.ts';
import type { FIGURE_SPANS, MODEL_ORDERS } from '../../search.ts';

export type Order = (typeof MODEL_ORDERS)[number];
export type FigureSpan = (typeof FIGURE_SPANS)[number];

export const ORDER_NAMES: Readonly<Record<Order, string>> = {
  prompt: 'Prompt price',
  completion: 'Completion price',
  context: 'Longest context',
  ttft: 'Time to first token',
  speed: 'Fastest',
  uptime: 'Uptime',
  newest: 'Newest',
};

export const SPAN_NAMES: Readonly<Record<FigureSpan, string>> = {
  hour: 'Hour',
  day: '24 hours',
  month: '30 days',
};

/** A model, with the prices that the reader pays. */
export type PricedModel = PublicModel & Readonly<{ billed: PublicModel['pricing'] }>;

/** Returns the models in order; models without the figure come last. No order: as in the catalog. */
export function inOrder(
  models: readonly PricedModel[],
  order: Order | undefined,
  span: FigureSpan,
): readonly PricedModel[] {
  if (order === undefined) return models;
  const ranked = models.map((model) => ({ model, rank: rankOf(model, order, span) }));
  return ranked.toSorted((a, b) => compare(a.rank, b.rank)).map(({ model }) => model);
}

function compare(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

/** The lowest rank comes first. */
function rankOf(model: PricedModel, order: Order, span: FigureSpan): number | null {
  const { ttft_ms: ttft, speed } = model.figures[span];
  switch (order) {
    case 'prompt':
      return Number(picoOf(model.billed.prompt));
    case 'completion':
      return Number(picoOf(model.billed.completion));
    case 'context':
      return -model.context_length;
    case 'ttft':
      return ttft && ttft.p50;
    case 'speed':
      return speed && -speed.p50;
    case 'uptime':
      return model.uptime === null ? null : -model.uptime;
    case 'newest':
      return -model.created;
  }
}
