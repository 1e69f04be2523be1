/** The dashboard for operators: is everything up, and is there room? */
import type { Plan } from './panels.ts';
import { quantile, rate } from './panels.ts';

const ROUTER = 'instance=~"$instance"';
const MODEL = 'instance=~"$instance",region=~"$region",model=~"$model"';
const byModel = (metric: string) => `max by (model, region) (${metric}{${MODEL}})`;

export const FLEET: Plan = {
  uid: 'penstock-fleet',
  title: 'Penstock: fleet',
  description: 'Routers, hosts, models and the store: is everything up, and is there room?',
  rows: {
    Now: [
      {
        title: 'Routers up',
        description: 'Routers whose metrics can be read.',
        unit: 'none',
        queries: { routers: 'sum(up{job="penstock-router"})' },
        stat: true,
      },
      {
        title: 'Agents up',
        description: 'Agents whose metrics can be read.',
        unit: 'none',
        queries: { agents: 'sum(up{job="penstock-agent"})' },
        stat: true,
      },
      {
        title: 'Store',
        description: '1: the store answered the last operation of every router.',
        unit: 'none',
        queries: { up: `min(penstock_router_store_up{${ROUTER}})` },
        stat: true,
      },
      {
        title: 'Models without a worker',
        description: 'Models of the catalog that no ready worker serves, in each region.',
        unit: 'none',
        queries: {
          '{{region}}': `count by (region) (${byModel('penstock_router_model_workers_ready')} == 0) or 0 * count by (region) (${byModel('penstock_router_model_workers_ready')})`,
        },
        stat: true,
      },
      {
        title: 'Oldest background job that is due',
        description: 'Emails, payments and invoices wait behind it.',
        unit: 's',
        queries: { age: 'max(penstock_router_jobs_oldest_due_seconds)' },
        stat: true,
      },
      {
        title: 'Versions',
        description: 'Processes of each version.',
        unit: 'none',
        queries: {
          '{{job}} {{version}}':
            'count by (job, version) ({__name__=~"penstock_(router|agent)_build_info"})',
        },
        stat: true,
      },
    ],
    Capacity: [
      {
        title: 'Ready workers',
        description:
          'Workers that take requests for a model, as the router that sees most reports.',
        unit: 'none',
        queries: { '{{model}} {{region}}': byModel('penstock_router_model_workers_ready') },
      },
      {
        title: 'Slots in use',
        description: 'The share of the requests that the workers may run at once.',
        unit: 'percentunit',
        queries: {
          '{{model}} {{region}}': `1 - ${byModel('penstock_router_model_slots_free')} / (${byModel('penstock_router_model_slots')} > 0)`,
        },
      },
      {
        title: 'Queued prefill of a worker',
        description: 'Seconds of prefill that wait on a worker of the model, on average.',
        unit: 's',
        queries: {
          '{{model}} {{region}}': `${byModel('penstock_router_model_prefill_queued_seconds')} / (${byModel('penstock_router_model_workers_ready')} > 0)`,
        },
      },
      {
        title: 'KV cache in use',
        description: 'The share of the KV cache of the workers, as their engines report it.',
        unit: 'percentunit',
        queries: {
          '{{model}} {{region}}': `1 - ${byModel('penstock_router_model_kv_tokens_free')} / (${byModel('penstock_router_model_kv_tokens')} > 0)`,
        },
      },
      {
        title: 'Requests that wait for room',
        description: 'Requests that wait because every worker of their model is full.',
        unit: 'none',
        queries: {
          '{{model}} {{region}}': `sum by (model, region) (penstock_router_requests_waiting{${MODEL}})`,
        },
      },
      {
        title: 'Requests in flight',
        description: 'Requests that were admitted and have not ended.',
        unit: 'none',
        queries: {
          '{{model}} {{region}}': `sum by (model, region) (penstock_router_requests_in_flight{${MODEL}})`,
        },
      },
    ],
    Hosts: [
      {
        title: 'Attempts',
        description: 'Attempts on each worker, by how they ended.',
        unit: 'reqps',
        queries: {
          '{{worker}} {{outcome}}': rate(
            'penstock_router_attempts_total',
            'worker, outcome',
            ROUTER,
          ),
        },
      },
      {
        title: 'Engines',
        description: '1: the agent reaches its engine.',
        unit: 'none',
        queries: { '{{instance}} {{engine}}': 'penstock_agent_engine_up' },
      },
      {
        title: 'Round trip of the links',
        description: 'Between a router and each of its agents.',
        unit: 's',
        queries: {
          '{{agent}}': `max by (agent) (penstock_router_link_round_trip_seconds{${ROUTER}})`,
        },
      },
      {
        title: 'Bytes on the links',
        description: 'What routers exchange with their agents.',
        unit: 'Bps',
        queries: { '{{direction}}': rate('penstock_router_link_bytes_total', 'direction', ROUTER) },
      },
      {
        title: 'Prefix cache of the engines',
        description: 'The share of the prompt tokens that an engine found in its cache.',
        unit: 'percentunit',
        queries: {
          '{{instance}} {{engine}}':
            'rate(penstock_agent_prefix_cache_hit_tokens_total[$__rate_interval]) / (rate(penstock_agent_prefix_cache_query_tokens_total[$__rate_interval]) > 0)',
        },
      },
      {
        title: 'GPUs',
        description: 'Use of the GPUs, as nvidia-smi reports it.',
        unit: 'percentunit',
        queries: { '{{instance}} {{gpu}}': 'penstock_agent_gpu_use_ratio' },
      },
    ],
    'Routers and store': [
      {
        title: 'Commit of a batch',
        description: 'How long the store takes to commit a batch of ledger operations.',
        unit: 's',
        queries: {
          '{{instance}} p50': quantile(
            0.5,
            'penstock_router_ledger_commit_seconds',
            'instance',
            ROUTER,
          ),
          '{{instance}} p99': quantile(
            0.99,
            'penstock_router_ledger_commit_seconds',
            'instance',
            ROUTER,
          ),
        },
      },
      {
        title: 'Age of the heartbeat',
        description: 'Beyond half of holdTtlMs a router takes no work.',
        unit: 's',
        queries: {
          '{{instance}}': `max by (instance) (penstock_router_heartbeat_age_seconds{${ROUTER}})`,
        },
      },
      {
        title: 'Clock',
        description: "A router's clock less the store's.",
        unit: 's',
        queries: {
          '{{instance}}': `max by (instance) (penstock_router_clock_offset_seconds{${ROUTER}})`,
        },
      },
      {
        title: 'CPU',
        description: 'Cores that each router and agent uses.',
        unit: 'none',
        queries: {
          '{{job}} {{instance}}':
            'sum by (job, instance) (rate(process_cpu_seconds_total{job=~"penstock-.*"}[$__rate_interval]))',
        },
      },
      {
        title: 'Memory',
        description: 'Resident memory of each router and agent.',
        unit: 'bytes',
        queries: {
          '{{job}} {{instance}}':
            'sum by (job, instance) (process_resident_memory_bytes{job=~"penstock-.*"})',
        },
      },
      {
        title: 'Delay of the event loop',
        description: 'The longest delay of a second, in the worst second of a hundred.',
        unit: 's',
        queries: {
          '{{instance}}': quantile(
            0.99,
            'penstock_router_event_loop_delay_seconds',
            'instance',
            ROUTER,
          ),
        },
      },
    ],
  },
};
