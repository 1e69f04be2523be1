/** Models and their state as visitors see them. */
import { z } from 'zod';
import { count, instant } from './fields.ts';
import { INCIDENT_DAYS, INCIDENTS_MAX } from '../incidents.ts';
import {
  FIGURE_REQUESTS_MIN,
  FIGURE_SPANS,
  MODEL_STATES,
  OUTAGES_MAX,
  UPTIME_DAYS,
} from '../public-figures.ts';
import { Incident } from './incidents.ts';
import { Model } from './models.ts';
import { Region } from '../region-schema.ts';

const share = z.number().min(0).max(1);

export const ModelFigures = z.object({
  requests: count
    .nullable()
    .describe(
      'How many requests were answered or failed, rounded down to one significant digit. Those that ' +
        'the client cancelled, and those that were refused with a status of 4xx, are not counted.',
    ),
  success: share
    .nullable()
    .describe(
      'The share of these requests that were answered, rounded down to two digits if there are fewer than 10,000.',
    ),
  ttft_ms: z
    .object({ p50: z.number(), p95: z.number() })
    .nullable()
    .describe('Ms from the arrival of a request to its first token.'),
  speed: z
    .object({ p5: z.number(), p50: z.number(), p95: z.number() })
    .nullable()
    .describe(
      'Tokens per second of one answer, after its first token. 95 % of the answers are at least as ' +
        'fast as `p5`, and 95 % are at most as fast as `p95`.',
    ),
});
export type ModelFigures = z.infer<typeof ModelFigures>;

const uptime = share
  .nullable()
  .describe(
    'The share of the time in which a worker was ready to serve the model, since it was first served. ' +
      'Null before an hour has been measured.',
  );

const uptimeSince = instant
  .nullable()
  .describe(
    `Since when the uptime is measured, at most ${UPTIME_DAYS} days (UTC) with today. Null when nothing is known.`,
  );

const regionState = z.object({
  region: Region,
  state: z
    .enum(MODEL_STATES)
    .describe(
      '`operational`: requests are served. `degraded`: in the last ten minutes, a worker was ready for ' +
        'less than 95 % of the time, or less than 95 % of at least 20 requests were answered. ' +
        '`no_capacity`: no worker was ready to serve the model in the last minute that was recorded, ' +
        'or none is now. `no_data`: no router of the region has reported in the last ten minutes. ' +
        'A worker that is ready now makes no recorded state better.',
    ),
});
export type RegionState = z.infer<typeof regionState>;

export const PublicModel = Model.omit({ billed: true, agreed: true, available: true }).extend({
  regions: z.array(regionState),
  uptime: uptime,
  uptime_since: uptimeSince,
  figures: z
    .object({ hour: ModelFigures, day: ModelFigures, month: ModelFigures })
    .describe(
      'Of all regions together: of the last 60 minutes, of the last 24 hours from a full hour on, and of ' +
        `the last ${UPTIME_DAYS} days (UTC) with today, all of them up to \`as_of\`. A figure is null ` +
        `when fewer than ${FIGURE_REQUESTS_MIN} requests have it.`,
    ),
});
export type PublicModel = z.infer<typeof PublicModel>;

const asOf = instant.describe('The figures are of the time before this instant.');

export const PublicModels = z.object({ as_of: asOf, data: z.array(PublicModel) });
export type PublicModels = z.infer<typeof PublicModels>;

export const ModelHistory = z.object({
  as_of: asOf,
  model: z.string(),
  span: z.enum(FIGURE_SPANS),
  buckets: z
    .array(
      ModelFigures.pick({ ttft_ms: true, speed: true }).extend({
        start: instant.describe('When the bucket begins.'),
      }),
    )
    .describe(
      'Of all regions together, the oldest first, and the last one up to `as_of`: 12 of five minutes, ' +
        '24 of an hour, or 120 of six hours (UTC). A figure is null when fewer than ' +
        `${FIGURE_REQUESTS_MIN} requests of the bucket have it.`,
    ),
});
export type ModelHistory = z.infer<typeof ModelHistory>;

const modelStatus = z.object({
  id: z.string(),
  name: z.string(),
  regions: z.array(
    regionState.extend({
      uptime,
      uptime_since: uptimeSince,
      days: z
        .array(share.nullable())
        .describe(
          `The uptime of each of the last ${UPTIME_DAYS} days (UTC), the oldest first; the last one is ` +
            'today. Null before the model was first offered in the region.',
        ),
      outages: z
        .array(
          z.object({
            start: instant,
            end: instant,
            uptime: share.describe('The share of this time in which a worker was ready.'),
          }),
        )
        .describe(
          'The full hours (UTC) of these days in which a worker was ready for less than 99.9 % of the time, ' +
            `consecutive hours of a day together, the newest first, at most ${OUTAGES_MAX}. The ` +
            'outage itself may be shorter than its hours.',
        ),
    }),
  ),
});
export type ModelStatus = z.infer<typeof modelStatus>;

export const Status = z.object({
  as_of: asOf,
  models: z.array(modelStatus),
  incidents: z
    .array(Incident)
    .describe(
      `Incidents that are not resolved or began in the last ${INCIDENT_DAYS} days, the newest first, at ` +
        `most ${INCIDENTS_MAX}.`,
    ),
});
export type Status = z.infer<typeof Status>;
