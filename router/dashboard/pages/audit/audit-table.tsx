import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import { fullTime } from '../../format/time.ts';
import { cx } from '../../parts/class-names.ts';
import { Fact, Facts } from '../../parts/page.tsx';
import { Code, When } from '../../parts/shown.tsx';
import { Table, Td } from '../../parts/table.tsx';
import { actionInWords, actorInWords, detailInWords } from './words.ts';

const COLUMNS = 5;

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table label="Audit log" columns={['Action', 'Actor', 'Time', 'IP address', 'Target']}>
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} />
      ))}
    </Table>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const who = actorInWords(entry.actor);
  return (
    <>
      <tr>
        <Td>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
            className="-ml-1.5 flex items-center gap-1.5 rounded-md py-0.5 pr-1.5 text-left font-medium whitespace-nowrap hover:bg-hover"
          >
            <ChevronRight
              className={cx('size-4 shrink-0 text-muted', isOpen && 'rotate-90')}
              aria-hidden
            />
            {actionInWords(entry.action)}
          </button>
        </Td>
        <Td className="max-w-56">
          <span className="block truncate">{who.name}</span>
          {who.note !== null && (
            <span className="block truncate text-xs text-muted">{who.note}</span>
          )}
        </Td>
        <Td className="text-muted">
          <When at={entry.created} />
        </Td>
        <Td className="whitespace-nowrap text-muted">{entry.address ?? '–'}</Td>
        <Td className="max-w-48">
          <Target entry={entry} />
        </Td>
      </tr>
      {isOpen && (
        <tr id={id} className="bg-sunken/40">
          <td colSpan={COLUMNS} className="px-5 py-4">
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Shows the target's name when the log has it, and otherwise its id. */
function Target({ entry: { target, details } }: { entry: AuditEntry }) {
  const { name } = details;
  if (typeof name === 'string' && name !== '')
    return <span className="block truncate">{name}</span>;
  if (target === null) return <span className="text-muted">–</span>;
  return <span className="block truncate font-mono text-xs text-muted">{target}</span>;
}

function Details({ entry }: { entry: AuditEntry }) {
  const { action, actor, target, details, address, request_id: request, created } = entry;
  return (
    <Facts>
      <Fact name="Action">
        <Code>{action}</Code>
      </Fact>
      {Object.entries(details).map(([name, value]) => (
        <Fact key={name} name={detailInWords(name)}>
          {value === null ? <span className="text-muted">None</span> : String(value)}
        </Fact>
      ))}
      {target !== null && (
        <Fact name="Target ID">
          <Code>{target}</Code>
        </Fact>
      )}
      {actor.id !== null && (
        <Fact name="Actor ID">
          <Code>{actor.id}</Code>
        </Fact>
      )}
      <Fact name="IP address">{address ?? <span className="text-muted">Not shown</span>}</Fact>
      <Fact name="Time">{fullTime(created)}</Fact>
      <Fact name="Request ID">
        <Code>{request}</Code>
      </Fact>
    </Facts>
  );
}
