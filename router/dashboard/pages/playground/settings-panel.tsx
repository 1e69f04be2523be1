/** The settings of the answers. Settings that none of the chosen models supports are left out. */
import type { Model } from '../../../../shared/api/models.ts';
import { ApiError } from '../../api/client.ts';
import { SelectField, TextAreaField, TextField } from '../../parts/field.tsx';
import { Switch } from '../../parts/switch.tsx';
import {
  boundsOf,
  EFFORTS,
  faultsOf,
  has,
  type NumberName,
  NUMBERS,
  type Settings,
  takes,
} from './settings.ts';
import { ToolsField } from './tools-field.tsx';

type SettingsProps = Readonly<{
  settings: Settings;
  models: readonly Model[];
  onChange: (settings: Settings) => void;
}>;

export function SettingsPanel({ settings, models, onChange }: SettingsProps) {
  const faults = faultsOf(settings, models);
  const change = (part: Partial<Settings>) => onChange({ ...settings, ...part });
  const any = (feature: Parameters<typeof has>[1]) => models.some((model) => has(model, feature));
  const stops = models.filter((model) => takes(model, 'stop'));
  return (
    <div className="grid gap-4">
      <TextAreaField
        label="System prompt"
        rows={3}
        placeholder="None"
        value={settings.system}
        onChange={(text) => change({ system: text })}
      />
      {any('reasoning') && <EffortField {...{ settings, models, change }} />}
      {any('json_mode') && <JsonField {...{ settings, models, change }} />}
      <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4">
        {NUMBERS.map(({ name }) => (
          <NumberField key={name} {...{ name, settings, models, change }} fault={faults[name]} />
        ))}
      </div>
      {stops.length > 0 && (
        <TextAreaField
          label="Stop sequences"
          hint={`One per line, at most four. Use \\n for a line break.${notFor(models, stops)}`}
          error={faultError('stop', faults.stop)}
          param="stop"
          rows={2}
          className="min-h-14! font-mono text-xs"
          value={settings.stop}
          onChange={(text) => change({ stop: text })}
        />
      )}
      {any('tools') && (
        <ToolsField
          settings={settings}
          error={faultError('tools', faults.tools)}
          note={notFor(
            models,
            models.filter((model) => has(model, 'tools')),
          )}
          onChange={change}
        />
      )}
    </div>
  );
}

type PartProps = Readonly<{
  settings: Settings;
  models: readonly Model[];
  change: (part: Partial<Settings>) => void;
}>;

function EffortField({ settings, models, change }: PartProps) {
  const thinkers = models.filter((model) => has(model, 'reasoning'));
  const note = notFor(models, thinkers);
  return (
    <SelectField
      label="Reasoning effort"
      hint={note === '' ? undefined : note}
      value={settings.effort}
      onChange={(text) => change({ effort: text as Settings['effort'] })}
    >
      <option value="">Model default</option>
      {EFFORTS.map((effort) => (
        <option key={effort} value={effort}>
          {effort === 'none' ? 'none: no reasoning' : effort}
        </option>
      ))}
    </SelectField>
  );
}

function JsonField({ settings, models, change }: PartProps) {
  const note = notFor(
    models,
    models.filter((model) => has(model, 'json_mode')),
  );
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-3">
        <span className="text-sm font-medium" aria-hidden>
          JSON mode
        </span>
        <Switch
          aria-label="JSON mode"
          checked={settings.json}
          onChange={(json) => change({ json })}
        />
      </div>
      <p className="text-xs text-muted">
        The response is a JSON object. Describe the object in the prompt.{note}
      </p>
    </div>
  );
}

function NumberField({
  name,
  settings,
  models,
  change,
  fault,
}: PartProps & Readonly<{ name: NumberName; fault: string | undefined }>) {
  const takers = models.filter((model) => takes(model, name));
  const kind = NUMBERS.find((one) => one.name === name);
  if (takers.length === 0 || !kind) return null;
  const max = Math.min(...takers.map((model) => boundsOf(name, model).max));
  const hint =
    name === 'max_tokens'
      ? `1 to ${max.toLocaleString('en-US')}.`
      : name === 'seed'
        ? undefined
        : `${kind.min} to ${max}.`;
  const note = notFor(models, takers);
  return (
    <TextField
      label={kind.label}
      hint={hint === undefined && note === '' ? undefined : `${hint ?? ''}${note}`}
      error={faultError(name, fault)}
      param={name}
      inputMode="decimal"
      autoComplete="off"
      placeholder="Default"
      value={settings.numbers[name] ?? ''}
      onChange={(text) => change({ numbers: { ...settings.numbers, [name]: text } })}
    />
  );
}

/** Wraps a mistake that is known before sending in an error as the API would return it. */
function faultError(param: string, message: string | undefined): ApiError | null {
  if (message === undefined) return null;
  return new ApiError(0, { message, code: 'invalid_value', param }, null);
}

/** Names the compared models that do not support a setting; '' when all of them do. */
function notFor(models: readonly Model[], takers: readonly Model[]): string {
  const others = models.filter((model) => !takers.includes(model));
  return others.length === 0
    ? ''
    : ` Not supported by ${others.map(({ name }) => name).join(', ')}.`;
}
