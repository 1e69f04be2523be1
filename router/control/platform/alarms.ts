/** What an operator should look at now, as sentences, the worst first. */
import { routerName } from '../../../shared/router-names.ts';
import { JOBS_COUNTED_MAX } from '../../../shared/jobs.ts';
import type { Reliability } from '../../../shared/api/platform.ts';
import { REGION_NAMES } from '../../../shared/region.ts';
import { earliest } from '../api.ts';
import type { LostHost } from '../agents/absences.ts';
import { DECLARED_DEAD } from '../../ledger/operations.ts';
import type { Fault, ModelFault } from '../../history/faults.ts';
import type { JobCounts } from '../../jobs/counts.ts';
import type { IncarnationRow } from '../../store/schema/fleet.ts';
import { stateOf } from '../routers/state.ts';
import {
  type FoundAlarm,
  type Maybe,
  modelsHave,
  type More,
  named,
  plural,
  urgent,
  warning,
} from './alarm.ts';
import { availabilityAlarm } from './availability.ts';
import type { StartOf } from './fault-starts.ts';
import { alarmsOfRouters, faultsOfRouters, type Seen, servedNowhere } from './router-alarms.ts';

/** A job that is due is usually run within a second. */
const JOB_LATE_MS = 15 * 60_000;

export type AlarmFacts = Readonly<{
  now: number;
  routers: readonly Pick<
    IncarnationRow,
    'id' | 'beat' | 'version' | 'host' | 'pid' | 'recent_at' | 'draining' | 'started'
  >[];
  /** What each router sees that has reported it lately. */
  seen: readonly Seen[];
  jobs: JobCounts;
  /** By what all routers have recorded in the last minutes. */
  troubled: readonly ModelFault[];
  /** How requests ended in the last hour; null: it is not known. */
  lastHour: Reliability | null;
  /** Hosts that no router is connected to, and that were neither drained nor stopped. */
  lostHosts: readonly Pick<LostHost, 'name' | 'since'>[];
  /** Since when faults of models and workers hold. */
  startOf: StartOf;
}>;

/** The faults whose start the alarms tell. */
export function faultsIn({ seen, troubled }: Pick<AlarmFacts, 'seen' | 'troubled'>): Fault[] {
  return [...faultsOfRouters(seen), ...troubled];
}

export function alarmsFrom(facts: AlarmFacts): FoundAlarm[] {
  const found: Maybe[] = [
    ...routerAlarms(facts),
    ...alarmsOfRouters(facts.seen, facts),
    ...modelAlarms(facts),
    availabilityAlarm(facts.lastHour),
    lostHostsAlarm(facts),
    ...jobAlarms(facts),
  ];
  const alarms = found.filter((one) => one !== null && one !== false);
  const urgentFirst = (one: FoundAlarm) => (one.severity === 'urgent' ? 0 : 1);
  return alarms.toSorted((a, b) => urgentFirst(a) - urgentFirst(b));
}

function routerAlarms({ routers, now }: AlarmFacts): Maybe[] {
  const dead = routers.filter(({ beat }) => beat === DECLARED_DEAD);
  const silent = routers.filter((router) => stateOf(router, now) === 'silent');
  const versions = Map.groupBy(
    routers.filter(({ beat }) => beat !== DECLARED_DEAD),
    ({ version }) => version ?? 'unknown',
  );
  return [
    dead.length > 0 &&
      warning(
        'router_lost',
        'routers',
        `${plural(dead.length, 'router')} stopped without signing off. Entries go when their holds are freed.`,
        {
          since: earliest(dead.map(lastReport)),
          routers: dead.map(shown),
          affected: dead.length,
        },
      ),
    silent.length > 0 &&
      urgent(
        'router_silent',
        'routers',
        `${plural(silent.length, 'router')} stopped reporting: ${named(silent.map(routerName))}.`,
        {
          since: earliest(silent.map(lastReport)),
          routers: silent.map(shown),
          affected: silent.length,
        },
      ),
    versions.size > 1 &&
      warning(
        'version_skew',
        'routers',
        `Routers of different versions run: ${named([...versions.keys()].toSorted())}.`,
        { since: secondStart([...versions.values()]), affected: versions.size },
      ),
  ];
}

type Router = AlarmFacts['routers'][number];

function lastReport({ recent_at: at }: Router): number | null {
  return at === null ? null : Number(at);
}

/** When the first router of the second version started. */
function secondStart(versions: readonly (readonly Router[])[]): number | null {
  const starts = versions.map((some) => Math.min(...some.map(({ started }) => Number(started))));
  return starts.toSorted((a, b) => a - b)[1] ?? null;
}

function shown(router: Router) {
  return { id: router.id, name: routerName(router) };
}

function modelAlarms({ troubled, seen, startOf }: AlarmFacts): Maybe[] {
  const degraded = troubled.filter(({ kind }) => kind === 'degraded');
  // The alarm of models without workers names those that are down everywhere.
  const nowhere = new Set(servedNowhere(seen));
  const down = troubled.filter(({ kind, model }) => kind === 'unserved' && !nowhere.has(model));
  return [
    down.length > 0 &&
      urgent('model_down', 'fleet', sentencesOf(down, 'no ready worker'), {
        ...placesOf(down),
        since: earliest(down.map(startOf)),
      }),
    degraded.length > 0 &&
      warning('model_degraded', 'fleet', sentencesOf(degraded, 'degraded service'), {
        ...placesOf(degraded),
        since: earliest(degraded.map(startOf)),
      }),
  ];
}

function lostHostsAlarm({ lostHosts }: AlarmFacts): Maybe {
  if (lostHosts.length === 0) return null;
  const [were, agents] = lostHosts.length === 1 ? ['was', 'its agent'] : ['were', 'their agents'];
  return warning(
    'host_lost',
    'fleet',
    `${plural(lostHosts.length, 'host')} ${were} lost, and ${agents} ${were} neither drained nor stopped: ${named(lostHosts.map(({ name }) => name))}.`,
    { since: Math.min(...lostHosts.map(({ since }) => since)), affected: lostHosts.length },
  );
}

function jobAlarms({ jobs: { failed, oldestFailed, oldestDue }, now }: AlarmFacts): Maybe[] {
  const lateMs = oldestDue === null ? 0 : now - oldestDue;
  const count =
    failed === JOBS_COUNTED_MAX
      ? `${failed.toLocaleString('en')} or more jobs`
      : plural(failed, 'job');
  return [
    failed > 0 &&
      warning(
        'jobs_failed',
        'jobs',
        `${count} ${failed === 1 ? 'was' : 'were'} given up after the last attempt.`,
        { since: oldestFailed, affected: failed },
      ),
    lateMs > JOB_LATE_MS &&
      urgent(
        'jobs_late',
        'jobs',
        `A job that is due has waited for ${Math.floor(lateMs / 60_000)} minutes.`,
        { since: oldestDue },
      ),
  ];
}

/** "6 models have no ready worker in EU: a, b, c and 3 more." A sentence for each region, with its name. */
function sentencesOf(troubled: readonly ModelFault[], what: string): string {
  const regions = [...new Set(troubled.map(({ region }) => region))];
  return regions
    .map((region) => {
      const models = troubled.filter((one) => one.region === region).map(({ model }) => model);
      return modelsHave(`${what} in ${REGION_NAMES[region]}`, models);
    })
    .join(' ');
}

function placesOf(troubled: readonly ModelFault[]): Required<Pick<More, 'models' | 'regions'>> {
  return {
    models: [...new Set(troubled.map(({ model }) => model))],
    regions: [...new Set(troubled.map(({ region }) => region))],
  };
}
