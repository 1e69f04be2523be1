/** The dialogs in which operators update, correct and delete an incident. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  Incident,
  IncidentCorrection,
  NewIncidentUpdate,
} from '../../../../shared/api/incidents.ts';
import { type Sent, send } from '../../api/client.ts';
import { inputInstant, inputText } from '../../format/input-time.ts';
import { Confirm } from '../../parts/form/dialog.tsx';
import { TextAreaField } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useZone } from '../../zone.ts';
import {
  type Affected,
  AffectedFields,
  chosenOf,
  StartField,
  closeAndSay,
  type NamedModels,
  REFETCH,
  StateField,
  TitleField,
} from './incident-fields.tsx';
import { scopeOf } from './scope.ts';

type Close = Readonly<{ onClose: () => void }>;
type OneProps = Close & Readonly<{ incident: Incident }>;
type CorrectProps = OneProps & Readonly<{ models: NamedModels }>;

/** Corrects what is wrong in an incident and its newest update. News go into an update instead. */
export function CorrectDialog({ incident, models, onClose }: CorrectProps) {
  const zone = useZone();
  const [affected, setAffected] = useState<Affected>({
    models: scopeOf(incident.models),
    regions: scopeOf(incident.regions),
  });
  const startText = inputText(Date.parse(incident.created), zone);
  const correct = useMutation({
    mutationFn: async (text: (name: string) => string) => {
      const body: Sent<typeof IncidentCorrection> = {
        title: text('title'),
        message: text('message'),
        // The field has no seconds, so that an untouched one would change the start.
        ...(text('started') !== startText && {
          started: new Date(inputInstant(text('started'), zone)).toISOString(),
        }),
        ...chosenOf(affected),
      };
      return await send<Incident>('PATCH', `/incidents/${incident.id}`, body);
    },
    meta: REFETCH,
    onSuccess: closeAndSay(onClose, 'Incident changed'),
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit the incident"
      description="What you replace stays in the audit log. Tell news in an update instead."
      action="Save changes"
      mutation={correct}
      fields={['title', 'message', 'started', 'models', 'regions']}
      onSend={(text) => correct.mutate(text)}
    >
      <TitleField defaultValue={incident.title} />
      <StartField required defaultValue={startText} />
      <TextAreaField
        label="Message of the newest update"
        param="message"
        defaultValue={incident.updates[0]?.message}
        maxLength={2_000}
      />
      <AffectedFields
        models={models}
        chosen={affected}
        onChange={(part) => setAffected((before) => ({ ...before, ...part }))}
      />
    </FormDialog>
  );
}

type UpdateProps = OneProps &
  Readonly<{ /** What is chosen at first. */ state: Incident['state'] }>;

export function UpdateDialog({ incident, state, onClose }: UpdateProps) {
  // The incident that is passed is the new one before the update counts as sent.
  const [before] = useState(incident.state);
  const isResolving = state === 'resolved' && before !== 'resolved';
  const update = useMutation({
    mutationFn: (text: (name: string) => string) => {
      const body: Sent<typeof NewIncidentUpdate> = {
        state: text('state') as Incident['state'],
        message: text('message'),
      };
      return send<Incident>('POST', `/incidents/${incident.id}/updates`, body);
    },
    meta: REFETCH,
    onSuccess: ({ state: now }) => {
      const isResolved = now === 'resolved' && before !== 'resolved';
      closeAndSay(onClose, isResolved ? 'Incident resolved' : 'Update posted')();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={isResolving ? 'Resolve the incident' : 'Update the incident'}
      description={incident.title}
      action={isResolving ? 'Resolve incident' : 'Post update'}
      mutation={update}
      fields={['message']}
      onSend={(text) => update.mutate(text)}
    >
      <StateField state={state} />
      <TextAreaField label="Message" param="message" maxLength={2_000} />
    </FormDialog>
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
