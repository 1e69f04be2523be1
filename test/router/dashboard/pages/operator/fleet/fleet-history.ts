/** The history of a fleet in the format of the API, for tests of what the dashboard makes of it. */
import type { FleetFigures, FleetHistory } from '../../../../../../shared/api/fleet-history.ts';

const START = Date.UTC(2026, 0, 1, 12);

const NOTHING: FleetFigures = {
  answered: 0,
  cancelled: 0,
  refused: 0,
  limited: 0,
  unavailable: 0,
  failed: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  tokens_per_second: 0,
  ttft_ms: null,
  speed: null,
  queued: 0,
  availability: null,
  workers: null,
};

type HistoryOptions = Readonly<{
  /** How long the history is, from noon on. */
  minutes: number;
  bucketMinutes: number;
  model?: string;
  total?: Partial<FleetFigures>;
  /** The figures of each bucket; null where nothing was recorded. */
  points: readonly (Partial<FleetFigures> | null)[];
}>;

/** A history with one group. */
export function historyOf(options: HistoryOptions): FleetHistory {
  const { minutes, bucketMinutes, model = null, total = {}, points } = options;
  return {
    start: instantAfter(0),
    end: instantAfter(minutes),
    bucket_seconds: 60 * bucketMinutes,
    groups: [
      {
        model,
        region: null,
        agent: null,
        agent_name: null,
        worker: null,
        total: { ...NOTHING, ...total },
        points: points.flatMap((figures, nth) =>
          figures === null
            ? []
            : [{ ...NOTHING, ...figures, at: instantAfter(nth * bucketMinutes) }],
        ),
      },
    ],
    omitted: 0,
  };
}

function instantAfter(minutes: number): string {
  return new Date(START + minutes * 60_000).toISOString();
}
