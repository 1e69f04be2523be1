import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  Organization,
  OrganizationSettings,
} from '../../../../../shared/api/organizations.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { type Sent, send } from '../../../api/client.ts';
import { ofOrganization } from '../../../api/organization.ts';
import { Button } from '../../../parts/form/button.tsx';
import { SelectField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { Id } from '../../../parts/id.tsx';
import { Fact, Facts, Panel } from '../../../parts/page.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { servedRegions } from '../../../served-regions.ts';

export function OrganizationFacts({ organization }: { organization: Organization }) {
  const [moving, setMoving] = useState(false);
  const { id, region, base_url: baseUrl, created, deleted } = organization;
  const others = servedRegions().filter((each) => each !== region);
  return (
    <Panel
      title="Details"
      actions={
        deleted === null &&
        others.length > 0 && (
          <ForAdministrators>
            <Button size="small" onClick={() => setMoving(true)}>
              Move to another region
            </Button>
          </ForAdministrators>
        )
      }
    >
      <Facts>
        <Fact name="ID">
          <Id id={id} what="the ID" />
        </Fact>
        <Fact name="Region">{REGION_NAMES[region]}</Fact>
        <Fact name="Base URL">
          {baseUrl === null ? (
            <span className="text-muted">Unknown to this router</span>
          ) : (
            <Code>{baseUrl}</Code>
          )}
        </Fact>
        <Fact name="Created">
          <When at={created} />
        </Fact>
        <Fact name="Jobs">
          <Link
            to="/operator/jobs"
            search={{ state: 'done', search: id }}
            className="text-accent hover:underline"
          >
            Show emails and other jobs
          </Link>
        </Fact>
        {deleted !== null && (
          <Fact name="Deleted">
            <When at={deleted} />
          </Fact>
        )}
      </Facts>
      {moving && (
        <MoveDialog organization={organization} to={others} onClose={() => setMoving(false)} />
      )}
    </Panel>
  );
}

type MoveProps = Readonly<{
  organization: Organization;
  to: readonly Organization['region'][];
  onClose: () => void;
}>;

function MoveDialog({ organization: { id, name, region }, to, onClose }: MoveProps) {
  const move = useMutation({
    mutationFn: (settings: Sent<typeof OrganizationSettings>) =>
      send<Organization>('PATCH', `/organizations/${id}`, settings),
    meta: { refetch: [ofOrganization(id)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Move ${name}`}
      description={`Its keys stop working in ${REGION_NAMES[region]} immediately and work at the base URL of the new region. Keys, credit and billing do not change.`}
      action="Move organization"
      mutation={move}
      fields={['region']}
      onSend={(text) => move.mutate({ region: text('region') })}
    >
      <SelectField label="New region" param="region">
        {to.map((each) => (
          <option key={each} value={each}>
            {REGION_NAMES[each]}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
