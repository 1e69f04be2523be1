/** What the dialogs about incidents have in common. */
import { type ComponentProps, use } from 'react';
import type { Incident } from '../../../../shared/api/incidents.ts';
import { INCIDENT_TITLE_CHARS_MAX } from '../../../../shared/incidents.ts';
import type { Region } from '../../../../shared/region.ts';
import { ApiError } from '../../api/client.ts';
import { INCIDENTS } from '../../api/incidents.ts';
import { statusQuery } from '../../api/public-figures.ts';
import { now } from '../../clock.ts';
import { inputText } from '../../format/input-time.ts';
import { REGION_CHOICES } from '../../format/regions.ts';
import { zoneWords } from '../../format/time.ts';
import { Field, FormError, SelectField, TextField } from '../../parts/form/field.tsx';
import { say } from '../../parts/said.tsx';
import { Toggles } from '../../parts/form/toggles.tsx';
import { useZone } from '../../zone.ts';
import { INCIDENT_STATES } from './incident-states.ts';
import { affectedIn, isChosen, type Scope, toggledScope } from './scope.ts';

const STATES = Object.entries(INCIDENT_STATES) as [Incident['state'], { name: string }][];
/** What is fetched again when an incident has changed. */
export const REFETCH = { refetch: [statusQuery.queryKey, INCIDENTS] };

export type NamedModels = readonly Readonly<{ id: string; name: string }>[];
export type Affected = Readonly<{ models: Scope<string>; regions: Scope<Region> }>;

/** Controlled with `value` and `onChange`, or with a `defaultValue` that the form reads. */
type InputProps = Omit<ComponentProps<typeof TextField>, 'label' | 'param' | 'hint'>;

export function TitleField(props: InputProps) {
  return (
    <TextField
      label="Title"
      param="title"
      maxLength={INCIDENT_TITLE_CHARS_MAX}
      autoComplete="off"
      required
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
        param="models"
        all="All models"
        chosen={chosen.models}
        choices={models.map(({ id, name }) => ({ value: id, name }))}
        onChange={(wanted) => onChange({ models: wanted })}
      />
      <Choices
        param="regions"
        all="All regions"
        chosen={chosen.regions}
        choices={REGION_CHOICES}
        onChange={(wanted) => onChange({ regions: wanted })}
      />
    </>
  );
}

type ChoicesProps<Choice extends string> = Readonly<{
  param: 'models' | 'regions';
  /** The name of the choice that is all of them. */
  all: string;
  chosen: Scope<Choice>;
  choices: readonly Readonly<{ value: Choice; name: string }>[];
  onChange: (chosen: Scope<Choice>) => void;
}>;

/** A choice of what is affected, under its name. Nothing is chosen at first. */
function Choices<Choice extends string>(props: ChoicesProps<Choice>) {
  const { param, all, chosen, choices, onChange } = props;
  const error = use(FormError);
  const label = `Affected ${param}`;
  return (
    <Field label={label} param={param} error={isChosen(chosen) ? null : error}>
      {({ id, 'aria-describedby': describedBy, 'aria-invalid': invalid }) => (
        <Toggles<'all' | Choice>
          id={id}
          describedBy={describedBy}
          invalid={invalid}
          label={label}
          chosen={chosen === 'all' ? ['all'] : chosen}
          choices={[{ value: 'all', name: all }, ...choices]}
          onChange={(pressed) => onChange(toggledScope(chosen, pressed))}
        />
      )}
    </Field>
  );
}

/** As the API takes them. Throws ApiError unless both are chosen. */
export function chosenOf({ models, regions }: Affected): { models: string[]; regions: Region[] } {
  if (!isChosen(models)) throw unchosen('models');
  if (!isChosen(regions)) throw unchosen('regions');
  return { models: affectedIn(models), regions: affectedIn(regions) };
}

function unchosen(param: 'models' | 'regions'): ApiError {
  const message = `Choose the affected ${param}, or all ${param}.`;
  return new ApiError(400, { message, code: 'invalid_value', param }, null);
}

export function closeAndSay(onClose: () => void, said: string): () => void {
  return () => {
    say(said);
    onClose();
  };
}
