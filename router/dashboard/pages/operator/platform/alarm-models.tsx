/** The names of all models that an alarm is about, of which its sentence has only the first. */
import { Link } from '@tanstack/react-router';
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import { ALARM_NAMES_MAX } from '../../../../../shared/alarm-names.ts';
import { shownCount } from '../../../format/count.ts';
import { ModelId } from '../../../parts/model-id.tsx';

/** Each leads to its history. Renders nothing if the sentence names all of them. */
export function AlarmModels({ models }: { models: NonNullable<PlatformAlarm['models']> }) {
  if (models.length <= ALARM_NAMES_MAX) return null;
  return (
    <details className="mt-0.5 text-xs text-muted">
      <summary className="w-fit cursor-pointer hover:underline">
        All {shownCount(models.length)} models
      </summary>
      <ul className="grid gap-0.5 py-1 pl-4">
        {models.map((model) => (
          <li key={model}>
            <Link
              to="/operator/fleet"
              search={{ span: 'day', model }}
              hash="history"
              className="hover:underline"
            >
              <ModelId id={model} />
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
