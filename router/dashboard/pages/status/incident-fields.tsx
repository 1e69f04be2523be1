/** What the dialogs about incidents have in common. */
import type { ComponentProps } from 'react';
import type { Incident } from '../../../../shared/api/incidents.ts';
import { INCIDENT_TITLE_CHARS_MAX } from '../../../../shared/incidents.ts';
import type { Region } from '../../../../shared/region.ts';
import { INCIDENTS } from '../../api/incidents.ts';
import { statusQuery } from '../../api/public-figures.ts';
import { now } from '../../clock.ts';
import { inputText } from '../../format/input-time.ts';
import { REGION_CHOICES } from '../../format/regions.ts';
import { zoneWords } from '../../format/time.ts';
import { SelectField, TextField } from '../../parts/form/field.tsx';
import { say } from '../../parts/said.tsx';
import { Toggles } from '../../parts/form/toggles.tsx';
import { useZone } from '../../zone.ts';
import { INCIDENT_STATES } from './incident-states.ts';

const STATES = Object.entries(INCIDENT_STATES) as [Incident['state'], { name: string }][];
/** What is fetched again when an incident has changed. */
export const REFETCH = { refetch: [statusQuery.queryKey, INCIDENTS] };

export type NamedModels = readonly Readonly<{ id: string; name: string }>[];
export type Affected = Readonly<{ models: readonly string[]; regions: readonly Region[] }>;

/** Controlled with `value` and `onChange`, or with a `defaultValue` that the form reads. */
type InputProps = Omit<ComponentProps<typeof TextField>, 'label' | 'param' | 'hint'>;

export function TitleField(props: InputProps) {
  return (
    <TextField
      label="Title"
      param="title"
      maxLength={INCIDENT_TITLE_CHARS_MAX}
      autoComplete="off"
      {...props}
    />
  );
}

/** When the incident began, in the reader's zone. It cannot begin in the future. */
export function StartField({ hint = '', ...props }: InputProps & Readonly<{ hint?: string }>) {
  const zone = useZone();
  return (
    <TextField
      label="Began"
      hint={`${hint}The time is ${zoneWords(zone)}.`}
      param="started"
      type="datetime-local"
      max={inputText(now(), zone)}
      {...props}
    />
  );
}

type StateProps = Readonly<{
  /** The state that is chosen first. */
  state: Incident['state'];
  onChange?: (state: Incident['state']) => void;
}>;

export function StateField({ state, onChange }: StateProps) {
  return (
    <SelectField
      label="Status"
      param="state"
      defaultValue={state}
      onChange={(chosen) => onChange?.(chosen as Incident['state'])}
    >
      {STATES.map(([value, { name }]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

type AffectedProps = Readonly<{
  models: NamedModels;
  chosen: Affected;
  onChange: (part: Partial<Affected>) => void;
}>;

export function AffectedFields({ models, chosen, onChange }: AffectedProps) {
  return (
    <>
      <Choices
        label="Affected models"
        chosen={chosen.models}
        choices={models.map(({ id, name }) => ({ value: id, name }))}
        onChange={(wanted) => onChange({ models: wanted })}
      />
      <Choices
        label="Affected regions"
        chosen={chosen.regions}
        choices={REGION_CHOICES}
        onChange={(wanted) => onChange({ regions: wanted })}
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

export function closeAndSay(onClose: () => void, said: string): () => void {
  return () => {
    say(said);
    onClose();
  };
}
