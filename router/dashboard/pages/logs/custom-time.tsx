import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { inputInstant, inputText } from '../../format/input-time.ts';
import { type Zone, zoneWords } from '../../format/time.ts';
import { Button } from '../../parts/form/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Cancel, Dialog, DialogFooter } from '../../parts/form/dialog.tsx';
import { TextField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useZone } from '../../zone.ts';
import { spanShown } from '../usage/labels.ts';
import { chosenTime, type LogTime } from './log-time.ts';

/** Inputs also have later years, but instants in addresses do not. */
const LATEST = '9999-12-31T23:59';

type CustomTimeProps = Readonly<{
  time: Pick<LogTime, 'start' | 'end' | 'isCustom'>;
  /** What the range of time is about, such as "the time at which requests arrived". */
  of: string;
  /** In ms since the epoch. */
  asOf: number;
  onChosen: (time: ReturnType<typeof chosenTime>) => void;
  /** The page shows the chosen time elsewhere, so that the button keeps its width: on a phone, its icon's. */
  isShownElsewhere?: boolean;
}>;

/** The chosen time in words. Null for a range up to now. */
export function customTimeShown(
  { start, end, isCustom }: CustomTimeProps['time'],
  asOf: number,
  zone: Zone,
): string | null {
  return isCustom ? spanShown(start, end ?? new Date(asOf).toISOString(), 'minute', zone) : null;
}

/** A button with the chosen time, which opens a dialog for another. */
export function CustomTime({
  time,
  of,
  asOf,
  onChosen,
  isShownElsewhere = false,
}: CustomTimeProps) {
  const zone = useZone();
  const [isOpen, setOpen] = useState(false);
  const end = time.end ?? new Date(asOf).toISOString();
  return (
    <>
      <Button
        look={time.isCustom ? 'lit' : 'secondary'}
        className={cx(isShownElsewhere && 'max-sm:w-11 max-sm:px-0')}
        onClick={() => setOpen(true)}
      >
        <CalendarClock />
        <span className={cx(isShownElsewhere && 'max-sm:sr-only')}>
          {(!isShownElsewhere && customTimeShown(time, asOf, zone)) || 'Custom range'}
        </span>
      </Button>
      {isOpen && (
        <Dialog
          onClose={() => setOpen(false)}
          title="Custom range"
          description={`By ${of}, ${zoneWords(zone)}.`}
        >
          <TimeForm
            from={inputText(Date.parse(time.start), zone)}
            to={inputText(Math.min(Date.parse(end), asOf), zone)}
            latest={inputText(asOf, zone)}
            onChosen={(from, to) => {
              onChosen(chosenTime(inputInstant(from, zone), inputInstant(to, zone)));
              setOpen(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

/** Instants as the inputs have them. */
type TimeFormProps = Readonly<{
  from: string;
  to: string;
  latest: string;
  onChosen: (from: string, to: string) => void;
}>;

function TimeForm({ from, to, latest, onChosen }: TimeFormProps) {
  const [first, setFirst] = useState(from);
  const [last, setLast] = useState(to);
  return (
    <Form onSend={() => onChosen(first, last)}>
      <div className="grid gap-4">
        <TextField
          label="From"
          type="datetime-local"
          required
          max={latest}
          value={first}
          onChange={setFirst}
        />
        <TextField
          label="To"
          type="datetime-local"
          required
          min={first}
          max={LATEST}
          value={last}
          onChange={setLast}
        />
      </div>
      <DialogFooter>
        <Cancel />
        <Button type="submit" look="primary">
          Show this time
        </Button>
      </DialogFooter>
    </Form>
  );
}
