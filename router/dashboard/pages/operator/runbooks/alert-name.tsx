import { Link } from '@tanstack/react-router';
import { TITLES } from 'virtual:runbook-titles';
import { PAGES } from '../../../pages.ts';
import { Code } from '../../../parts/shown.tsx';

/** What an alert means, as a link to its runbook, and the name that it has in the monitoring. */
export function AlertName({ runbook }: { runbook: string }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 text-xs text-muted">
      <Link
        to={PAGES.runbook.path}
        params={{ runbook }}
        className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {/* A router of a later version may have recorded an alarm of another runbook. */}
        {TITLES[runbook] ?? 'Runbook'}
      </Link>
      <Code>{runbook}</Code>
    </span>
  );
}
