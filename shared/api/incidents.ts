/** Incidents, which operators write and the status page shows. */
import { z } from 'zod';
import { INCIDENT_STATES } from '../incidents.ts';
import { instant, PRINTED, PRINTED_FAULT } from './fields.ts';
import { IncidentIdText } from './ids.ts';
import { Region } from '../region.ts';

const IncidentState = z.enum(INCIDENT_STATES);
const title = z
  .string()
  .trim()
  .min(1, 'Enter a title.')
  .max(120, 'Enter at most 120 characters.')
  .regex(PRINTED, PRINTED_FAULT)
  .meta({ examples: ['Slow answers of one model'] });
const message = z
  .string()
  .trim()
  .min(1, 'Enter what customers should know.')
  .max(2_000, 'Enter at most 2,000 characters.')
  .regex(PRINTED, PRINTED_FAULT)
  .meta({ examples: ['Answers begin some seconds late. We are looking for the cause.'] });

export const IncidentPath = z.object({ incident: IncidentIdText });

export const NewIncident = z.strictObject({
  title,
  state: IncidentState.default('investigating'),
  models: z
    .array(z.string().min(1).max(401))
    .max(100)
    .default([])
    .describe('The ids of the affected models, which must be in the catalog. Empty: all models.')
    .meta({ examples: [['qwen/qwen3-235b-a22b-instruct-2507']] }),
  regions: z
    .array(Region)
    .max(3)
    .default([])
    .describe('The affected regions. Empty: all regions.')
    .meta({ examples: [['eu']] }),
  message: message.describe('The first update.'),
});
export type NewIncident = z.output<typeof NewIncident>;

export const NewIncidentUpdate = z.strictObject({
  state: IncidentState.describe('The state of the incident from now on.'),
  message,
});

export const Incident = z.object({
  id: z.string(),
  title: z.string(),
  state: IncidentState,
  models: z.array(z.string()),
  regions: z.array(Region),
  created: instant,
  resolved: instant.nullable().describe('Null while the incident is not resolved.'),
  updates: z
    .array(z.object({ state: IncidentState, message: z.string(), created: instant }))
    .describe('The newest first.'),
});
export type Incident = z.infer<typeof Incident>;

export const IncidentDeleted = z.object({ id: z.string(), deleted: z.literal(true) });
