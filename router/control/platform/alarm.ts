/** An alarm for operators: how it is made, and what to do about its kind. */
import { ALARM_NAMES_MAX } from '../../../shared/alarm-names.ts';
import { type AlarmKind, RUNBOOKS } from '../../../shared/alarm-runbooks.ts';
import type { PlatformAlarm } from '../../../shared/api/platform.ts';
import type { Region } from '../../../shared/region.ts';
import { instantOrNull } from '../api.ts';

export type AlarmRouter = NonNullable<PlatformAlarm['routers']>[number];

/** An alarm as a router finds it. `kind` and `subject` name it while its sentence changes. */
export type FoundAlarm = PlatformAlarm & Readonly<{ subject: string; affected: number }>;

export type Maybe = FoundAlarm | false | null;

/** What an alarm tells beside its sentence. `since` is in ms since the epoch. */
export type More = Readonly<{
  since?: number | null;
  /** Set it where there can be several alarms of a kind. */
  subject?: string;
  /** How many models, workers, hosts, routers or jobs it is about, if that is not one or `models`. */
  affected?: number;
  models?: readonly string[];
  regions?: readonly Region[];
  /** The routers that see it. */
  routers?: readonly AlarmRouter[];
}>;

export function urgent(
  kind: AlarmKind,
  page: PlatformAlarm['page'],
  message: string,
  { since = null, subject = '', models = [], regions = [], routers = [], ...more }: More = {},
): FoundAlarm {
  return {
    kind,
    subject,
    severity: 'urgent',
    message,
    page,
    affected: more.affected ?? Math.max(1, models.length),
    count: null,
    last: null,
    since: instantOrNull(since),
    runbook: RUNBOOKS[kind],
    models: [...models],
    regions: [...regions],
    routers: [...routers],
  };
}

export function warning(
  kind: AlarmKind,
  page: PlatformAlarm['page'],
  message: string,
  more: More = {},
): FoundAlarm {
  return { ...urgent(kind, page, message, more), severity: 'warning' };
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `count`: how many there are, if not all names are known. */
export function named(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, ALARM_NAMES_MAX).join(', ');
  const more = count - Math.min(ALARM_NAMES_MAX, names.length);
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** "The model a has no ready worker." `count`: how many models there are, if not all are known. */
export function modelsHave(what: string, models: readonly string[], count = models.length): string {
  if (count === 1) return `The model ${named(models)} has ${what}.`;
  return `${plural(count, 'model')} have ${what}: ${named(models, count)}.`;
}
