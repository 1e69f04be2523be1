/** `penstock admin usage list`: every request of an organization, newest first. */
import { UsageEntry } from '../../shared/api/usage.ts';
import { command } from './command.ts';
import { organization } from './flags.ts';

export const usage = {
  list: command({ organization }, async ({ client, list }, flags) =>
    list(client.pages(`/organizations/${flags.organization}/usage`, UsageEntry), (entry) => ({
      created: entry.created,
      request: entry.request_id,
      model: entry.model,
      key: entry.key_name,
      prompt: entry.prompt_tokens,
      cached: entry.cached_tokens,
      completion: entry.completion_tokens,
      'cost (USD)': entry.cost,
      status: `${entry.status}${entry.error === null ? '' : ` ${entry.error}`}`,
    })),
  ),
};
