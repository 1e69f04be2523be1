/** The stages of a request side by side, as wide as they took long, and a list of what they took. */
import { shownMs } from '../../format/count.ts';
import type { Stage, StageKind } from './stages.ts';

const COLORS: Readonly<Record<StageKind, string>> = {
  read: 'var(--series-other)',
  admit: 'var(--series-5)',
  pick: 'var(--series-7)',
  wait: 'var(--series-3)',
  failed: 'var(--bad)',
  prompt: 'var(--series-2)',
  response: 'var(--series-1)',
};

export function StagesBar({ stages }: { stages: readonly Stage[] }) {
  if (stages.length === 0) return null;
  return (
    <div className="mb-5 grid gap-3">
      <div aria-hidden className="flex h-3 gap-px overflow-hidden rounded-full bg-sunken">
        {stages.map(({ kind, name, fromMs, untilMs }) => (
          <span
            key={fromMs}
            title={`${name}: ${shownMs(untilMs - fromMs)}`}
            // The shortest can be seen, too.
            className="min-w-1"
            style={{ flexGrow: untilMs - fromMs, flexBasis: 0, background: COLORS[kind] }}
          />
        ))}
      </div>
      <ul
        aria-label="Time of each stage"
        className="grid gap-x-6 gap-y-1 text-sm sm:flex sm:flex-wrap"
      >
        {stages.map(({ kind, name, fromMs, untilMs }) => (
          <li key={fromMs} className="flex items-center gap-2">
            <span
              aria-hidden
              className="size-2.5 shrink-0 rounded-full"
              style={{ background: COLORS[kind] }}
            />
            <span className="text-muted">{name}</span>
            <span className="ml-auto font-medium tabular-nums sm:ml-0">
              {shownMs(untilMs - fromMs)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
