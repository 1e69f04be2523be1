import { Link } from '@tanstack/react-router';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import type { AuditSearch } from '../../search.ts';

/** Leads from a part of the audit log to the same part on its own page. */
export function FilterAndExport({ search }: Readonly<{ search: AuditSearch }>) {
  return (
    <Button size="small" asChild>
      <Link to={PAGES.platformAudit.path} search={search}>
        Filter and export
      </Link>
    </Button>
  );
}
