/** The dialog in which operators report an incident, with what the status page will show. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Incident, NewIncident, OpenIncident } from '../../../../shared/api/incidents.ts';
import type { Region } from '../../../../shared/region.ts';
import { type Sent, send } from '../../api/client.ts';
import { openIncidentsQuery } from '../../api/incidents.ts';
import { now } from '../../clock.ts';
import { inputInstant, inputText } from '../../format/input-time.ts';
import { TextAreaField } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { servedRegions } from '../../served-regions.ts';
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
import { affectedWords, IncidentShown } from './incidents.tsx';
import { affectedIn, isChosen } from './scope.ts';
import { overlap } from './summary.ts';

/** What the form has before anything is entered. */
type ReportDraft = Readonly<{
  title: string;
  /** ISO 8601; null: it begins now. */
  started: string | null;
  /** Empty: not chosen yet, and so are the regions. */
  models: readonly string[];
  regions: readonly Region[];
}>;
const NO_DRAFT: ReportDraft = { title: '', started: null, models: [], regions: [] };

type ReportProps = Readonly<{ models: NamedModels; draft?: ReportDraft; onClose: () => void }>;

/** `startText`: the start as the input has it; empty: now. */
type Entered = Affected &
  Readonly<{ title: string; state: Incident['state']; startText: string; message: string }>;

export function ReportDialog({
  models,
  draft: { started: drafted, ...draft } = NO_DRAFT,
  onClose,
}: ReportProps) {
  const zone = useZone();
  const [entered, setEntered] = useState<Entered>({
    ...draft,
    // Where one region is served, there is nothing to choose.
    ...(draft.regions.length === 0 && servedRegions().length === 1 && { regions: 'all' }),
    state: 'investigating',
    startText: drafted === null ? '' : inputText(Date.parse(drafted), zone),
    message: '',
  });
  const set = (part: Partial<Entered>) => setEntered((before) => ({ ...before, ...part }));
  const { title, state, message, startText } = entered;
  const at = inputInstant(startText, zone);
  const started = Number.isNaN(at) ? null : new Date(at).toISOString();
  const report = useMutation({
    mutationFn: async () => {
      const incident: Sent<typeof NewIncident> = {
        title,
        state,
        message,
        ...(started !== null && { started }),
        ...chosenOf(entered),
      };
      return await send<Incident>('POST', '/incidents', incident);
    },
    meta: REFETCH,
    onSuccess: closeAndSay(onClose, 'Incident reported'),
  });
  return (
    <FormDialog
      onClose={onClose}
      width="widest"
      title="Report an incident"
      description="Everybody who can see the status page reads it."
      action="Report incident"
      mutation={report}
      fields={['title', 'message', 'started', 'models', 'regions']}
      onSend={() => report.mutate()}
    >
      <OverlapWarning affected={entered} />
      <div className="grid gap-4 md:grid-cols-2 md:gap-6">
        <div className="grid content-start gap-4">
          <TitleField value={title} onChange={(text) => set({ title: text })} />
          <AffectedFields models={models} chosen={entered} onChange={set} />
          <StateField state={state} onChange={(chosen) => set({ state: chosen })} />
          <StartField
            hint="Leave it empty if the incident begins now. "
            value={startText}
            onChange={(text) => set({ startText: text })}
          />
          <TextAreaField
            label="Message"
            param="message"
            maxLength={2_000}
            required
            value={message}
            onChange={(text) => set({ message: text })}
          />
        </div>
        <Preview entered={entered} started={started} models={models} />
      </div>
    </FormDialog>
  );
}

/** Names the open incidents of the same models: an update of one of them may be meant. */
function OverlapWarning({ affected }: { affected: Affected }) {
  const open = useQuery(openIncidentsQuery).data?.data ?? [];
  if (!isChosen(affected.models) || !isChosen(affected.regions)) return null;
  const chosen = { models: affectedIn(affected.models), regions: affectedIn(affected.regions) };
  const same: readonly OpenIncident[] = open.filter((one) => overlap(one, chosen));
  if (same.length === 0) return null;
  return (
    <Notice tone="warn" title="Another open incident affects the same models">
      <ul className="grid gap-0.5">
        {same.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      Post an update to it instead, unless this has another cause.
    </Notice>
  );
}

type PreviewProps = Readonly<{ entered: Entered; started: string | null; models: NamedModels }>;

function Preview({ entered, started, models }: PreviewProps) {
  const { title, state, message } = entered;
  const at = new Date(now()).toISOString();
  const incident: Incident = {
    id: 'preview',
    title: title.trim() === '' ? 'Title' : title,
    state,
    models: affectedIn(entered.models),
    regions: affectedIn(entered.regions),
    created: started ?? at,
    resolved: state === 'resolved' ? at : null,
    updates: [{ state, message: message.trim() === '' ? 'Message' : message, created: at }],
  };
  const names = new Map(models.map(({ id, name }) => [id, name]));
  const isWhole = isChosen(entered.models) && isChosen(entered.regions);
  return (
    <section
      aria-label="Preview of the status page"
      className="grid min-w-0 content-start gap-1.5 self-start md:sticky md:top-0"
    >
      <p className="text-sm font-medium">Preview of the status page</p>
      <div className="grid gap-3 rounded-lg border border-dashed px-4 py-3">
        <IncidentShown
          incident={incident}
          names={names}
          affected={isWhole ? affectedWords(incident, names) : 'Affected models · regions'}
        />
      </div>
    </section>
  );
}
