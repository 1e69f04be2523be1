/** `penstock admin agent …` */
import { z } from 'zod';
import {
  Agent,
  AgentEvent,
  Day,
  EnrolledAgent,
  HostReportEntry,
  NewAgentNote,
} from '../../shared/api/agents.ts';
import { Name, Reason, RegionName } from '../../shared/api/fields.ts';
import { command } from './command.ts';
import { agent } from './flags.ts';
import { printCsv } from './output.ts';

export const agents = {
  enrol: command(
    { name: Name, region: RegionName.default('global') },
    async ({ client, show }, { name, region }) => {
      const enrolled = await client.call('POST', '/agents', EnrolledAgent, { name, region });
      await show(enrolled, ({ id, join_token, expires }) => ({
        id,
        'join token': join_token,
        expires,
        '': 'The token is shown only once. Set it as `join` in the configuration of the agent.',
      }));
    },
  ),
  list: command({}, async ({ client, list }) => list(client.pages('/agents', Agent), fields)),
  revoke: command({ agent }, async ({ client, show }, flags) =>
    show(await client.call('POST', `/agents/${flags.agent}/revoke`, Agent), fields),
  ),
  drain: command({ agent, reason: Reason.optional() }, async ({ client, show }, flags) => {
    const { agent: one, reason } = flags;
    const order = reason === undefined ? undefined : { reason };
    await show(await client.call('POST', `/agents/${one}/drain`, Agent, order), fields);
  }),
  undrain: command({ agent }, async ({ client, show }, flags) =>
    show(await client.call('POST', `/agents/${flags.agent}/undrain`, Agent), fields),
  ),
  events: command({ agent }, async ({ client, list }, flags) =>
    list(client.pages(`/agents/${flags.agent}/events`, AgentEvent), eventFields),
  ),
  note: command({ agent, ...NewAgentNote.shape }, async ({ client, show }, { agent: of, text }) =>
    show(await client.call('POST', `/agents/${of}/notes`, AgentEvent, { text }), eventFields),
  ),
  /** `--csv` takes precedence over `--json`. */
  report: command(
    {
      agent: agent.optional(),
      from: Day.optional(),
      to: Day.optional(),
      csv: z.boolean().default(false),
    },
    async ({ client, list }, { agent: one, from, to, csv }) => {
      const path = one === undefined ? '/agents/report' : `/agents/${one}/report`;
      const pages = client.pages(path, HostReportEntry, { from, to });
      await (csv ? printCsv(pages, HostReportEntry.keyof().options) : list(pages, reportFields));
    },
  ),
};

function reportFields(entry: HostReportEntry) {
  return {
    day: entry.day,
    agent: entry.agent,
    name: entry.agent_name,
    model: entry.model,
    requests: entry.requests,
    errors: entry.errors,
    prompt: entry.prompt_tokens,
    cached: entry.cached_tokens,
    completion: entry.completion_tokens,
    'revenue (USD)': entry.revenue,
  };
}

function fields({ id, name, region, state, connected, created, last_seen }: Agent) {
  return { id, name, region, state, connected, created, 'last seen': last_seen };
}

function eventFields(event: AgentEvent) {
  const { created, action, worker, detail, before, count, actor, router } = event;
  return { created, action, worker, detail, before, count, actor, router };
}
