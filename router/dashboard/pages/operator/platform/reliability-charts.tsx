/** Availability, errors and latency of the whole platform in the period, with what happened then. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { AVAILABILITY_MIN } from '../../../../../shared/availability.ts';
import { fleetHistoryQuery } from '../../../api/fleet-history.ts';
import { compactCount, shownMs } from '../../../format/count.ts';
import { ChartGroup } from '../../../parts/chart/chart-group.tsx';
import { PhoneFold } from '../../../parts/list/phone-fold.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { useZone } from '../../../zone.ts';
import { chosenTime } from '../../logs/log-time.ts';
import { tickOf, zoneOf } from '../../usage/labels.ts';
import { HistoryFigure } from '../history/history-figure.tsx';
import { labelledBy } from '../history/history-range.ts';
import { useFleetMarks } from '../history/use-marks.ts';
import { availabilityHeight, availabilityHeights, reliabilityLines } from './reliability-lines.ts';
import { shownAvailability } from './reliability-words.ts';

type ReliabilityChartsProps = Readonly<{
  period: 'hour' | 'day';
  /** When the period begins, as ISO 8601. */
  start: string;
}>;

export function ReliabilityCharts({ period, start }: ReliabilityChartsProps) {
  const zone = useZone();
  const navigate = useNavigate();
  const history = useQuery(fleetHistoryQuery({ span: period }));
  const marks = useFleetMarks({}, { from: start, until: undefined });
  return (
    <Panel
      flush
      title="Over time"
      description={
        <>
          <span className="max-sm:hidden pointer-coarse:hidden">
            Drag over a chart to see that time in the history of the fleet.{' '}
          </span>
          {zoneOf('minute', zone)}
        </>
      }
    >
      <PhoneFold what="the charts">
        <div className="px-5 pb-4 max-md:pt-3">
          <ChartGroup
            onZoom={({ from, until }) =>
              void navigate({
                to: '/operator/fleet',
                search: { ...chosenTime(from, until), by: 'model' },
                hash: 'history',
              })
            }
          >
            <Loaded query={history}>
              {(shown) => {
                const { starts, availability, errors, ttft } = reliabilityLines(shown);
                const axis = { starts, zone, marks, tick: tickOf(labelledBy(shown), zone) };
                return (
                  <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
                    <HistoryFigure
                      title="Availability"
                      note={`The dashed line is the objective, ${availabilityHeight(AVAILABILITY_MIN)}.`}
                      none="No request ended in this time."
                      series={[availability]}
                      format={shownAvailability}
                      line={availabilityHeight}
                      heights={availabilityHeights(availability.values)}
                      objective={AVAILABILITY_MIN}
                      {...axis}
                    />
                    <HistoryFigure
                      title="Platform errors"
                      note="Requests that ended with a status of 5xx."
                      none="No request ended in this time."
                      series={errors}
                      format={compactCount}
                      whole
                      legend
                      {...axis}
                    />
                    <HistoryFigure
                      title="Time to first token"
                      note="From when the request arrives, with its time in queues."
                      none="No request was answered in this time."
                      series={ttft}
                      format={shownMs}
                      legend
                      {...axis}
                    />
                  </div>
                );
              }}
            </Loaded>
          </ChartGroup>
        </div>
      </PhoneFold>
    </Panel>
  );
}
