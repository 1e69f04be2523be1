import { Download } from 'lucide-react';
import { pathOf } from '../../api/client.ts';
import { Button } from '../../parts/form/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { useOrganization } from '../../session.tsx';
import { Section } from '../../parts/section.tsx';

export function ExportSection() {
  const href = pathOf(`/organizations/${useOrganization()}/export`);
  return (
    <Section title="Export" description="Download all organization data.">
      <Panel>
        <div className="grid justify-items-start gap-4 text-sm">
          <p className="text-muted">
            A JSON Lines file with members, invitations, API keys, webhooks, tokens, rates,
            transfers, usage and the audit log. Secrets are left out. A complete file ends with a
            line of the type <code className="font-mono text-xs">end</code>.
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
