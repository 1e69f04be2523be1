/** The dashboard of money: what is billed, refused and doubtful. */
import type { Plan } from './panels.ts';
import { rate } from './panels.ts';

const ROUTER = 'instance=~"$instance"';
const MODEL = 'instance=~"$instance",region=~"$region",model=~"$model"';

export const MONEY: Plan = {
  uid: 'penstock-money',
  title: 'Penstock: money',
  description:
    'What is billed, what is refused for lack of credit, and which counts and payments are doubtful. The books themselves are in the store.',
  rows: {
    Charges: [
      {
        title: 'Charged USD',
        description: 'What answers are charged, in USD in a second.',
        unit: 'currencyUSD',
        queries: {
          '{{model}}': rate('penstock_router_charged_usd_total', 'model', MODEL),
        },
      },
      {
        title: 'Billed tokens',
        description: 'Tokens by their price: input that was not cached, cached input, output.',
        unit: 'none',
        queries: {
          '{{model}} {{kind}}': rate('penstock_router_tokens_total', 'model, kind', MODEL),
        },
      },
      {
        title: 'Replays',
        description:
          'Repeated requests that got the first answer under their Idempotency-Key, free of charge.',
        unit: 'reqps',
        queries: { '{{model}}': rate('penstock_router_replays_total', 'model', 'model=~"$model"') },
      },
    ],
    Credit: [
      {
        title: 'Holds',
        description: 'Holds on credit, of the requests in flight.',
        unit: 'none',
        queries: { '{{instance}}': `sum by (instance) (penstock_router_holds{${ROUTER}})` },
      },
      {
        title: 'Reservations',
        description: 'Requests for a hold, by what the ledger answered.',
        unit: 'reqps',
        queries: { '{{result}}': rate('penstock_router_reservations_total', 'result', ROUTER) },
      },
      {
        title: 'Refused reservations',
        description: 'The share of the reservations that were refused.',
        unit: 'percentunit',
        queries: {
          refused: `1 - sum(rate(penstock_router_reservations_total{${ROUTER},result="held"}[$__rate_interval])) / (sum(rate(penstock_router_reservations_total{${ROUTER}}[$__rate_interval])) > 0)`,
        },
      },
    ],
    Doubts: [
      {
        title: 'Clamps',
        description: 'Impossible counts of hosts that were clamped, in an hour.',
        unit: 'none',
        queries: {
          '{{what}}': `sum by (what) (increase(penstock_router_clamps_total{${ROUTER}}[1h]))`,
        },
      },
      {
        title: 'Audits',
        description: 'Answers whose counts were checked, in an hour.',
        unit: 'none',
        queries: {
          '{{how}}': `sum by (how) (increase(penstock_router_audits_total{${ROUTER}}[1h]))`,
        },
      },
      {
        title: 'Alarms of audits',
        description: "Alarms since the router's start: a host's counts do not fit its answers.",
        unit: 'none',
        queries: {
          '{{worker}} {{kind}}': `sum by (worker, kind) (penstock_router_agent_alarms_total{${ROUTER}})`,
        },
      },
      {
        title: 'Payment alarms',
        description:
          "Alarms since the router's start: undecided payments, failed refunds, and reports of the provider that cannot be right.",
        unit: 'none',
        queries: {
          '{{alarm}}': `sum by (alarm) (penstock_router_payment_alarms_total{${ROUTER}})`,
        },
      },
      {
        title: 'Events of the payment provider',
        description: 'Events by what became of them, in an hour.',
        unit: 'none',
        queries: {
          '{{result}}': `sum by (result) (increase(penstock_router_webhooks_total{${ROUTER}}[1h]))`,
        },
      },
      {
        title: 'Faults of the ledger',
        description:
          "Operations that failed because of a bug or damage in the store, since the router's start.",
        unit: 'none',
        queries: {
          '{{operation}}': `sum by (operation) (penstock_router_ledger_faults_total{${ROUTER}})`,
        },
      },
    ],
  },
};
