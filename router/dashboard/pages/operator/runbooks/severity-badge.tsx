import { Badge } from '../../../parts/shown.tsx';

/** How urgent an alert is, such as "ticket, page two days before". */
export function SeverityBadge({ severity }: { severity: string }) {
  const [first = '', ...rest] = severity.split(', ');
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone={first === 'page' ? 'bad' : 'neutral'}>
        {first === 'page' ? 'Page' : 'Ticket'}
      </Badge>
      {rest.length > 0 && <span className="text-xs text-muted">{rest.join(', ')}</span>}
    </span>
  );
}
