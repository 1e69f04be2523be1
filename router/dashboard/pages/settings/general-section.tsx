import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Organization, OrganizationSettings } from '../../../../shared/api/organizations.ts';
import { send, type Sent } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { ContactSupport } from '../../parts/contact-support.tsx';
import { Copied } from '../../parts/copy.tsx';
import { Day } from '../../parts/day.tsx';
import { Fault, TextField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Id } from '../../parts/id.tsx';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Badge, Code } from '../../parts/shown.tsx';
import { useMay } from '../../session.tsx';
import { Section } from '../../parts/section.tsx';

export function GeneralSection({ organization }: { organization: Organization }) {
  const { id, base_url: baseUrl, created, status } = organization;
  return (
    <Section title="General" description="The organization's name, base URL and ID.">
      <Panel>
        <div className="grid gap-5">
          <NameForm organization={organization} />
          <Facts>
            <Fact name="Base URL">
              {baseUrl === null ? (
                <span className="text-muted">
                  Unknown. <ContactSupport>Contact support</ContactSupport>.
                </span>
              ) : (
                <Copied text={baseUrl} what="the base URL">
                  <Code>{baseUrl}</Code>
                </Copied>
              )}
            </Fact>
            <Fact name="Organization ID">
              <Id id={id} what="the organization ID" />
            </Fact>
            <Fact name="Created">
              <Day at={created} />
            </Fact>
            {status === 'suspended' && (
              <Fact name="Status">
                <Badge tone="bad">Suspended</Badge>
              </Fact>
            )}
          </Facts>
        </div>
      </Panel>
    </Section>
  );
}

function NameForm({ organization: { id, name } }: { organization: Organization }) {
  const queries = useQueryClient();
  const may = useMay('settings');
  const [wanted, setWanted] = useState(name);
  const rename = useMutation({
    mutationFn: (body: Sent<typeof OrganizationSettings>) =>
      send<Organization>('PATCH', `/organizations/${id}`, body),
    onSuccess: async (changed) => {
      setWanted(changed.name);
      say('Name saved');
      await Promise.all([
        queries.invalidateQueries({ queryKey: ofOrganization(id) }),
        queries.invalidateQueries({ queryKey: meQuery.queryKey }),
      ]);
    },
  });
  return (
    <Form
      error={rename.error}
      className="grid gap-3"
      onSend={() => rename.mutate({ name: wanted })}
    >
      <div className="flex max-w-md items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Name"
            param="name"
            autoComplete="organization"
            maxLength={100}
            value={wanted}
            onChange={setWanted}
          />
        </div>
        <Button
          type="submit"
          busy={rename.isPending}
          disabled={!may || wanted.trim() === '' || wanted.trim() === name}
        >
          Save name
        </Button>
      </div>
      <Fault error={rename.error} fields={['name']} />
    </Form>
  );
}
