/** Display names of a model's capabilities. */
import type { Model } from '../../../../shared/api/models.ts';
import { compactCount } from '../../format/count.ts';
import { perMillion, shownUsd } from '../../format/usd.ts';
import { has, seesImages } from './settings.ts';

export function capabilitiesOf(model: Model): readonly string[] {
  return [
    seesImages(model) && 'Images',
    has(model, 'tools') && 'Tools',
    has(model, 'json_mode') && 'JSON',
    has(model, 'reasoning') && 'Reasoning',
  ].filter((name) => name !== false);
}

export function contextOf({ context_length }: Model): string {
  return `${compactCount(context_length)} context`;
}

/** What a million tokens cost. */
export function pricesOf({ billed }: Pick<Model, 'billed'>): string {
  return `${shownUsd(perMillion(billed.prompt))} in, ${shownUsd(perMillion(billed.completion))} out`;
}

/** Returns the models whose name or id contains every word of the search. */
export function found(models: readonly Model[], search: string): readonly Model[] {
  const words = search.toLowerCase().split(/\s+/);
  return models.filter(({ id, name }) => {
    const text = `${name} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
