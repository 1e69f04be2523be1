/** The dialogs in which operators report an incident, update, correct and delete it. */
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type {
  Incident,
  IncidentCorrection,
  NewIncident,
  NewIncidentUpdate,
} from '../../../../shared/api/incidents.ts';
import { INCIDENT_TITLE_CHARS_MAX } from '../../../../shared/incidents.ts';
import { type Sent, send } from '../../api/client.ts';
import { INCIDENTS } from '../../api/incidents.ts';
import { statusQuery } from '../../api/public-figures.ts';
import { REGION_NAMES, REGIONS } from '../../format/regions.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { say } from '../../parts/said.tsx';
import { Toggles } from '../../parts/toggles.tsx';
import { INCIDENT_STATES } from './incidents.tsx';

const STATES = Object.entries(INCIDENT_STATES) as [Incident['state'], { name: string }][];
const REGION_CHOICES = REGIONS.map((value) => ({ value, name: REGION_NAMES[value] }));
const REFETCH = { refetch: [statusQuery.queryKey, INCIDENTS] };

type Close = Readonly<{ onClose: () => void }>;
type RegionName = (typeof REGIONS)[number];
/** What the form has before anything is entered. */
type ReportDraft = Readonly<{
  title: string;
  models: readonly string[];
  regions: readonly RegionName[];
}>;
const NO_DRAFT: ReportDraft = { title: '', models: [], regions: [] };
type ReportProps = Close &
  Readonly<{ models: readonly Readonly<{ id: string; name: string }>[]; draft?: ReportDraft }>;

export function ReportDialog({ models, draft = NO_DRAFT, onClose }: ReportProps) {
  const [affected, setAffected] = useState(draft.models);
  const [regions, setRegions] = useState(draft.regions);
  const report = useMutation({
    mutationFn: (text: (name: string) => string) => {
      const incident: Sent<typeof NewIncident> = {
        title: text('title'),
        state: text('state') as Incident['state'],
        message: text('message'),
        models: [...affected],
        regions: [...regions],
      };
      return send<Incident>('POST', '/incidents', incident);
    },
    meta: REFETCH,
    onSuccess: closeAndSay(onClose, 'Incident reported'),
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Report an incident"
      description="Everybody who can see the status page reads it. Choose no model or no region if all are affected."
      action="Report incident"
      mutation={report}
      fields={['title', 'message']}
      onSend={(text) => report.mutate(text)}
    >
      <TextField
        label="Title"
        param="title"
        defaultValue={draft.title}
        maxLength={INCIDENT_TITLE_CHARS_MAX}
        autoComplete="off"
      />
      <StateField state="investigating" />
      <TextAreaField label="Message" param="message" maxLength={2_000} />
      <Affected
        label="Affected models"
        chosen={affected}
        choices={models.map(({ id, name }) => ({ value: id, name }))}
        onChange={setAffected}
      />
      <Affected
        label="Affected regions"
        chosen={regions}
        choices={REGION_CHOICES}
        onChange={setRegions}
      />
    </FormDialog>
  );
}

/** A choice of what is affected, under its name. */
function Affected<Choice extends string>(props: ComponentProps<typeof Toggles<Choice>>) {
  return (
    <div className="grid gap-1.5">
      <p aria-hidden className="text-sm font-medium">
        {props.label}
      </p>
      <Toggles {...props} />
    </div>
  );
}

type OneProps = Close & Readonly<{ incident: Incident }>;
type CorrectProps = OneProps & Pick<ReportProps, 'models'>;

/** Corrects what is wrong in an incident and its newest update. News go into an update instead. */
export function CorrectDialog({ incident, models, onClose }: CorrectProps) {
  const [affected, setAffected] = useState<readonly string[]>(incident.models);
  const [regions, setRegions] = useState<readonly RegionName[]>(incident.regions);
  const correct = useMutation({
    mutationFn: (text: (name: string) => string) => {
      const body: Sent<typeof IncidentCorrection> = {
        title: text('title'),
        message: text('message'),
        models: [...affected],
        regions: [...regions],
      };
      return send<Incident>('PATCH', `/incidents/${incident.id}`, body);
    },
    meta: REFETCH,
    onSuccess: closeAndSay(onClose, 'Incident corrected'),
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Correct the incident"
      description="What you replace stays in the audit log. Tell news in an update instead."
      action="Correct incident"
      mutation={correct}
      fields={['title', 'message']}
      onSend={(text) => correct.mutate(text)}
    >
      <TextField
        label="Title"
        param="title"
        defaultValue={incident.title}
        maxLength={INCIDENT_TITLE_CHARS_MAX}
        autoComplete="off"
      />
      <TextAreaField
        label="Message of the newest update"
        param="message"
        defaultValue={incident.updates[0]?.message}
        maxLength={2_000}
      />
      <Affected
        label="Affected models"
        chosen={affected}
        choices={models.map(({ id, name }) => ({ value: id, name }))}
        onChange={setAffected}
      />
      <Affected
        label="Affected regions"
        chosen={regions}
        choices={REGION_CHOICES}
        onChange={setRegions}
      />
    </FormDialog>
  );
}

export function UpdateDialog({ incident, onClose }: OneProps) {
  const update = useMutation({
    mutationFn: (text: (name: string) => string) => {
      const body: Sent<typeof NewIncidentUpdate> = {
        state: text('state') as Incident['state'],
        message: text('message'),
      };
      return send<Incident>('POST', `/incidents/${incident.id}/updates`, body);
    },
    meta: REFETCH,
    onSuccess: closeAndSay(onClose, 'Update posted'),
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Update the incident"
      description={incident.title}
      action="Post update"
      mutation={update}
      fields={['message']}
      onSend={(text) => update.mutate(text)}
    >
      <StateField state={incident.state} />
      <TextAreaField label="Message" param="message" maxLength={2_000} />
    </FormDialog>
  );
}

function StateField({ state }: Pick<Incident, 'state'>) {
  return (
    <SelectField label="State" param="state" defaultValue={state}>
      {STATES.map(([value, { name }]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

export function DeleteDialog({ incident, onClose }: OneProps) {
  const remove = useMutation({
    mutationFn: () => send('DELETE', `/incidents/${incident.id}`),
    meta: REFETCH,
    onSuccess: closeAndSay(onClose, 'Incident deleted'),
  });
  return (
    <Confirm
      onClose={onClose}
      title="Delete the incident?"
      action="Delete incident"
      mutation={remove}
    >
      <p>
        "{incident.title}" and its updates disappear from the status page. To end an incident, post
        an update that resolves it.
      </p>
    </Confirm>
  );
}

function closeAndSay(onClose: () => void, said: string): () => void {
  return () => {
    say(said);
    onClose();
  };
}
