/** `penstock admin usage list`: every request of an organization, newest first. */
import { UsageEntry } from '../../shared/api/usage.ts';
import { command, text } from './command.ts';
import { organization } from './flags.ts';

export const usage = {
  list: command({ organization }, async ({ client, list }, flags) =>
    list(client.pages(`/organizations/${flags.organization}/usage`, UsageEntry), (entry) => ({
      created: entry.created,
      request: entry.request_id,
      model: entry.model,
      key: text(entry.key_name),
      prompt: String(entry.prompt_tokens),
      cached: String(entry.cached_tokens),
      completion: String(entry.completion_tokens),
      'cost (USD)': entry.cost,
      status: `${entry.status}${entry.error === null ? '' : ` ${entry.error}`}`,
    })),
  ),
};
