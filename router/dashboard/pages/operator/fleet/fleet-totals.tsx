import type { Agent } from '../../../../../shared/api/agents.ts';
import { hitShare, READINGS_MAX, type FleetTotals as Totals } from '../../../api/readings.ts';
import { compactCount, shownCount, shownShare } from '../../../format/count.ts';
import { Stat } from '../../../parts/page.tsx';
import { Sparkline } from '../../../parts/sparkline.tsx';
import { lostInWords } from './lost-hosts.ts';
import { filledSpeeds, type RecordedTotals } from './recorded-totals.ts';

type FleetTotalsProps = Readonly<{
  totals: Totals;
  /** Null while it is not loaded. */
  recorded: RecordedTotals | null;
  hosts: readonly Agent[];
}>;

const SLOTS = READINGS_MAX - 1;

export function FleetTotals({ totals, recorded, hosts }: FleetTotalsProps) {
  const { ready, workers, running, waiting, slots } = totals;
  const tokensPerSecond = totals.tokensPerSecond ?? recorded?.tokensPerSecond ?? null;
  const speeds = filledSpeeds(totals.speeds, recorded?.speeds ?? [], SLOTS);
  const live = hitShare(totals);
  const hits = live ?? recorded?.hits ?? null;
  const looked = live === null ? (recorded?.looked ?? 0) : totals.looked;
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <div className="col-span-2 grid sm:col-span-1">
        <Stat label="Workers ready" note={standing(totals, hosts)}>
          {shownCount(ready)}
          <span className="text-base font-normal text-muted"> of {shownCount(workers)}</span>
        </Stat>
      </div>
      <Stat label="Requests running" note={`${shownCount(slots)} slots of ready workers`}>
        {shownCount(running)}
      </Stat>
      <Stat label="Requests waiting" note="Queued in the engines">
        {shownCount(waiting)}
      </Stat>
      <Stat
        label="Tokens per second"
        note={<Sparkline values={speeds} slots={SLOTS} className="h-4 w-full" />}
      >
        {tokensPerSecond === null ? '–' : shownCount(Math.round(tokensPerSecond))}
      </Stat>
      <Stat
        label="Prefix hit rate"
        note={looked > 0 ? `Of ${compactCount(looked)} recent prompt tokens` : 'No recent prompts'}
      >
        {hits === null ? '–' : shownShare(hits)}
      </Stat>
    </div>
  );
}

function standing({ draining, others }: Totals, hosts: readonly Agent[]): string {
  const parts = [
    draining > 0 ? `${shownCount(draining)} draining` : null,
    lostInWords(hosts),
    others > 0 ? `${shownCount(others)} not ready` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'None draining' : parts.join(', ');
}
