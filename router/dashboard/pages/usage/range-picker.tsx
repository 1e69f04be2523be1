import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { RANGE_NAMES } from '../../format/range-names.ts';
import { daysShown, dayText } from '../../format/utc.ts';
import { Button } from '../../parts/form/button.tsx';
import { Cancel, Dialog, DialogFooter } from '../../parts/form/dialog.tsx';
import { TextField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { RANGES } from '../../search.ts';
import { lastDay } from './labels.ts';
import { daysOf, type Range, spanOf, USUAL_RANGE } from './span.ts';
import type { Address } from './use-address.ts';

type RangePickerProps = Address & Readonly<{ asOf: number }>;

/** A choice of the last hours or days, or of days from a calendar. */
export function RangePicker({ search, change, asOf }: RangePickerProps) {
  const [choosing, setChoosing] = useState(false);
  const days = daysOf(search, asOf);
  return (
    <>
      <Segmented<Range | 'days'>
        label="Time"
        value={days ? 'days' : (search.range ?? USUAL_RANGE)}
        choices={RANGES.map((range) => ({ value: range, name: RANGE_NAMES[range] }))}
        onChange={(range) => range !== 'days' && change({ range })}
      />
      <Button look={days ? 'lit' : 'secondary'} onClick={() => setChoosing(true)}>
        <CalendarDays />
        {days
          ? daysShown(new Date(days.from).toISOString(), new Date(days.until).toISOString())
          : 'Custom range'}
      </Button>
      {choosing && (
        <Dialog
          onClose={() => setChoosing(false)}
          title="Custom range"
          description="Days are in UTC. The first and the last day are included."
        >
          <DaysForm
            today={dayText(asOf)}
            from={dayText(days?.from ?? Date.parse(spanOf(search, asOf).start))}
            to={days ? lastDay(days.until) : dayText(asOf)}
            onChosen={(from, to) => {
              change({ from, to });
              setChoosing(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

type DaysFormProps = Readonly<{
  today: string;
  from: string;
  to: string;
  onChosen: (from: string, to: string) => void;
}>;

function DaysForm({ today, from, to, onChosen }: DaysFormProps) {
  const [first, setFirst] = useState(from);
  const [last, setLast] = useState(to);
  return (
    <Form onSend={() => onChosen(first, last)}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="First day"
          type="date"
          required
          max={today}
          value={first}
          onChange={setFirst}
        />
        <TextField
          label="Last day"
          type="date"
          required
          min={first}
          max={today}
          value={last}
          onChange={setLast}
        />
      </div>
      <DialogFooter>
        <Cancel />
        <Button type="submit" look="primary">
          Show these days
        </Button>
      </DialogFooter>
    </Form>
  );
}
