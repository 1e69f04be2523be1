/** The alarms about what single routers see and have noticed, merged over all routers. */
import { DAY_MS } from '../../../shared/durations.ts';
import { earliest, isoInstant } from '../api.ts';
import type { Fault } from '../../history/faults.ts';
import type { PaymentAlarm } from '../payments/provider.ts';
import {
  type AlarmRouter,
  type FoundAlarm,
  type Maybe,
  modelsHave,
  named,
  plural,
  urgent,
  warning,
} from './alarm.ts';
import type { StartOf } from './fault-starts.ts';
import type { Names, Noticed } from './noticed.ts';

const CERTIFICATE_DAYS = { warning: 21, urgent: 3 } as const;
/** There are six heartbeats in holdTtlMs. Beyond half of it the router accepts no requests. */
const HEARTBEAT_LATE_SHARE = 1 / 3;

/** `regions`: those of its listeners, as in its row. */
export type Seen = Readonly<{ router: AlarmRouter; regions: string; noticed: Noticed }>;

const PAYMENT_ALARMS: Readonly<Record<PaymentAlarm, string>> = {
  event: 'The payment provider reported something that cannot be right',
  undecided: 'The payment provider has left a payment or refund undecided for a day',
  refund_failed:
    'The payment provider could not pay out a refund, and its amount went back to the balance',
};

export const NO_SELLER =
  'Receipts and invoices have no name, address and tax ID of a seller: set `seller` in the configuration of the routers.';

/** `now` is in ms since the epoch. */
type Times = Readonly<{ now: number; startOf: StartOf }>;

export function alarmsOfRouters(all: readonly Seen[], { now, startOf }: Times): Maybe[] {
  return [
    ...notReady(all),
    ...late(all, now),
    ...failingTasks(all),
    ...certificates(all, now),
    ...models(all, startOf),
    catalogRejected(all),
    unready(all, startOf),
    suspect(all),
    all.some(({ noticed }) => noticed.seller_missing) && warning('no_seller', 'routers', NO_SELLER),
    ...noted(all),
  ];
}

/** The faults of models and workers that these alarms are about. */
export function faultsOfRouters(all: readonly Seen[]): Fault[] {
  return [
    ...servedNowhere(all).map(unserved),
    ...union(all, (noticed) => noticed.unready_workers).names.map(unreadyWorker),
  ];
}

function unserved(model: string): Fault {
  return { kind: 'unserved', model, region: null };
}

function unreadyWorker(name: string): Fault {
  return { kind: 'unready', name };
}

/** The routers that an alarm names: none if there is only one. */
function namesIn(all: readonly Seen[], some: readonly Seen[]): AlarmRouter[] {
  return all.length === 1 ? [] : some.map(({ router }) => router);
}

function theRouter(all: readonly Seen[], { router }: Seen): string {
  return all.length === 1 ? 'The router' : router.name;
}

/** Of an alarm that each router may have for itself. */
function ofRouter(all: readonly Seen[], one: Seen) {
  return { subject: one.router.id, routers: namesIn(all, [one]) };
}

function notReady(all: readonly Seen[]): Maybe[] {
  return all.map((one) => {
    const { not_ready: reason } = one.noticed;
    if (reason === null) return null;
    const message = `${theRouter(all, one)} is not ready: ${reason}.`;
    return urgent('not_ready', 'routers', message, ofRouter(all, one));
  });
}

function late(all: readonly Seen[], now: number): Maybe[] {
  return all.map((one) => {
    const { heartbeat_age_ms: age, hold_ttl_ms: ttl } = one.noticed;
    if (age <= ttl * HEARTBEAT_LATE_SHARE) return null;
    const whose = all.length === 1 ? 'the router' : one.router.name;
    const message = `The store has not accepted a heartbeat of ${whose} for ${Math.round(age / 1_000)} s.`;
    const since = Math.round(now - age);
    return urgent('store_late', 'routers', message, { since, ...ofRouter(all, one) });
  });
}

function failingTasks(all: readonly Seen[]): Maybe[] {
  return withEach(all, ({ failing_tasks: tasks }) => tasks).map(([task, some]) =>
    warning('task_failing', 'routers', `The last run of the scheduled task "${task}" failed.`, {
      subject: task,
      routers: namesIn(all, some),
    }),
  );
}

/** What routers have in common, with the routers that have it, in the order of the first. */
function withEach(
  all: readonly Seen[],
  of: (noticed: Noticed) => readonly string[],
): readonly (readonly [string, readonly Seen[]])[] {
  const found = new Map<string, Seen[]>();
  for (const one of all) {
    for (const what of new Set(of(one.noticed))) found.set(what, [...(found.get(what) ?? []), one]);
  }
  return [...found];
}

/** An alarm for each listener. Routers may have listeners of one address, with certificates of their own. */
function certificates(all: readonly Seen[], now: number): Maybe[] {
  const soon = now + CERTIFICATE_DAYS.warning * DAY_MS;
  const expiring = (noticed: Noticed) => noticed.certificates.filter((one) => one.expires < soon);
  return withEach(all, (noticed) => expiring(noticed).map(({ listener }) => listener)).map(
    ([listener, some]) => {
      const own = some.flatMap(({ noticed }) => expiring(noticed));
      const expires = Math.min(
        ...own.filter((one) => one.listener === listener).map((one) => one.expires),
      );
      const days = Math.floor((expires - now) / DAY_MS);
      const when = expires <= now ? 'has expired' : `expires in ${plural(days, 'day')}`;
      const make = days < CERTIFICATE_DAYS.urgent ? urgent : warning;
      const since = expires - CERTIFICATE_DAYS.warning * DAY_MS;
      const of = { subject: listener, routers: namesIn(all, some) };
      const message = `The certificate of ${listener} ${when}.`;
      return make('certificate', 'routers', message, { since, ...of });
    },
  );
}

/**
 * A model that no router has a ready worker for, and one that only some routers lack while others
 * with listeners of the same regions have it. A model of one region is no alarm in another.
 */
function models(all: readonly Seen[], startOf: StartOf): Maybe[] {
  const missing = servedNowhere(all);
  const count = missing.length + (all[0] ? hiddenOf(all[0].noticed.models_without_workers) : 0);
  const partly = lackingBy(all)
    .map(([model, some]) => [model, some.filter((one) => isCutOff(one, all, some))] as const)
    .filter(([, some]) => some.length > 0);
  return [
    missing.length > 0 &&
      urgent('no_worker', 'fleet', modelsHave('no ready worker', missing, count), {
        models: missing,
        affected: count,
        since: earliest(missing.map((model) => startOf(unserved(model)))),
      }),
    ...partly.map(([model, some]) =>
      urgent(
        'no_worker',
        'fleet',
        `${named(some.map(({ router }) => router.name))} ${some.length === 1 ? 'has' : 'have'} no ready worker for ${model}, and other routers of the same regions have one.`,
        { subject: model, models: [model], routers: namesIn(all, some) },
      ),
    ),
  ];
}

/** The models that no router has a ready worker for. */
export function servedNowhere(all: readonly Seen[]): readonly string[] {
  return lackingBy(all)
    .filter(([, some]) => some.length === all.length)
    .map(([model]) => model);
}

function lackingBy(all: readonly Seen[]) {
  return withEach(all, (noticed) => noticed.models_without_workers.names);
}

/** Whether a router of the same regions has a worker for what `lacking` have none for. */
function isCutOff({ regions }: Seen, all: readonly Seen[], lacking: readonly Seen[]): boolean {
  return all.some(
    (other) =>
      other.regions === regions &&
      !lacking.includes(other) &&
      hiddenOf(other.noticed.models_without_workers) === 0,
  );
}

/** How many names are only counted. */
function hiddenOf({ names, count }: Names): number {
  return count - names.length;
}

function catalogRejected(all: readonly Seen[]): Maybe {
  const some = all.filter(({ noticed }) => noticed.catalog_rejected);
  if (some.length === 0) return null;
  const message = 'The present catalog file was rejected, and the one before stays in force.';
  return warning('catalog_rejected', 'fleet', message, { routers: namesIn(all, some) });
}

/** All routers see the same workers, or a part of them. */
function union(all: readonly Seen[], of: (noticed: Noticed) => Names) {
  const some = all.filter(({ noticed }) => of(noticed).count > 0);
  const names = [...new Set(some.flatMap(({ noticed }) => of(noticed).names))];
  const count = Math.max(names.length, ...some.map(({ noticed }) => of(noticed).count));
  // A worker that all routers see is about no single router.
  const routers = some.length === all.length ? [] : namesIn(all, some);
  return { names, count, routers };
}

function unready(all: readonly Seen[], startOf: StartOf): Maybe {
  const { names, count, routers } = union(all, (noticed) => noticed.unready_workers);
  if (names.length === 0) return null;
  const are = count === 1 ? 'is' : 'are';
  const message = `${plural(count, 'worker')} ${are} not ready: ${named(names, count)}.`;
  const since = earliest(names.map((name) => startOf(unreadyWorker(name))));
  return warning('worker_not_ready', 'fleet', message, { routers, since, affected: count });
}

function suspect(all: readonly Seen[]): Maybe {
  const { names, count, routers } = union(all, (noticed) => noticed.suspect_workers);
  if (names.length === 0) return null;
  const message = `Audits found token counts that do not fit their answers: ${named(names, count)}.`;
  return warning('audit', 'fleet', message, { routers, affected: count });
}

type Noted = Noticed['noted'][number];

function noted(all: readonly Seen[]): FoundAlarm[] {
  const keyOf = ({ kind, what }: Noted) => `${kind} ${what}`;
  return withEach(all, (noticed) => noticed.noted.map(keyOf)).flatMap(([key, some]) => {
    const own = some.flatMap(({ noticed }) => noticed.noted.filter((one) => keyOf(one) === key));
    const [first] = own;
    if (!first) return [];
    const sum: Noted = {
      ...first,
      count: own.reduce((count, one) => count + one.count, 0),
      first: Math.min(...own.map((one) => one.first)),
      last: Math.max(...own.map((one) => one.last)),
    };
    return [notedAlarm(sum, namesIn(all, some))];
  });
}

function notedAlarm(
  { kind, what, count, first, last }: Noted,
  routers: readonly AlarmRouter[],
): FoundAlarm {
  const at = { count, last: isoInstant(last), since: isoInstant(first) };
  if (kind === 'clamp') {
    const word = what.replaceAll('_', ' ');
    const message = `A host reported an impossible count, which was reduced: ${word}.`;
    return { ...warning('clamp', 'fleet', message, { subject: what, routers }), ...at };
  }
  const about = PAYMENT_ALARMS[what as PaymentAlarm] ?? what;
  if (what === ('refund_failed' satisfies PaymentAlarm)) {
    // The books are right.
    return { ...warning('payment', 'audit', `${about}.`, { subject: what, routers }), ...at };
  }
  const message = `${about}. The router's log has the details.`;
  return { ...urgent('payment', 'audit', message, { subject: what, routers }), ...at };
}
