/**
 * The live view as an ink component: a pure function of the state, and the keys. It has no JSX, so
 * that Node runs the file as it is.
 */
import { Box, Text, useInput, useStdin, useWindowSize } from 'ink';
import { createElement as h, type ReactElement } from 'react';
import { fit } from '../printable.ts';
import { type Row, totalsOf } from './reading.ts';
import { type Cell, type Order, sorted, summary, tableOf } from './table.ts';

export type State = Readonly<{
  origin: string;
  rows: readonly Row[];
  order: Order;
  /** Why the screen is out of date. Null when it is current. */
  fault: string | null;
}>;

export type Keys = Readonly<{ quit: () => void; sort: () => void }>;

const COLOURS: Readonly<Record<string, string>> = {
  ready: 'green',
  joining: 'yellow',
  draining: 'yellow',
  returning: 'yellow',
  probing: 'red',
  open: 'red',
};

/** Lines for the title, the totals, the heading and the keys. */
const FRAME_LINES = 4;

export function Screen({ state, keys }: Readonly<{ state: State; keys: Keys }>): ReactElement {
  const { columns, rows: height } = useWindowSize();
  const { isRawModeSupported } = useStdin();
  useInput(
    (input, key) => {
      if (input === 'q' || key.escape) keys.quit();
      if (input === 's') keys.sort();
    },
    { isActive: isRawModeSupported },
  );
  const { origin, order, fault } = state;
  const rows = sorted(state.rows, order);
  const room = Math.max(1, height - FRAME_LINES - 1);
  const shown = rows.length > room ? rows.slice(0, room - 1) : rows;
  const { heading, lines } = tableOf(shown, columns);
  const notes = notesOf(shown).slice(0, Math.max(0, room - lines.length));
  const line = (text: string, props: object = {}) =>
    h(Text, { wrap: 'truncate', ...props }, fit(text, columns).trimEnd() || ' ');

  return h(
    Box,
    { flexDirection: 'column' },
    line(`penstock top  ${origin}`, { bold: true }),
    fault === null ? line(summary(totalsOf(rows))) : line(fault, { color: 'red' }),
    cells(heading, (cell) => ({ inverse: true, bold: cell.order === order })),
    ...lines.map((each) => cells(each, ({ title, text }) => colourOf(title, text))),
    rows.length > shown.length ? line(`… and ${rows.length - shown.length} more`) : null,
    ...notes.map((note) => line(note, { dimColor: true })),
    line(isRawModeSupported ? `q quit · s sort (by ${order})` : 'Ctrl-C to quit', {
      dimColor: true,
    }),
  );
}

function cells(line: readonly Cell[], propsOf: (cell: Cell) => object): ReactElement {
  const parts = line.map((cell, index) => [
    index === 0 ? '' : ' ',
    h(Text, { key: cell.title, ...propsOf(cell) }, cell.text),
  ]);
  return h(Text, { wrap: 'truncate' }, ...parts.flat());
}

function colourOf(title: string, text: string): object {
  const color = title === 'PHASE' ? COLOURS[text.trim()] : undefined;
  return color ? { color } : {};
}

function notesOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`));
}
