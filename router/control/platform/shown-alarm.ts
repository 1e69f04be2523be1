/** A recorded alarm as the API has it. */
import { type AlarmKind, RUNBOOKS } from '../../../shared/alarm-runbooks.ts';
import type { RecordedAlarm } from '../../../shared/api/platform.ts';
import type { AlarmRow } from '../../store/schema/alarms.ts';
import { instantOrNull, isoInstant } from '../api.ts';

export function shownAlarm({ page, models, regions, routers, ...row }: AlarmRow): RecordedAlarm {
  const { id, kind, subject, severity, message, affected, began, ended } = row;
  return {
    id,
    kind,
    subject,
    severity,
    message,
    page,
    affected: Number(affected),
    // A router of a later version may have recorded a kind that this one does not know.
    runbook: Object.hasOwn(RUNBOOKS, kind) ? RUNBOOKS[kind as AlarmKind] : null,
    models: JSON.parse(models),
    regions: JSON.parse(regions),
    routers: JSON.parse(routers),
    began: isoInstant(Number(began)),
    ended: instantOrNull(ended === null ? null : Number(ended)),
  };
}
