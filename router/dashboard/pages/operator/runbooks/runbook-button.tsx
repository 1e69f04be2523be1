import { Link } from '@tanstack/react-router';
import { LifeBuoy } from 'lucide-react';
import { TITLES } from 'virtual:runbook-titles';
import { Button } from '../../../parts/form/button.tsx';
import { PAGES } from '../../../pages.ts';

/** Leads from what is wrong to what to do. `runbook`: the name of a section of docs/runbooks.md. */
export function RunbookButton({ runbook }: { runbook: string }) {
  return (
    <Button asChild size="small">
      <Link to={PAGES.runbook.path} params={{ runbook }} title={TITLES[runbook]}>
        <LifeBuoy /> Runbook
      </Link>
    </Button>
  );
}
