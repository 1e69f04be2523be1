/** Reads the queries of the addresses of operators' pages, by the rules of `search.ts`. */
import { SEARCH_CHARS_MAX } from '../../shared/bounds/search-chars.ts';
import { INCIDENT_TITLE_CHARS_MAX } from '../../shared/incidents.ts';
import { REGIONS } from '../../shared/region.ts';
import { ROUTER_STATES, type RouterState } from '../../shared/router-states.ts';
import { type KeysSearch, keysSearch } from './keys-search.ts';
import { type ActivitySearch, activitySearch } from './search.ts';
import { instant, matching, type Raw, oneOf, several, text } from './search-values.ts';

export const HISTORY_SPANS = ['hour', 'day', 'week', 'month'] as const;
export const HISTORY_GROUPINGS = ['model', 'region', 'agent'] as const;

export type HistorySearch = Readonly<{
  span?: (typeof HISTORY_SPANS)[number] | undefined;
  /** A range, in place of the span. */
  from?: string | undefined;
  to?: string | undefined;
  by?: (typeof HISTORY_GROUPINGS)[number] | undefined;
  model?: string | undefined;
  region?: string | undefined;
}>;

export function historySearch(raw: Raw): HistorySearch {
  return {
    span: oneOf(raw['span'], HISTORY_SPANS),
    from: instant(raw['from']),
    to: instant(raw['to']),
    by: oneOf(raw['by'], HISTORY_GROUPINGS),
    model: text(raw['model']),
    region: oneOf(raw['region'], REGIONS),
  };
}

export const WORKER_SORTS = [
  'attention',
  'name',
  'failed',
  'requests',
  'kv_use',
  'tokens',
] as const;
export type WorkerSort = (typeof WORKER_SORTS)[number];

export const HOST_SORTS = ['attention', 'name', 'failed'] as const;
export type HostSort = (typeof HOST_SORTS)[number];

export const HOST_LINKS = ['connected', 'lost', 'away', 'joining', 'revoked'] as const;
export type HostLink = (typeof HOST_LINKS)[number];

/**
 * `search` and `standing`: which workers are listed, and `sort` and `order`: how. `host` and `link`:
 * which hosts are, and `hosts_by` and `hosts_order`: how. The model narrows workers and history, and
 * the region all three.
 */
export type FleetSearch = HistorySearch &
  Readonly<{
    search?: string | undefined;
    standing?: 'ready' | 'draining' | 'troubled' | undefined;
    sort?: WorkerSort | undefined;
    order?: 'asc' | 'desc' | undefined;
    host?: string | undefined;
    link?: HostLink | undefined;
    hosts_by?: HostSort | undefined;
    hosts_order?: 'asc' | 'desc' | undefined;
  }>;

export function fleetSearch(raw: Raw): FleetSearch {
  return {
    ...historySearch(raw),
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    standing: oneOf(raw['standing'], ['ready', 'draining', 'troubled']),
    sort: oneOf(raw['sort'], WORKER_SORTS),
    order: oneOf(raw['order'], ['asc', 'desc']),
    host: text(raw['host'])?.slice(0, SEARCH_CHARS_MAX),
    link: oneOf(raw['link'], HOST_LINKS),
    hosts_by: oneOf(raw['hosts_by'], HOST_SORTS),
    hosts_order: oneOf(raw['hosts_order'], ['asc', 'desc']),
  };
}

/** `period`: what the reliability of the platform is of. An address without it shows an hour. */
export type PlatformSearch = Readonly<{ period?: 'day' | undefined }>;

export function platformSearch(raw: Raw): PlatformSearch {
  return { period: oneOf(raw['period'], ['day']) };
}

const ORGANIZATION_STATUSES = ['active', 'suspended', 'deleted'] as const;
const ORGANIZATION_SORTS = ['created', 'balance', 'spend', 'last_request'] as const;

/** As the API takes them. By default, the newest is the first. */
export type OrganizationsSearch = Readonly<{
  search?: string | undefined;
  status?: (typeof ORGANIZATION_STATUSES)[number] | undefined;
  credit?: 'left' | 'none' | undefined;
  billing?: 'prepaid' | 'invoiced' | undefined;
  region?: (typeof REGIONS)[number] | undefined;
  sort?: (typeof ORGANIZATION_SORTS)[number] | undefined;
  order?: 'asc' | 'desc' | undefined;
}>;

export function organizationsSearch(raw: Raw): OrganizationsSearch {
  return {
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    status: oneOf(raw['status'], ORGANIZATION_STATUSES),
    credit: oneOf(raw['credit'], ['left', 'none']),
    billing: oneOf(raw['billing'], ['prepaid', 'invoiced']),
    region: oneOf(raw['region'], REGIONS),
    sort: oneOf(raw['sort'], ORGANIZATION_SORTS),
    order: oneOf(raw['order'], ['asc', 'desc']),
  };
}

/** The views of an organization's page for operators. An address without a view shows the first. */
export const ORGANIZATION_VIEWS = ['overview', 'money', 'access', 'terms', 'audit'] as const;
export type OrganizationView = (typeof ORGANIZATION_VIEWS)[number];

export type OrganizationSearch = ActivitySearch &
  KeysSearch &
  Readonly<{ view?: OrganizationView | undefined }>;

export function organizationSearch(raw: Raw): OrganizationSearch {
  return {
    view: oneOf(raw['view'], ORGANIZATION_VIEWS),
    ...activitySearch(raw),
    ...keysSearch(raw),
  };
}

export const INVOICE_STATUSES = ['open', 'overdue', 'paid', 'void'] as const;
const INVOICE_SORTS = ['number', 'amount_due', 'due'] as const;

/** By default, the newest is the first. `month`: such as `2026-11`. */
export type InvoicesSearch = Readonly<{
  search?: string | undefined;
  status?: (typeof INVOICE_STATUSES)[number] | undefined;
  month?: string | undefined;
  sort?: (typeof INVOICE_SORTS)[number] | undefined;
  order?: 'asc' | 'desc' | undefined;
}>;

const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;

export function invoicesSearch(raw: Raw): InvoicesSearch {
  return {
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    status: oneOf(raw['status'], INVOICE_STATUSES),
    month: matching(raw['month'], MONTH),
    sort: oneOf(raw['sort'], INVOICE_SORTS),
    order: oneOf(raw['order'], ['asc', 'desc']),
  };
}

export const PAYMENT_STATUSES = [
  'failed',
  'expired',
  'open',
  'pending',
  'succeeded',
  'refunded',
  'refund_failed',
  'disputed',
] as const;
export const PAYMENT_PURPOSES = ['top-up', 'recharge', 'setup'] as const;

/** The newest is the first. `month`: in which it was started, such as `2026-11`. */
export type PaymentsSearch = Readonly<{
  search?: string | undefined;
  status?: (typeof PAYMENT_STATUSES)[number] | undefined;
  purpose?: (typeof PAYMENT_PURPOSES)[number] | undefined;
  month?: string | undefined;
}>;

export function paymentsSearch(raw: Raw): PaymentsSearch {
  return {
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    status: oneOf(raw['status'], PAYMENT_STATUSES),
    purpose: oneOf(raw['purpose'], PAYMENT_PURPOSES),
    month: matching(raw['month'], MONTH),
  };
}

const PERSON_STATUSES = ['active', 'unconfirmed', 'locked'] as const;

/** As the API takes them. By default, the newest is the first. */
export type PeopleSearch = Readonly<{
  search?: string | undefined;
  status?: (typeof PERSON_STATUSES)[number] | undefined;
  operator?: 'yes' | 'no' | undefined;
  second_factor?: 'on' | 'off' | undefined;
  sort?: 'created' | 'last_sign_in' | undefined;
  order?: 'asc' | 'desc' | undefined;
}>;

export function peopleSearch(raw: Raw): PeopleSearch {
  return {
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    status: oneOf(raw['status'], PERSON_STATUSES),
    operator: oneOf(raw['operator'], ['yes', 'no']),
    second_factor: oneOf(raw['second_factor'], ['on', 'off']),
    sort: oneOf(raw['sort'], ['created', 'last_sign_in']),
    order: oneOf(raw['order'], ['asc', 'desc']),
  };
}

/** The form of a new incident, filled in by the link that leads to it. */
export type IncidentsSearch = Readonly<{
  report?: true | undefined;
  title?: string | undefined;
  /** The start of the incident, such as `2026-11-21T08:30Z`. */
  started?: string | undefined;
  models?: string | undefined;
  regions?: string | undefined;
}>;

export function incidentsSearch(raw: Raw): IncidentsSearch {
  return {
    report: raw['report'] === true ? true : undefined,
    title: text(raw['title'])?.slice(0, INCIDENT_TITLE_CHARS_MAX),
    started: instant(raw['started']),
    models: several(raw['models']),
    regions: several(raw['regions'], REGIONS),
  };
}

const JOB_STATES = ['failed', 'waiting', 'running', 'done'] as const;

export type JobsSearch = Readonly<{
  state?: (typeof JOB_STATES)[number] | undefined;
  kind?: string | undefined;
  search?: string | undefined;
}>;

export function jobsSearch(raw: Raw): JobsSearch {
  return {
    state: oneOf(raw['state'], JOB_STATES),
    kind: text(raw['kind']),
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
  };
}

/** `search` and `severity` narrow the list of runbooks. */
export type RunbooksSearch = Readonly<{
  search?: string | undefined;
  severity?: 'page' | 'ticket' | undefined;
}>;

export function runbooksSearch(raw: Raw): RunbooksSearch {
  return {
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    severity: oneOf(raw['severity'], ['page', 'ticket']),
  };
}

export const ROUTER_SORTS = [
  'name',
  'started',
  'requests',
  'errors',
  'tokens',
  'store',
  'memory',
] as const;

/** By default, the one that started last is the first. */
export type RoutersSearch = Readonly<{
  search?: string | undefined;
  state?: RouterState | undefined;
  region?: (typeof REGIONS)[number] | undefined;
  sort?: (typeof ROUTER_SORTS)[number] | undefined;
  order?: 'asc' | 'desc' | undefined;
}>;

export function routersSearch(raw: Raw): RoutersSearch {
  return {
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    state: oneOf(raw['state'], ROUTER_STATES),
    region: oneOf(raw['region'], REGIONS),
    sort: oneOf(raw['sort'], ROUTER_SORTS),
    order: oneOf(raw['order'], ['asc', 'desc']),
  };
}

/** `span`: how long the history of the router is. An address without it shows an hour. */
export type RouterSearch = Readonly<{
  span?: 'day' | 'week' | undefined;
  /** A range, in place of the span. */
  from?: string | undefined;
  to?: string | undefined;
}>;

export function routerSearch(raw: Raw): RouterSearch {
  return {
    span: oneOf(raw['span'], ['day', 'week']),
    from: instant(raw['from']),
    to: instant(raw['to']),
  };
}
