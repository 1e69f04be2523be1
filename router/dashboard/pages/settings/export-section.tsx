import { Download } from 'lucide-react';
import { pathOf } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { useOrganization } from '../../session.tsx';
import { Section } from './section.tsx';

export function ExportSection() {
  const href = pathOf(`/organizations/${useOrganization()}/export`);
  return (
    <Section title="Export" description="Everything that the organization has, to take along.">
      <Panel>
        <div className="grid justify-items-start gap-4 text-sm">
          <p className="text-muted">
            One file with a JSON document a line: members, invitations, keys without their secrets,
            tokens, rates, transfers, usage and the audit log. Its last line is of type{' '}
            <code className="font-mono text-xs">end</code>; a file without it was cut short.
          </p>
          <Button asChild>
            <a href={href} download>
              <Download /> Download export
            </a>
          </Button>
        </div>
      </Panel>
    </Section>
  );
}
