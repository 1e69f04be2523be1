/** The settings of a chat as they are typed, and their values for a model. */
import type { Model } from '../../../../shared/api/models.ts';
import type { Effort } from '../../../../shared/catalog.ts';
import { shownCount } from '../../format/count.ts';
import { readTools } from './tools.ts';

/** The bounds are those of the API; the maximum of `max_tokens` is that of the model. */
export const NUMBERS = [
  number('temperature', 'Temperature', { min: 0, max: 2, step: 0.1 }),
  number('top_p', 'Top P', { min: 0, max: 1, step: 0.05 }),
  number('top_k', 'Top K', { min: 0, max: 1024, step: 1 }),
  number('min_p', 'Min P', { min: 0, max: 1, step: 0.05 }),
  number('frequency_penalty', 'Frequency penalty', { min: -2, max: 2, step: 0.1 }),
  number('presence_penalty', 'Presence penalty', { min: -2, max: 2, step: 0.1 }),
  number('max_tokens', 'Max tokens', { min: 1, max: Infinity, step: 1 }),
  number('seed', 'Seed', { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, step: 1 }),
] as const;

export type NumberName = (typeof NUMBERS)[number]['name'];

export const EFFORTS = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const satisfies readonly Effort[];

const STOPS_MAX = 4;

export type ToolChoice = 'auto' | 'required' | 'none';

export type Settings = Readonly<{
  system: string;
  /** As typed. Empty or absent means the model's default. */
  numbers: Readonly<Partial<Record<NumberName, string>>>;
  /** Stop sequences, one per line. */
  stop: string;
  effort: Effort | '';
  json: boolean;
  /** Tool definitions as JSON. */
  tools: string;
  toolChoice: ToolChoice;
}>;

export const NO_SETTINGS: Settings = {
  system: '',
  numbers: {},
  stop: '',
  effort: '',
  json: false,
  tools: '',
  toolChoice: 'auto',
};

export function takes(model: Model, name: NumberName | 'stop'): boolean {
  return model.supported_sampling_parameters.includes(name);
}

export function has(model: Model, feature: Model['supported_features'][number]): boolean {
  return model.supported_features.includes(feature);
}

export function seesImages(model: Model): boolean {
  return model.input_modalities.includes('image');
}

export function boundsOf(name: NumberName, model: Model): Readonly<{ min: number; max: number }> {
  const { min, max } = NUMBERS.find((one) => one.name === name) ?? { min: 0, max: 0 };
  return { min, max: name === 'max_tokens' ? model.max_output_length : max };
}

/** `−2 to 2`, `1 to 65,536`. */
export function rangeOf(min: number, max: number): string {
  return `${shownCount(min).replace('-', '−')} to ${shownCount(max)}`;
}

/** Returns the number, null when nothing was typed, or a string that says what is wrong. */
export function readNumber(text: string, name: NumberName, model: Model): number | string | null {
  if (text.trim() === '') return null;
  const value = Number(text);
  const { min, max } = boundsOf(name, model);
  const whole = NUMBERS.find((one) => one.name === name)?.step === 1;
  if (Number.isNaN(value)) return 'Enter a number.';
  if (whole && !Number.isInteger(value)) return 'Enter a whole number.';
  if (value < min || value > max) {
    return name === 'seed'
      ? 'Enter a number with fewer digits.'
      : `Enter a number from ${rangeOf(min, max)}.`;
  }
  return value;
}

/**
 * Returns the stop sequences, or a string that says what is wrong. `\n` and `\t` stand for a line
 * break and a tab, which a line of the field cannot contain.
 */
export function readStops(text: string): readonly string[] | string {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length > STOPS_MAX) return `Enter at most ${STOPS_MAX} stop sequences.`;
  return lines.map((line) => line.replaceAll('\\n', '\n').replaceAll('\\t', '\t'));
}

type FaultName = NumberName | 'stop' | 'tools';

/** Returns what is wrong with the settings, by field. Fields without support are not checked. */
export function faultsOf(settings: Settings, model: Model): Partial<Record<FaultName, string>> {
  const faults: Partial<Record<FaultName, string>> = {};
  for (const { name } of NUMBERS.filter((one) => takes(model, one.name))) {
    const read = readNumber(settings.numbers[name] ?? '', name, model);
    if (typeof read === 'string') faults[name] = read;
  }
  const stops = readStops(settings.stop);
  if (typeof stops === 'string' && takes(model, 'stop')) faults.stop = stops;
  const tools = readTools(settings.tools);
  if (typeof tools === 'string' && has(model, 'tools')) faults.tools = tools;
  return faults;
}

type Bounds = Readonly<{ min: number; max: number; step: number }>;

function number<Name extends string>(
  name: Name,
  label: string,
  bounds: Bounds,
): Bounds & Readonly<{ name: Name; label: string }> {
  return { name, label, ...bounds };
}
