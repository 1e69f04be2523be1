/** A document with the texts and figures that are printed on it. */
import { contactHref } from '../../../../../shared/contact.ts';
import {
  linesOf,
  type PrintedDocument,
  type PrintedLine,
  sellerLines,
} from '../../../../../shared/documents/document.ts';
import { cx } from '../../../parts/class-names.ts';
import { Fact, Facts, Panel } from '../../../parts/page.tsx';
import { foremost, numeric, Table, Td } from '../../../parts/table.tsx';

export function DocumentPanel({ document }: { document: PrintedDocument }) {
  const { title, number, seller, buyer, contact, facts, payment = [], explanation } = document;
  const notes = [explanation ?? '', seller?.note ?? ''].filter((note) => note !== '');
  return (
    <Panel flush>
      <div className="grid gap-5 px-5 py-5">
        <div className="grid gap-5 text-sm sm:grid-cols-2">
          <Party name="Seller" lines={sellerLines(document)} contact={contact} />
          <Party name="Billed to" lines={linesOf(buyer)} contact={null} />
        </div>
        <Facts>
          {facts.map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </Facts>
      </div>
      <Lines label={`${title} ${number}`} document={document} />
      <Totals totals={document.totals} />
      <Payment lines={payment} />
      {notes.map((note) => (
        <p key={note} className="border-t px-5 py-3 text-sm text-muted">
          {note}
        </p>
      ))}
    </Panel>
  );
}

type PartyProps = Readonly<{ name: string; lines: readonly string[]; contact: string | null }>;

function Party({ name, lines, contact }: PartyProps) {
  return (
    <div className="grid content-start gap-1">
      <h2 className="text-muted">{name}</h2>
      <p className="wrap-anywhere whitespace-pre-line">{lines.join('\n')}</p>
      {contact !== null && (
        <p className="wrap-anywhere">
          Contact:{' '}
          <a href={contactHref(contact)} className="text-accent hover:underline">
            {contact}
          </a>
        </p>
      )}
    </div>
  );
}

type LinesProps = Readonly<{ label: string; document: PrintedDocument }>;

function Lines({ label, document: { columns, lines } }: LinesProps) {
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

function Payment({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="grid gap-1 border-t px-5 py-4 text-sm">
      <h2 className="font-semibold">How to pay</h2>
      <p className="wrap-anywhere whitespace-pre-line">{lines.join('\n')}</p>
    </div>
  );
}
