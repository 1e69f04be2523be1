/**
 * The answers about one model over time, as bytes. However many ask, the history of a model is read
 * once in a while for each span.
 */
import type { ModelHistory } from '../../../shared/api/public-figures.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import type { FigureSpan } from '../../../shared/public-figures.ts';
import { readModelBuckets } from '../../history/model-buckets.ts';
import { isoInstant } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { CachedValue } from '../cached-value.ts';

const MS_MAX: Readonly<Record<FigureSpan, number>> = {
  hour: 30_000,
  day: MINUTE_MS,
  month: 10 * MINUTE_MS,
};

type Spans = Readonly<Record<FigureSpan, CachedValue<Uint8Array>>>;

type Parts = Pick<ControlParts, 'store' | 'clock' | 'catalog'>;

export class ModelHistories {
  readonly #parts: Parts;
  /** By model and span: one answer for each span of the models of the catalog. */
  readonly #answers = new Map<string, Spans>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns null for a model that is not in the catalog. */
  async read(model: string, span: FigureSpan): Promise<Uint8Array | null> {
    const ids = new Set([...this.#parts.catalog.models].map(({ entry }) => entry.id));
    // A model may have left the catalog.
    for (const id of this.#answers.keys()) if (!ids.has(id)) this.#answers.delete(id);
    if (!ids.has(model)) return null;
    const spans = this.#answers.get(model) ?? this.#valuesOf(model);
    this.#answers.set(model, spans);
    return await spans[span].get();
  }

  #valuesOf(model: string): Spans {
    const valueOf = (span: FigureSpan) =>
      new CachedValue(this.#parts.clock, MS_MAX[span], () => this.#make(model, span));
    return { hour: valueOf('hour'), day: valueOf('day'), month: valueOf('month') };
  }

  async #make(model: string, span: FigureSpan): Promise<Uint8Array> {
    const { store, clock } = this.#parts;
    const minute = clock.now() - (clock.now() % MINUTE_MS);
    const buckets = await store.call(readModelBuckets, { model, span, now: minute });
    const answer: ModelHistory = {
      as_of: isoInstant(minute),
      model,
      span,
      buckets: buckets.map(({ start, ...figures }) => ({ start: isoInstant(start), ...figures })),
    };
    return new TextEncoder().encode(JSON.stringify(answer));
  }
}
