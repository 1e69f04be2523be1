/** A document with the texts and figures that are printed on it. */
import { contactHref } from '../../../../../shared/contact.ts';
import {
  linesOf,
  type PrintedDocument,
  sellerLines,
} from '../../../../../shared/documents/document.ts';
import { DocumentLines } from '../../../parts/document-lines.tsx';
import { Fact, Facts, Panel } from '../../../parts/page.tsx';

export function DocumentPanel({ document }: { document: PrintedDocument }) {
  const { title, number, headline, seller, buyer, contact, facts } = document;
  const { payment = [], explanation } = document;
  const notes = [explanation ?? '', seller?.note ?? ''].filter((note) => note !== '');
  return (
    <Panel flush>
      <div className="grid gap-5 px-5 py-5">
        {headline !== undefined && <p className="text-lg font-semibold">{headline}</p>}
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
      <DocumentLines label={`${title} ${number}`} of={document} />
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

function Payment({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="grid gap-1 border-t px-5 py-4 text-sm">
      <h2 className="font-semibold">How to pay</h2>
      <p className="wrap-anywhere whitespace-pre-line">{lines.join('\n')}</p>
    </div>
  );
}
