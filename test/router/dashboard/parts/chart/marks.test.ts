/** Where charts draw what happened. */
import { expect, test } from 'vitest';
import { markLines } from '../../../../../router/dashboard/parts/chart/marks.ts';
import type { Mark } from '../../../../../router/dashboard/parts/chart/series.ts';

const MINUTE_MS = 60_000;
const FIRST = Date.UTC(2026, 0, 1, 12);
const at = (minutes: number) => new Date(FIRST + minutes * MINUTE_MS).toISOString();
/** Ten buckets of ten minutes. */
const STARTS = Array.from({ length: 10 }, (_, nth) => at(10 * nth));
const UNTIL = FIRST + 100 * MINUTE_MS;

function mark(minutes: number, label: string, tone: Mark['tone'] = 'neutral'): Mark {
  return { at: at(minutes), label, text: `${label} something`, tone };
}

test('marks of one bucket are one line, which has the label and the tone of the worst', () => {
  const marks = [mark(19, 'Breaker open', 'bad'), mark(11, 'Drained', 'warn'), mark(15, 'Note')];
  expect(markLines(marks, STARTS, UNTIL)).toMatchObject([
    { start: at(10), label: 'Breaker open +2', tone: 'bad', isLeft: false },
  ]);
});

test('marks beyond the buckets are left out', () => {
  expect(markLines([mark(-1, 'Early'), mark(100, 'Late')], STARTS, UNTIL)).toEqual([]);
  expect(markLines([mark(0, 'First'), mark(99, 'Last')], STARTS, UNTIL)).toHaveLength(2);
  expect(markLines([mark(0, 'First')], [], UNTIL)).toEqual([]);
});

test('a label that would cover the one before is left out, and one at the right edge turns left', () => {
  const lines = markLines(
    [mark(0, 'Enrolled'), mark(20, 'Drained'), mark(50, 'Stopping'), mark(95, 'Note')],
    STARTS,
    UNTIL,
  );
  expect(lines.map(({ label, isLeft }) => [label, isLeft])).toEqual([
    ['Enrolled', false],
    ['Drained', false],
    ['Stopping', false],
    ['Note', true],
  ]);
  const closer = markLines([mark(0, 'Agent started'), mark(20, 'Drained')], STARTS, UNTIL);
  expect(closer.map(({ label }) => label)).toEqual(['Agent started', '']);
});

test('however many marks there are, no two labels stand in the same place', () => {
  const words = ['Breaker open', 'Note', 'Agent started', 'Reconnected'];
  const marks = Array.from({ length: 40 }, (_, nth) =>
    mark(2.5 * nth, words[nth % words.length] ?? '', nth % 3 === 0 ? 'bad' : 'neutral'),
  );
  const share = (label: string) => 0.022 * label.length;
  const places = markLines(marks, STARTS, UNTIL)
    .filter(({ label }) => label !== '')
    .map(({ start, label, isLeft }) => {
      const place = STARTS.indexOf(start) / (STARTS.length - 1);
      const begins = isLeft ? place - share(label) : place;
      return [begins, begins + share(label)] as const;
    });
  expect(places.length).toBeGreaterThan(1);
  for (const [begins, ends] of places) {
    expect(places.filter((other) => other[0] < ends && begins < other[1])).toHaveLength(1);
    expect([begins >= 0, ends <= 1]).toEqual([true, true]);
  }
});

test('a worse mark takes the room of the label before it', () => {
  const lines = markLines(
    [mark(75, 'Connected'), mark(85, 'Disconnected', 'bad'), mark(95, 'Drained', 'warn')],
    STARTS,
    UNTIL,
  );
  expect(lines.map(({ label }) => label)).toEqual(['', 'Disconnected', '']);
  // The first label stands at the right of its line, and the second one at the left of its line.
  const facing = markLines([mark(50, 'Connected'), mark(80, 'Drained', 'warn')], STARTS, UNTIL);
  expect(facing.map(({ label, isLeft }) => [label, isLeft])).toEqual([
    ['', false],
    ['Drained', true],
  ]);
});
