/** Incidents, which operators write and the status page shows. */
import { z } from 'zod';
import { INCIDENT_STATES, INCIDENT_TITLE_CHARS_MAX } from '../incidents.ts';
import { instant, linesOf, PRINTED, PRINTED_FAULT } from './fields.ts';
import { IncidentIdText } from './ids.ts';
import { Region } from '../region-schema.ts';

const IncidentState = z.enum(INCIDENT_STATES);
const title = z
  .string()
  .trim()
  .min(1, 'Enter a title.')
  .max(INCIDENT_TITLE_CHARS_MAX, `Enter at most ${INCIDENT_TITLE_CHARS_MAX} characters.`)
  .regex(PRINTED, PRINTED_FAULT)
  .meta({ examples: ['Slow answers of one model'] });
const message = linesOf(2_000, 'Enter what customers should know.').meta({
  description: 'It may have line breaks.',
  examples: ['Answers begin some seconds late. We are looking for the cause.'],
});

export const IncidentPath = z.object({ incident: IncidentIdText });

const models = z
  .array(z.string().min(1).max(401))
  .max(100)
  .describe('The ids of the affected models, which must be in the catalog. Empty: all models.')
  .meta({ examples: [['qwen/qwen3-235b-a22b-instruct-2507']] });
const regions = z
  .array(Region)
  .max(3)
  .describe('The affected regions. Empty: all regions.')
  .meta({ examples: [['eu']] });

/** In ms since the epoch. */
const started = instant
  .describe(
    'When the incident began: at most 90 days ago, and not after its first update. Without it, it began when it was reported.',
  )
  .meta({ examples: ['2026-11-21T08:30:00.000Z'] })
  .transform((text) => Date.parse(text));

export const NewIncident = z.strictObject({
  title,
  started: started.optional(),
  state: IncidentState.default('investigating'),
  models: models.default([]),
  regions: regions.default([]),
  message: message.describe('The first update. It may have line breaks.'),
});
export type NewIncident = z.output<typeof NewIncident>;

export const NewIncidentUpdate = z.strictObject({
  state: IncidentState.describe('The state of the incident from now on.'),
  message,
});

/** What is left out stays. The state changes with an update. */
export const IncidentCorrection = z
  .strictObject({
    title: title.optional(),
    started: started.optional(),
    models: models.optional(),
    regions: regions.optional(),
    message: message.optional().describe('The text of the newest update. It may have line breaks.'),
  })
  .refine((fields) => Object.keys(fields).length > 0, 'Enter what is to be corrected.');
export type IncidentCorrection = z.output<typeof IncidentCorrection>;

export const Incident = z.object({
  id: z.string(),
  title: z.string(),
  state: IncidentState,
  models: z.array(z.string()),
  regions: z.array(Region),
  created: instant.describe('When the incident began.'),
  resolved: instant.nullable().describe('Null while the incident is not resolved.'),
  updates: z
    .array(z.object({ state: IncidentState, message: z.string(), created: instant }))
    .describe('The newest first.'),
});
export type Incident = z.infer<typeof Incident>;

/** What everybody who is signed in is told of an incident that is not resolved. */
export const OpenIncident = Incident.pick({
  id: true,
  title: true,
  state: true,
  models: true,
  regions: true,
  created: true,
}).extend({ updated: instant.describe('When its last update was written.') });
export type OpenIncident = z.infer<typeof OpenIncident>;
export const OpenIncidents = z.object({
  data: z.array(OpenIncident).describe('The newest first.'),
});

/** An incident as operators see it. */
export const WrittenIncident = Incident.extend({
  updates: z
    .array(
      Incident.shape.updates.element.extend({
        author: z
          .object({
            id: z.string(),
            name: z.string().nullable().describe('Null for a person who was erased.'),
          })
          .nullable()
          .describe('Who wrote it. Null if the audit log does not say.'),
      }),
    )
    .describe('The newest first.'),
});
export type WrittenIncident = z.infer<typeof WrittenIncident>;
export const WrittenIncidents = z.object({ data: z.array(WrittenIncident) });

export const IncidentDeleted = z.object({ id: z.string(), deleted: z.literal(true) });
