/** The days with changes, each with the balance before and after it. A day opens to its transfers. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import type { LedgerDay } from '../../../../shared/api/credit.ts';
import { ledgerQuery } from '../../api/billing.ts';
import { picoOf } from '../../format/usd.ts';
import { utcDate } from '../../format/utc.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Money } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { numeric, Table, Td } from '../../parts/table.tsx';
import { useOrganization } from '../../session.tsx';
import { ActivityDayDialog } from './activity-day-dialog.tsx';

/** `exact`: with every digit, so that the opening balance and the changes are the closing balance. */
export function ActivityDays({ exact }: Readonly<{ exact: boolean }>) {
  const query = useInfiniteQuery(ledgerQuery(useOrganization()));
  const [opened, setOpened] = useState<string | null>(null);
  const day = query.data?.find((one) => one.day === opened);
  const open = (of: string) => {
    setOpened(of);
    // Requests may have changed the day since the list was read.
    void query.refetch();
  };
  return (
    <>
      <LoadedList
        list={query}
        empty={
          <Empty icon={<CalendarDays />} title="No changes yet">
            Days appear here when the balance changes.
          </Empty>
        }
      >
        {(days) => (
          <Table
            label="Activity by day"
            columns={[
              'Day',
              numeric('Opening'),
              numeric('Payments'),
              numeric('Credits'),
              numeric('Refunds'),
              numeric('Usage'),
              numeric('Closing'),
              { name: 'Entries', hidden: true },
            ]}
          >
            {days.map((one) => (
              <Row key={one.day} day={one} exact={exact} onOpen={() => open(one.day)} />
            ))}
          </Table>
        )}
      </LoadedList>
      {day && <ActivityDayDialog day={day} exact={exact} onClose={() => setOpened(null)} />}
    </>
  );
}

type RowProps = Readonly<{ day: LedgerDay; exact: boolean; onOpen: () => void }>;

function Row({ day, exact, onOpen }: RowProps) {
  return (
    <tr>
      <Td className="font-medium whitespace-nowrap">{utcDate(day.day)}</Td>
      <Td right className="text-muted">
        <Money amount={day.opening} rounding="down" exact={exact} />
      </Td>
      <ChangeCell amount={day.payments} exact={exact} />
      <ChangeCell amount={day.credits} exact={exact} />
      <ChangeCell amount={day.refunds} exact={exact} />
      <ChangeCell amount={day.usage} exact={exact} />
      <Td right className="font-medium">
        <Money amount={day.closing} rounding="down" exact={exact} />
      </Td>
      <Td right>
        <Button look="ghost" size="small" onClick={onOpen}>
          Entries
          <span className="sr-only"> of {utcDate(day.day)}</span>
        </Button>
      </Td>
    </tr>
  );
}

/** What one column changed in the balance; a dash if nothing. */
function ChangeCell({ amount, exact }: Readonly<{ amount: string; exact: boolean }>) {
  const change = picoOf(amount);
  if (change === 0n)
    return (
      <Td right className="text-muted">
        –
      </Td>
    );
  return (
    <Td right className={cx('whitespace-nowrap', change > 0n && 'text-good')}>
      {change > 0n && '+'}
      <Money amount={amount} exact={exact} />
    </Td>
  );
}
