/** Credit that may be too little for any request. */
import type { Model } from '../../../shared/api/models.ts';
import { PROMPT_ESTIMATE_LEAST } from '../../../shared/bounds/prompt-estimate.ts';
import { charge, picoUsd } from '../../../shared/money.ts';
import { picoOf } from '../format/usd.ts';

/** From this on, credit is not too little, whatever was refused. */
const LEAST_USD = '0.01';

/** What running requests hold is free again soon, so it counts as credit here. */
export function mayBeTooLittle(available: string, held: string): boolean {
  const pico = picoOf(available);
  return pico > 0n && pico + picoOf(held) < picoOf(LEAST_USD);
}

/** Whether the smallest request to the cheapest of the models is held for more than is available. */
export function coversNone(available: string, models: readonly Pick<Model, 'billed'>[]): boolean {
  const pico = picoOf(available);
  return models.length > 0 && models.every(({ billed }) => pico < leastHeld(billed));
}

/** The router holds this much, or more, for a request: its prompt, and at least one token of answer. */
function leastHeld(billed: Model['billed']): bigint {
  return charge(
    {
      prompt: picoUsd(picoOf(billed.prompt)),
      completion: picoUsd(picoOf(billed.completion)),
      cached: picoUsd(picoOf(billed.input_cache_read)),
    },
    { prompt: PROMPT_ESTIMATE_LEAST, cached: 0, completion: 1 },
  );
}
