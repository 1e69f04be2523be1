/** `penstock admin rate …` */
import { Rate, RatePrice, RateRemoved } from '../../shared/api/rates.ts';
import { command } from './command.ts';
import { model, organization } from './flags.ts';

export const rates = {
  set: command(
    {
      organization,
      model,
      prompt: RatePrice,
      completion: RatePrice,
      inputCacheRead: RatePrice,
    },
    async ({ client, show }, { prompt, completion, inputCacheRead, ...of }) => {
      const price = { prompt, completion, input_cache_read: inputCacheRead };
      await show(await client.call('PUT', pathOf(of), Rate, price), fields);
    },
  ),
  remove: command({ organization, model }, async ({ client, show }, flags) =>
    show(await client.call('DELETE', pathOf(flags), RateRemoved), (removed) => ({
      model: removed.model,
      rate: 'removed',
    })),
  ),
  list: command({ organization }, async ({ client, list }, flags) =>
    list(client.pages(`/organizations/${flags.organization}/rates`, Rate), fields),
  ),
};

function pathOf(flags: { organization: string; model: string }): string {
  return `/organizations/${flags.organization}/rates/${flags.model}`;
}

function fields(rate: Rate) {
  return {
    model: rate.model,
    'prompt (USD)': rate.prompt,
    'completion (USD)': rate.completion,
    'input cache read (USD)': rate.input_cache_read,
    since: rate.created,
  };
}
