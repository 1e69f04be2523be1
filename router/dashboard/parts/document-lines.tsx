/** The lines of a printed document, and what they add up to. */
import type { PrintedDocument, PrintedLine } from '../../../shared/documents/document.ts';
import { cx } from './class-names.ts';
import { foremost, numeric, Table, Td } from './list/table.tsx';

type DocumentLinesProps = Readonly<{
  /** The name of the table for screen readers. */
  label: string;
  of: Pick<PrintedDocument, 'columns' | 'lines' | 'totals'>;
}>;

export function DocumentLines({ label, of }: DocumentLinesProps) {
  return (
    <>
      <Lines label={label} of={of} />
      <Totals totals={of.totals} />
    </>
  );
}

function Lines({ label, of: { columns, lines } }: DocumentLinesProps) {
  const [first = '', ...figures] = columns;
  const last = figures.length - 1;
  return (
    <Table
      label={label}
      columns={[
        first,
        ...figures.map((name, at) => (at === last ? foremost(numeric(name)) : numeric(name))),
      ]}
    >
      {lines.map((line, at) => (
        // Two adjustments may have the same description. The order of the lines never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <Line key={at} line={line} columns={figures} />
      ))}
    </Table>
  );
}

type LineProps = Readonly<{ line: PrintedLine; columns: readonly string[] }>;

function Line({ line: { description, cells }, columns }: LineProps) {
  const [first, ...more] = description;
  return (
    <tr>
      <Td className="wrap-anywhere">
        {first}
        {more.map((text) => (
          <span key={text} className="block text-xs font-normal text-muted">
            {text}
          </span>
        ))}
      </Td>
      {columns.map((column, at) => (
        <Td key={column} right>
          {cells[at]}
        </Td>
      ))}
    </tr>
  );
}

/** The last total is what counts. */
function Totals({ totals }: Pick<PrintedDocument, 'totals'>) {
  return (
    <dl className="grid gap-1.5 border-t px-5 py-4 text-sm">
      {totals.map(([name, amount], at) => (
        <div
          key={name}
          className={cx(
            'flex justify-between gap-6 sm:justify-end',
            at === totals.length - 1 && 'font-semibold',
          )}
        >
          <dt>{name}</dt>
          <dd className="text-right tabular-nums sm:min-w-36">{amount}</dd>
        </div>
      ))}
    </dl>
  );
}
