import { Badge } from '../../../parts/shown.tsx';
import { severityInWords } from './severity-words.ts';

/** How urgent an alert is, such as "Warning, urgent two days before". */
export function SeverityBadge({ severity }: { severity: string }) {
  const [first = '', ...rest] = severityInWords(severity).split(', ');
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone={first === 'Urgent' ? 'bad' : 'warn'}>{first}</Badge>
      {rest.length > 0 && <span className="text-xs text-muted">{rest.join(', ')}</span>}
    </span>
  );
}
