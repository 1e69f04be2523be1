import { Link } from '@tanstack/react-router';
import { LifeBuoy } from 'lucide-react';
import { TITLES } from 'virtual:runbook-titles';
import { Button } from '../../../parts/form/button.tsx';
import { PAGES } from '../../../pages.ts';

type RunbookButtonProps = Readonly<{ runbook: string; look?: 'ghost' | 'secondary' }>;

/** Leads from what is wrong to what to do. `runbook`: the name of a section of docs/runbooks.md. */
export function RunbookButton({ runbook, look = 'secondary' }: RunbookButtonProps) {
  return (
    <Button asChild size="small" look={look}>
      <Link to={PAGES.runbook.path} params={{ runbook }} title={TITLES[runbook]}>
        <LifeBuoy /> Runbook
      </Link>
    </Button>
  );
}
