/** The settings of the answers of a model. Settings that it does not support are left out. */
import type { Model } from '../../../../shared/api/models.ts';
import { ApiError } from '../../api/client.ts';
import { SelectField, TextAreaField, TextField } from '../../parts/form/field.tsx';
import { Switch } from '../../parts/form/switch.tsx';
import {
  boundsOf,
  EFFORTS,
  faultsOf,
  has,
  type NumberName,
  NUMBERS,
  rangeOf,
  type Settings,
  takes,
} from './settings.ts';
import { ToolsField } from './tools-field.tsx';

type SettingsProps = Readonly<{
  settings: Settings;
  model: Model;
  onChange: (settings: Settings) => void;
}>;

export function SettingsPanel({ settings, model, onChange }: SettingsProps) {
  const faults = faultsOf(settings, model);
  const change = (part: Partial<Settings>) => onChange({ ...settings, ...part });
  return (
    <div className="grid gap-4">
      <TextAreaField
        label="System prompt"
        rows={3}
        placeholder="None"
        value={settings.system}
        onChange={(text) => change({ system: text })}
      />
      {has(model, 'reasoning') && <EffortField {...{ settings, change }} />}
      {has(model, 'json_mode') && <JsonField {...{ settings, change }} />}
      <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4">
        {NUMBERS.filter(({ name }) => takes(model, name)).map(({ name }) => (
          <NumberField key={name} {...{ name, settings, model, change }} fault={faults[name]} />
        ))}
      </div>
      {takes(model, 'stop') && (
        <TextAreaField
          label="Stop sequences"
          hint="One per line, at most four. Use \n for a line break."
          error={faultError('stop', faults.stop)}
          param="stop"
          rows={2}
          className="min-h-14! font-mono text-xs"
          value={settings.stop}
          onChange={(text) => change({ stop: text })}
        />
      )}
      {has(model, 'tools') && (
        <ToolsField
          settings={settings}
          error={faultError('tools', faults.tools)}
          onChange={change}
        />
      )}
    </div>
  );
}

type PartProps = Readonly<{ settings: Settings; change: (part: Partial<Settings>) => void }>;

function EffortField({ settings, change }: PartProps) {
  return (
    <SelectField
      label="Reasoning effort"
      value={settings.effort}
      onChange={(text) => change({ effort: text as Settings['effort'] })}
    >
      <option value="">Model default</option>
      {EFFORTS.map((effort) => (
        <option key={effort} value={effort}>
          {effort === 'none' ? 'Off' : effort}
        </option>
      ))}
    </SelectField>
  );
}

function JsonField({ settings, change }: PartProps) {
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
      <p className="text-xs text-muted">Describe the JSON you want in your prompt.</p>
    </div>
  );
}

type NumberProps = PartProps &
  Readonly<{ name: NumberName; model: Model; fault: string | undefined }>;

function NumberField({ name, settings, model, change, fault }: NumberProps) {
  const { min, max } = boundsOf(name, model);
  const range = `${rangeOf(min, max)}.`;
  // A fault that names the range says it alone.
  const rangeHint = name === 'seed' || fault?.endsWith(range) ? undefined : range;
  return (
    <TextField
      label={NUMBERS.find((one) => one.name === name)?.label ?? name}
      hint={rangeHint}
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
