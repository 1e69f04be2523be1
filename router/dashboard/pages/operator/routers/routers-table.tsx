import type { ReactNode } from 'react';
import type { Router } from '../../../../../shared/api/routers.ts';
import { shownBytes, shownCount, shownMs, shownShare } from '../../../format/count.ts';
import { REGION_NAMES } from '../../../format/regions.ts';
import { cx } from '../../../parts/class-names.ts';
import { Code, StateBadge, When } from '../../../parts/shown.tsx';
import { foremost, numeric, Table, Td } from '../../../parts/table.tsx';
import { ROUTER_STATES, routerName, stateOf } from './router-words.ts';

/** A share of a busy event loop from which requests wait for each other. */
const BUSY = 0.8;

export function RoutersTable({ routers }: { routers: readonly Router[] }) {
  return (
    <Table
      label="Routers"
      columns={[
        'Router',
        foremost('Status'),
        'Version',
        'Regions',
        numeric('Agents'),
        numeric('Running'),
        numeric('Last minute'),
        numeric('Process'),
      ]}
    >
      {routers.map((router) => (
        <tr key={router.id}>
          <Td>
            <span className="block font-medium">{routerName(router)}</span>
            <Code>{router.id}</Code>
            <Beside>{router.url ?? 'No URL for agents'}</Beside>
          </Td>
          <Td>
            <StateBadge of={ROUTER_STATES[stateOf(router)]} />
            {router.reported !== undefined && router.reported !== null && (
              <Beside>
                Reported <When at={router.reported} relative />
              </Beside>
            )}
          </Td>
          <Td>
            {router.version ?? <span className="text-muted">Unknown</span>}
            <Beside>
              Since <When at={router.started} />
            </Beside>
          </Td>
          <Td>{router.regions.map((region) => REGION_NAMES[region]).join(', ')}</Td>
          <Td right>{countOrNone(router.agents)}</Td>
          <Td right>{countOrNone(router.running)}</Td>
          <Td right>
            <LastMinute of={router.last_minute} />
          </Td>
          <Td right>
            <Process router={router} />
          </Td>
        </tr>
      ))}
    </Table>
  );
}

function LastMinute({ of }: { of: Router['last_minute'] }) {
  if (of === undefined || of === null) return '–';
  const { requests, errors } = of;
  return (
    <>
      {shownCount(requests)} {requests === 1 ? 'request' : 'requests'}
      <span className={cx('block text-xs', errors > 0 ? 'text-bad' : 'text-muted')}>
        {shownCount(errors)} {errors === 1 ? 'error' : 'errors'}
      </span>
    </>
  );
}

/** The memory of the process, and how long requests may wait in it and for the store. */
function Process({
  router: { memory_bytes: memory, loop_use: loop, store_ms: store },
}: RouterProp) {
  if (memory === undefined || memory === null) return '–';
  return (
    <>
      {shownBytes(memory)}
      {loop !== undefined && loop !== null && (
        <span
          className={cx('block text-xs', loop > BUSY ? 'text-bad' : 'text-muted')}
          title="For which share of the last ten seconds the event loop was busy. Near 100%, requests wait for it."
        >
          {shownShare(loop)} busy
        </span>
      )}
      {store !== undefined && store !== null && (
        <span
          className="block text-xs text-muted"
          title="How long the store took to write the last report of this router."
        >
          store {shownMs(store)}
        </span>
      )}
    </>
  );
}

type RouterProp = Readonly<{ router: Router }>;

function Beside({ children }: { children: ReactNode }) {
  return <span className="block pt-0.5 text-xs break-words text-muted">{children}</span>;
}

/** A dash where the router does not tell. */
function countOrNone(count: number | null | undefined): string {
  return count === undefined || count === null ? '–' : shownCount(count);
}
