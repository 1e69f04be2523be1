/**
 * Reads the queries of page addresses. People edit them, and strangers write links with them, so
 * invalid values are left out without an error. The router lays what these functions return over
 * the query as it stands in the address. So each function returns every parameter of its page, as
 * undefined if it is missing or invalid: a parameter left out would keep its invalid value. The
 * router writes no undefined parameter into an address.
 */
import { INCIDENT_TITLE_CHARS_MAX } from '../../shared/incidents.ts';
import { FILTER_VALUES_MAX } from '../../shared/bounds/filter-values.ts';
import { SEARCH_CHARS_MAX } from '../../shared/bounds/search-chars.ts';
import { REQUEST_STATUSES, STATUS_CLASSES } from '../../shared/request-statuses.ts';

type Raw = Readonly<Record<string, unknown>>;

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function oneOf<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/**
 * The values of a filter, which an address has as one text with commas between them. The id of a
 * model may have a comma itself, which stands there as `%2C`.
 */
export function valuesOf(filter: string | undefined): readonly string[] {
  if (filter === undefined) return [];
  return filter.split(',').map((value) => value.replaceAll('%2C', ',').replaceAll('%25', '%'));
}

/** The text that an address has for values of a filter. Undefined: the filter has none. */
export function filterOf(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.map(filterOfOne).join(',');
}

export function filterOfOne(value: string): string {
  return value.replaceAll('%', '%25').replaceAll(',', '%2C');
}

/** `2026-11-21T08:30Z`, also with seconds. */
function instant(value: unknown): string | undefined {
  const given = text(value);
  const isInstant =
    given !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{3})?)?Z$/.test(given);
  return isInstant && !Number.isNaN(Date.parse(given)) ? given : undefined;
}

/** Reads a filter that takes several values, which may have to be among `choices`. */
function several(value: unknown, choices?: readonly string[]): string | undefined {
  const valid = valuesOf(text(value)).filter(
    (one) => one !== '' && (choices === undefined || choices.includes(one)),
  );
  return filterOf([...new Set(valid)].slice(0, FILTER_VALUES_MAX));
}

export type SignInSearch = Readonly<{ next?: string | undefined }>;

/** `next` is a path of this dashboard, never an address of another site. */
export function signInSearch(raw: Raw): SignInSearch {
  const next = text(raw['next']);
  // Browsers read "//example.org" as an address of another site. They read a backslash as a slash,
  // and drop tabs and newlines.
  const isPath = next !== undefined && /^\/(?![/\\\s])/.test(next);
  return { next: isPath ? next : undefined };
}

/** The search of the sign-in page that leads back to `href`. Everybody gets to `/` without it. */
export function returningTo(href: string): SignInSearch {
  // A fragment may have a chat of the playground, which no server should receive.
  const [next = href] = href.split('#', 1);
  return next === '/' ? {} : { next };
}

/** Operations of operators are hidden from everybody else unless the address asks for them. */
export type ApiReferenceSearch = Readonly<{ operators?: true | undefined }>;

export function apiReferenceSearch(raw: Raw): ApiReferenceSearch {
  return { operators: raw['operators'] === undefined ? undefined : true };
}

/** Revoked keys are hidden unless the address asks for them. */
export type KeysSearch = Readonly<{ revoked?: 'shown' | undefined }>;

export function keysSearch(raw: Raw): KeysSearch {
  return { revoked: oneOf(raw['revoked'], ['shown']) };
}

/** The views of the billing page. An address without a view shows the first. */
export const BILLING_VIEWS = [
  'credit',
  'activity',
  'transfers',
  'payments',
  'statements',
  'alerts',
] as const;
export type BillingView = (typeof BILLING_VIEWS)[number];

/** The types of transfers to filter by, each of one or several kinds. */
export const TRANSFER_TYPES = ['payments', 'credits', 'refunds', 'reversals', 'usage'] as const;
export type TransferType = (typeof TRANSFER_TYPES)[number];

/** Filters of transfers. `type` may have several values, as `valuesOf` reads them. */
export type TransfersSearch = Readonly<{ type?: string | undefined }>;

export type BillingSearch = TransfersSearch &
  Readonly<{
    view?: BillingView | undefined;
    payment?: string | undefined;
    checkout?: 'done' | 'left' | undefined;
  }>;

export function billingSearch(raw: Raw): BillingSearch {
  return {
    view: oneOf(raw['view'], BILLING_VIEWS),
    type: several(raw['type'], TRANSFER_TYPES),
    payment: text(raw['payment']),
    checkout: oneOf(raw['checkout'], ['done', 'left']),
  };
}

/**
 * `model` and `with`, separated by commas, are the models that answer. `chat` is the id of a chat
 * that the browser keeps.
 */
export type PlaygroundSearch = Readonly<{
  model?: string | undefined;
  with?: string | undefined;
  chat?: string | undefined;
}>;

export function playgroundSearch(raw: Raw): PlaygroundSearch {
  return {
    model: text(raw['model']),
    with: text(raw['with']),
    chat: text(raw['chat']),
  };
}

export const RANGES = ['1h', '24h', '7d', '30d', '90d', '365d'] as const;
export const BUCKETS = ['minute', 'hour', 'day', 'month'] as const;
export const GROUPINGS = ['model', 'key', 'member', 'source'] as const;
export const MEASURES = [
  'cost',
  'requests',
  'tokens',
  'errors',
  'cached',
  'ttft',
  'duration',
  'speed',
] as const;

const SOURCES = ['api', 'playground'] as const;

export const LOG_RANGES = ['1h', '24h', '7d', '30d'] as const;

/** Filters may have several values, as `valuesOf` reads them. */
export type LogsSearch = Readonly<{
  range?: (typeof LOG_RANGES)[number] | undefined;
  /** Instants in UTC instead of a range. Without `to`, the time goes on up to now. */
  from?: string | undefined;
  to?: string | undefined;
  status?: string | undefined;
  code?: string | undefined;
  key?: string | undefined;
  model?: string | undefined;
  member?: string | undefined;
  source?: string | undefined;
  live?: true | undefined;
}>;

export function logsSearch(raw: Raw): LogsSearch {
  return {
    range: oneOf(raw['range'], LOG_RANGES),
    from: instant(raw['from']),
    to: instant(raw['to']),
    status: several(raw['status'], REQUEST_STATUSES),
    code: several(raw['code']),
    key: several(raw['key']),
    model: several(raw['model']),
    member: several(raw['member']),
    source: several(raw['source'], SOURCES),
    live: raw['live'] === true ? true : undefined,
  };
}

/** Filters may have several values, as `valuesOf` reads them. */
export type UsageSearch = Readonly<{
  range?: (typeof RANGES)[number] | undefined;
  /** Days in UTC, both included, instead of a range. */
  from?: string | undefined;
  to?: string | undefined;
  bucket?: (typeof BUCKETS)[number] | undefined;
  group?: (typeof GROUPINGS)[number] | undefined;
  measure?: (typeof MEASURES)[number] | undefined;
  model?: string | undefined;
  key?: string | undefined;
  member?: string | undefined;
  source?: string | undefined;
  status?: string | undefined;
}>;

export function usageSearch(raw: Raw): UsageSearch {
  const day = (value: unknown) => {
    const found = text(value);
    return found !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(found) ? found : undefined;
  };
  return {
    range: oneOf(raw['range'], RANGES),
    from: day(raw['from']),
    to: day(raw['to']),
    bucket: oneOf(raw['bucket'], BUCKETS),
    group: oneOf(raw['group'], GROUPINGS),
    measure: oneOf(raw['measure'], MEASURES),
    model: several(raw['model']),
    key: several(raw['key']),
    member: several(raw['member']),
    source: several(raw['source'], SOURCES),
    status: several(raw['status'], STATUS_CLASSES),
  };
}

const REGIONS = ['global', 'us', 'eu'] as const;

export const HISTORY_SPANS = ['hour', 'day', 'week', 'month'] as const;
export const HISTORY_GROUPINGS = ['model', 'region', 'agent'] as const;

export type HistorySearch = Readonly<{
  span?: (typeof HISTORY_SPANS)[number] | undefined;
  by?: (typeof HISTORY_GROUPINGS)[number] | undefined;
  model?: string | undefined;
  region?: string | undefined;
}>;

export function historySearch(raw: Raw): HistorySearch {
  return {
    span: oneOf(raw['span'], HISTORY_SPANS),
    by: oneOf(raw['by'], HISTORY_GROUPINGS),
    model: text(raw['model']),
    region: oneOf(raw['region'], REGIONS),
  };
}

export const MODEL_ORDERS = [
  'prompt',
  'completion',
  'context',
  'ttft',
  'speed',
  'uptime',
  'newest',
] as const;
export const FIGURE_SPANS = ['hour', 'day', 'month'] as const;

/** `compare`: ids of models, separated by commas. */
export type CatalogSearch = Readonly<{
  sort?: (typeof MODEL_ORDERS)[number] | undefined;
  span?: (typeof FIGURE_SPANS)[number] | undefined;
  compare?: string | undefined;
}>;

export function catalogSearch(raw: Raw): CatalogSearch {
  return {
    sort: oneOf(raw['sort'], MODEL_ORDERS),
    span: oneOf(raw['span'], FIGURE_SPANS),
    compare: text(raw['compare']),
  };
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

export type OrganizationSearch = TransfersSearch &
  Readonly<{ view?: OrganizationView | undefined }>;

export function organizationSearch(raw: Raw): OrganizationSearch {
  return {
    view: oneOf(raw['view'], ORGANIZATION_VIEWS),
    type: several(raw['type'], TRANSFER_TYPES),
  };
}

export const INVOICE_STATUSES = ['open', 'overdue', 'paid', 'void'] as const;
const INVOICE_SORTS = ['number', 'amount_due', 'due'] as const;

/** By default, the newest is the first. `month`: such as `2026-11`. */
export type InvoicesSearch = Readonly<{
  status?: (typeof INVOICE_STATUSES)[number] | undefined;
  month?: string | undefined;
  sort?: (typeof INVOICE_SORTS)[number] | undefined;
  order?: 'asc' | 'desc' | undefined;
}>;

export function invoicesSearch(raw: Raw): InvoicesSearch {
  const month = text(raw['month']);
  return {
    status: oneOf(raw['status'], INVOICE_STATUSES),
    month: month !== undefined && /^20\d{2}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    sort: oneOf(raw['sort'], INVOICE_SORTS),
    order: oneOf(raw['order'], ['asc', 'desc']),
  };
}

export const AUDIT_RANGES = ['24h', '7d', '30d'] as const;

/**
 * `kind`: the kind of the changes. `actor`: the id of a person or of a management token.
 * `organization`: only in the log of the platform.
 */
export type AuditSearch = Readonly<{
  kind?: string | undefined;
  actor?: string | undefined;
  range?: (typeof AUDIT_RANGES)[number] | undefined;
  organization?: string | undefined;
}>;

export function auditSearch(raw: Raw): AuditSearch {
  const matching = (value: unknown, pattern: RegExp) => {
    const found = text(value);
    return found !== undefined && pattern.test(found) ? found : undefined;
  };
  return {
    kind: matching(raw['kind'], /^[a-z-]{1,40}$/),
    actor: matching(raw['actor'], /^(per|mtk)_[0-9a-hjkmnp-tv-z]{26}$/),
    range: oneOf(raw['range'], AUDIT_RANGES),
    organization: matching(raw['organization'], /^org_[0-9a-hjkmnp-tv-z]{26}$/),
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
  models?: string | undefined;
  regions?: string | undefined;
}>;

export function incidentsSearch(raw: Raw): IncidentsSearch {
  return {
    report: raw['report'] === true ? true : undefined,
    title: text(raw['title'])?.slice(0, INCIDENT_TITLE_CHARS_MAX),
    models: several(raw['models']),
    regions: several(raw['regions'], ['global', 'us', 'eu']),
  };
}

const JOB_STATES = ['failed', 'waiting', 'running', 'done'] as const;

export type JobsSearch = Readonly<{
  state?: (typeof JOB_STATES)[number] | undefined;
  kind?: string | undefined;
}>;

export function jobsSearch(raw: Raw): JobsSearch {
  return { state: oneOf(raw['state'], JOB_STATES), kind: text(raw['kind']) };
}
