/** The dashboard of what customers experience: errors, waiting and speed. */
import type { Plan } from './panels.ts';
import { quantile, rate } from './panels.ts';

const MODEL = 'instance=~"$instance",region=~"$region",model=~"$model"';
const RECORDED = 'region=~"$region",model=~"$model"';
const TTFT = 'penstock_router_time_to_first_token_seconds';
const GAP = 'penstock_router_inter_token_seconds';

/** Three quantiles of a histogram, by model. */
function spread(histogram: string): Record<string, string> {
  return {
    '{{model}} p50': quantile(0.5, histogram, 'model', MODEL),
    '{{model}} p95': quantile(0.95, histogram, 'model', MODEL),
    '{{model}} p99': quantile(0.99, histogram, 'model', MODEL),
  };
}

export const EXPERIENCE: Plan = {
  uid: 'penstock-experience',
  title: "Penstock: customers' experience",
  description: 'What customers get: errors, waiting and speed, by model and region.',
  rows: {
    Objectives: [
      {
        title: 'Failed requests',
        description:
          'The share of the requests that are not the fault of their client and end with a 5xx. The objective is 0.1 %.',
        unit: 'percentunit',
        queries: {
          '{{model}} {{region}}': `model_region:penstock_errors:ratio_rate5m{${RECORDED}}`,
        },
      },
      {
        title: 'Late first tokens',
        description:
          'The share of the answers that begin later than 5 s after their request. The objective is 1 %.',
        unit: 'percentunit',
        queries: {
          '{{model}} {{region}}': `model_region:penstock_late_first_tokens:ratio_rate5m{${RECORDED}}`,
        },
      },
      {
        title: 'Error budget spent in three days',
        description:
          'The share of the budget of 30 days that failed requests spent within three days.',
        unit: 'percentunit',
        queries: {
          '{{model}} {{region}}': `model_region:penstock_errors:ratio_rate3d{${RECORDED}} / 0.001 * 3 / 30`,
        },
      },
    ],
    Requests: [
      {
        title: 'Requests',
        description: 'Requests by status. 499: the client left.',
        unit: 'reqps',
        queries: { '{{status}}': rate('penstock_router_requests_total', 'status', MODEL) },
      },
      {
        title: 'Errors',
        description: 'Requests that ended with an error, by its code (docs/errors.md).',
        unit: 'reqps',
        queries: {
          '{{code}}': rate('penstock_router_requests_total', 'code', `${MODEL},code!=""`),
        },
      },
      {
        title: 'Refused keys',
        description: 'Requests with a 401, by the reason.',
        unit: 'reqps',
        queries: {
          '{{cause}}': rate(
            'penstock_router_keys_refused_total',
            'cause',
            'instance=~"$instance",region=~"$region"',
          ),
        },
      },
      {
        title: 'Failovers',
        description:
          'Attempts that failed and were repeated on another worker, so that no customer noticed.',
        unit: 'reqps',
        queries: {
          '{{model}} {{reason}}': rate('penstock_router_failovers_total', 'model, reason', MODEL),
        },
      },
    ],
    Speed: [
      {
        title: 'Time to first token',
        description: 'From the arrival of a request to the first token of its answer.',
        unit: 's',
        queries: spread(TTFT),
      },
      {
        title: 'Time between tokens',
        description: 'The mean time between the tokens of an answer.',
        unit: 's',
        queries: spread(GAP),
      },
      {
        title: 'Duration',
        description: 'From the arrival of a request to the end of its answer.',
        unit: 's',
        queries: spread('penstock_router_request_duration_seconds'),
      },
      {
        title: 'Wait for a worker',
        description: 'How long requests waited that had to wait, because every worker was full.',
        unit: 's',
        queries: {
          '{{model}} p95': quantile(0.95, 'penstock_router_waiting_seconds', 'model', MODEL),
        },
      },
      {
        title: 'Time that the ledger adds',
        description: 'Holding credit before the answer, and charging before its last bytes.',
        unit: 's',
        queries: {
          'admission p99': quantile(
            0.99,
            'penstock_router_admission_seconds',
            'instance',
            'instance=~"$instance"',
          ),
          'settlement p99': quantile(
            0.99,
            'penstock_router_settlement_seconds',
            'instance',
            'instance=~"$instance"',
          ),
        },
      },
      {
        title: 'Cached prompt tokens',
        description:
          'The share of the prompt tokens that came from a prefix cache: at best, on the chosen worker, and as reported.',
        unit: 'percentunit',
        queries: {
          '{{source}}': `${rate('penstock_router_cached_tokens_total', 'source', MODEL)} / ignoring (source) group_left sum(rate(penstock_router_prompt_tokens_total{${MODEL}}[$__rate_interval]))`,
        },
      },
    ],
  },
};
