/**
 * Reads the queries of page addresses. People edit them, and strangers write links with them, so
 * invalid values are left out without an error. The router lays what these functions return over
 * the query as it stands in the address. So each function returns every parameter of its page, as
 * undefined if it is missing or invalid: a parameter left out would keep its invalid value. The
 * router writes no undefined parameter into an address.
 */
import { SEARCH_CHARS_MAX } from '../../shared/bounds/search-chars.ts';
import { type Region, REGIONS } from '../../shared/region.ts';
import { FIGURE_SPANS, type FigureSpan } from '../../shared/public-figures.ts';
import { REQUEST_STATUSES, STATUS_CLASSES } from '../../shared/request-statuses.ts';
import { DELIVERY_STATES, TEST_EVENT, WEBHOOK_EVENTS } from '../../shared/webhook-events.ts';
import {
  type Raw,
  filterOf,
  instant,
  matching,
  oneOf,
  several,
  text,
  valuesOf,
} from './search-values.ts';

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

/** The views of the billing page. An address without a view shows the first. */
export const BILLING_VIEWS = ['credit', 'activity', 'payments', 'statements', 'budget'] as const;
export type BillingView = (typeof BILLING_VIEWS)[number];

/** What the activity can be narrowed to. An address without it shows everything, by day. */
const ACTIVITY_FILTERS = ['usage', 'payments'] as const;
export type ActivityFilter = (typeof ACTIVITY_FILTERS)[number];

/** What payments and corrections can be narrowed to. */
export const ACTIVITY_CAUSES = ['payment', 'refund', 'welcome', 'adjustment'] as const;
export type ActivityCause = (typeof ACTIVITY_CAUSES)[number];

/** `cause`: the causes of payments and corrections, separated by commas. Without it, all of them. */
export type ActivitySearch = Readonly<{
  show?: ActivityFilter | undefined;
  cause?: string | undefined;
}>;

export function activitySearch(raw: Raw): ActivitySearch {
  const show = oneOf(raw['show'], ACTIVITY_FILTERS);
  const cause = show === 'payments' ? filterOf(causesOf(text(raw['cause']))) : undefined;
  return { show, cause };
}

/** The known causes of a filter, in their usual order. */
export function causesOf(filter: string | undefined): readonly ActivityCause[] {
  const values = valuesOf(filter);
  return ACTIVITY_CAUSES.filter((cause) => values.includes(cause));
}

export type BillingSearch = ActivitySearch &
  Readonly<{
    view?: BillingView | undefined;
    payment?: string | undefined;
    checkout?: 'done' | 'left' | undefined;
    /** Only former addresses have it. */
    type?: undefined;
  }>;

export function billingSearch(raw: Raw): BillingSearch {
  const isFormer = raw['view'] === FORMER_VIEW;
  const view = raw['view'] === FORMER_BUDGET ? 'budget' : oneOf(raw['view'], BILLING_VIEWS);
  return {
    view: isFormer ? 'activity' : view,
    ...(isFormer ? { show: formerFilter(raw['type']) } : activitySearch(raw)),
    type: undefined,
    payment: text(raw['payment']),
    checkout: oneOf(raw['checkout'], ['done', 'left']),
  };
}

/** A view of earlier versions. It had types of transfers, which left out charges by default. */
const FORMER_VIEW = 'transfers';
/** How earlier versions, and the emails that they sent, named the view of the budget. */
const FORMER_BUDGET = 'alerts';
const FORMER_USAGE_TYPES: readonly string[] = ['usage', 'reversals'];

function formerFilter(type: unknown): ActivityFilter | undefined {
  const types = valuesOf(text(type));
  const isUsage = (one: string) => FORMER_USAGE_TYPES.includes(one);
  if (types.length > 0 && types.every(isUsage)) return 'usage';
  return types.includes('usage') ? undefined : 'payments';
}

const DELIVERY_TYPES = [...WEBHOOK_EVENTS, TEST_EVENT] as const;

/** What the deliveries of a webhook endpoint are narrowed to. */
export type WebhookSearch = Readonly<{
  state?: (typeof DELIVERY_STATES)[number] | undefined;
  type?: (typeof DELIVERY_TYPES)[number] | undefined;
}>;

export function webhookSearch(raw: Raw): WebhookSearch {
  return {
    state: oneOf(raw['state'], DELIVERY_STATES),
    type: oneOf(raw['type'], DELIVERY_TYPES),
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

export const RANGES = ['1h', '24h', '7d', '30d', '90d', '12mo'] as const;
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

export const MODEL_FEATURES = ['image', 'tools', 'json_mode', 'reasoning'] as const;
/** The fewest tokens of context, and how an address names them. */
export const CONTEXTS_MIN = {
  '32k': 32_000,
  '128k': 128_000,
  '200k': 200_000,
  '1m': 1_000_000,
} as const;
export type ContextMin = keyof typeof CONTEXTS_MIN;
const CONTEXT_NAMES = Object.keys(CONTEXTS_MIN) as readonly ContextMin[];
export const MODEL_ORDERS = [
  'name',
  'context',
  'prompt',
  'cached',
  'completion',
  'ttft',
  'speed',
  'uptime',
  'newest',
] as const;

/**
 * `can`: features that a model must have; several values, as `valuesOf` reads them. `context`: the
 * fewest tokens of context. `region`: where a model is served now. `compare`: ids of models,
 * separated by commas.
 */
export type CatalogSearch = Readonly<{
  search?: string | undefined;
  can?: string | undefined;
  context?: ContextMin | undefined;
  region?: Region | undefined;
  sort?: (typeof MODEL_ORDERS)[number] | undefined;
  /** `reversed`: the other way round than people usually want. */
  order?: 'reversed' | undefined;
  span?: FigureSpan | undefined;
  compare?: string | undefined;
}>;

export function catalogSearch(raw: Raw): CatalogSearch {
  return {
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    can: several(raw['can'], MODEL_FEATURES),
    context: oneOf(raw['context'], CONTEXT_NAMES),
    region: oneOf(raw['region'], REGIONS),
    sort: oneOf(raw['sort'], MODEL_ORDERS),
    order: oneOf(raw['order'], ['reversed']),
    span: oneOf(raw['span'], FIGURE_SPANS),
    compare: text(raw['compare']),
  };
}

/** `span`: the time of the charts. */
export type ModelSearch = Readonly<{ span?: FigureSpan | undefined }>;

export function modelSearch(raw: Raw): ModelSearch {
  return { span: oneOf(raw['span'], FIGURE_SPANS) };
}

export const AUDIT_RANGES = ['24h', '7d', '30d'] as const;

/** The id of an object of any kind. */
export const OBJECT_ID = /^(?:[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}|key_[0-9A-Za-z]{12})$/;

/**
 * Filters may have several values, as `valuesOf` reads them. `kind`: kinds of changes. `actor`: the ids
 * of people and of management tokens. `target`: the id of what was changed. `organization`: ids, only
 * in the log of the platform.
 */
export type AuditSearch = Readonly<{
  kind?: string | undefined;
  /** Kinds that are left out. */
  except?: string | undefined;
  /** In the log of the platform, sign-ins are left out by default. */
  sign_ins?: 'shown' | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  range?: (typeof AUDIT_RANGES)[number] | undefined;
  /** Instants, instead of a range. */
  from?: string | undefined;
  to?: string | undefined;
  organization?: string | undefined;
}>;

export function auditSearch(raw: Raw): AuditSearch {
  return {
    kind: several(raw['kind'], /^[a-z-]{1,40}$/),
    except: several(raw['except'], /^[a-z-]{1,40}$/),
    sign_ins: oneOf(raw['sign_ins'], ['shown']),
    actor: several(raw['actor'], /^(per|mtk)_[0-9a-hjkmnp-tv-z]{26}$/),
    target: matching(raw['target'], OBJECT_ID),
    range: oneOf(raw['range'], AUDIT_RANGES),
    from: instant(raw['from']),
    to: instant(raw['to']),
    organization: several(raw['organization'], /^org_[0-9a-hjkmnp-tv-z]{26}$/),
  };
}
