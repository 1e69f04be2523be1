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
import { REGION_CHOICES, type REGIONS } from '../../format/regions.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { say } from '../../parts/said.tsx';
import { Toggles } from '../../parts/toggles.tsx';
import { INCIDENT_STATES } from './incidents.tsx';

const STATES = Object.entries(INCIDENT_STATES) as [Incident['state'], { name: string }][];
const REFETCH = { refetch: [statusQuery.queryKey, INCIDENTS] };

type Close = Readonly<{ onClose: () => void }>;
type RegionName = (typeof REGIONS)[number];
type Affected = Readonly<{ models: readonly string[]; regions: readonly RegionName[] }>;
/** What the form has before anything is entered. */
type ReportDraft = Affected & Readonly<{ title: string }>;
const NO_DRAFT: ReportDraft = { title: '', models: [], regions: [] };
type ReportProps = Close &
  Readonly<{ models: readonly Readonly<{ id: string; name: string }>[]; draft?: ReportDraft }>;

export function ReportDialog({ models, draft = NO_DRAFT, onClose }: ReportProps) {
  const [affected, setAffected] = useState<Affected>(draft);
  const report = useMutation({
    mutationFn: (text: (name: string) => string) => {
      const incident: Sent<typeof NewIncident> = {
        title: text('title'),
        state: text('state') as Incident['state'],
        message: text('message'),
        models: [...affected.models],
        regions: [...affected.regions],
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
      <TitleField title={draft.title} />
      <StateField state="investigating" />
      <TextAreaField label="Message" param="message" maxLength={2_000} />
      <AffectedFields models={models} chosen={affected} onChange={setAffected} />
    </FormDialog>
  );
}

function TitleField({ title }: Pick<ReportDraft, 'title'>) {
  return (
    <TextField
      label="Title"
      param="title"
      defaultValue={title}
      maxLength={INCIDENT_TITLE_CHARS_MAX}
      autoComplete="off"
    />
  );
}

type AffectedProps = Pick<ReportProps, 'models'> &
  Readonly<{ chosen: Affected; onChange: (chosen: Affected) => void }>;

function AffectedFields({ models, chosen, onChange }: AffectedProps) {
  return (
    <>
      <Choices
        label="Affected models"
        chosen={chosen.models}
        choices={models.map(({ id, name }) => ({ value: id, name }))}
        onChange={(wanted) => onChange({ ...chosen, models: wanted })}
      />
      <Choices
        label="Affected regions"
        chosen={chosen.regions}
        choices={REGION_CHOICES}
        onChange={(wanted) => onChange({ ...chosen, regions: wanted })}
      />
    </>
  );
}

/** A choice of what is affected, under its name. */
function Choices<Choice extends string>(props: ComponentProps<typeof Toggles<Choice>>) {
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
  const [affected, setAffected] = useState<Affected>(incident);
  const correct = useMutation({
    mutationFn: (text: (name: string) => string) => {
      const body: Sent<typeof IncidentCorrection> = {
        title: text('title'),
        message: text('message'),
        models: [...affected.models],
        regions: [...affected.regions],
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
      <TitleField title={incident.title} />
      <TextAreaField
        label="Message of the newest update"
        param="message"
        defaultValue={incident.updates[0]?.message}
        maxLength={2_000}
      />
      <AffectedFields models={models} chosen={affected} onChange={setAffected} />
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
