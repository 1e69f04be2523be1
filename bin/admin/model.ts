/** `penstock admin model …` */
import { Model } from '../../shared/api/models.ts';
import { command } from './command.ts';
import { organization } from './flags.ts';

export const models = {
  list: command({ organization }, async ({ client, list }, flags) =>
    list(client.pages(`/organizations/${flags.organization}/models`, Model), fields),
  ),
};

function fields({ id, context_length, billed, agreed, available }: Model) {
  return {
    id,
    context: context_length,
    'prompt (USD)': billed.prompt,
    'completion (USD)': billed.completion,
    'input cache read (USD)': billed.input_cache_read,
    price: agreed ? 'agreed' : 'list',
    available,
  };
}
