/** Agents and what their hosts did, in the management API. */
import { z } from 'zod';
import { Region } from '../wire/messages.ts';
import { Name, RegionName, count, instant, usd } from './fields.ts';
import { page } from './pages.ts';

export const NewAgent = z.strictObject({ name: Name, region: RegionName.default('global') });

export const Agent = z.object({
  id: z.string(),
  name: z.string(),
  region: Region,
  state: z.enum(['enrolling', 'enrolled', 'revoked']),
  /** Whether this router has a link to it. */
  connected: z.boolean(),
  created: instant,
  last_seen: instant.nullable(),
});
export type Agent = z.infer<typeof Agent>;
export const AgentPage = page(Agent);

/** The answer to an enrolment, and the only one that has the join token. */
export const EnrolledAgent = Agent.extend({ join_token: z.string(), expires: instant });

/** A day in UTC, as `2026-11-21`. */
export const Day = z.iso.date('is a day such as 2026-11-21');

/** What one host did of one model in one day (UTC), by when its requests arrived. No customer stands in it. */
export const HostReportEntry = z.object({
  day: Day,
  /** Null: requests that reached no host. */
  agent: z.string().nullable(),
  agent_name: z.string().nullable(),
  model: z.string(),
  requests: count,
  /** Those of them that failed on our side: a status of 500 or more. */
  errors: count,
  /** Tokens that were billed. */
  prompt_tokens: count,
  /** Those of the prompt that were billed at the cached rate. */
  cached_tokens: count,
  completion_tokens: count,
  /** What customers were charged for them, less what was given back. */
  revenue: usd,
});
export type HostReportEntry = z.infer<typeof HostReportEntry>;
export const HostReportPage = page(HostReportEntry);

/** Both days belong to the period; this month so far if neither is given. A page is a day, the oldest first. */
export const HostReportQuery = z.strictObject({
  from: Day.optional(),
  to: Day.optional(),
  after: Day.optional(),
  /** Taken as every list takes it; a day is never cut. */
  limit: z.string().optional(),
});
