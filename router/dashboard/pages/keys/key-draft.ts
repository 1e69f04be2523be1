/** A key as the text fields of a form, and its conversion to requests of the API. */
import type { Key, KeyChange, NewKey } from '../../../../shared/api/keys.ts';
import type { Sent } from '../../api/client.ts';
import { enteredUsdOrNull } from '../../format/entered-usd.ts';

/** An empty field means no expiry, no cap, or the limit of the organization. */
export type KeyDraft = Readonly<{
  name: string;
  /** As a `datetime-local` input writes it, in the reader's time zone: `2027-01-31T09:30`. */
  expires: string;
  cap: string;
  dayCap: string;
  requests: string;
  tokens: string;
  concurrent: string;
  /** The ids of the models that the key may call. Null: all models. */
  models: readonly string[] | null;
}>;

export const NEW_DRAFT: KeyDraft = {
  name: '',
  expires: '',
  cap: '',
  dayCap: '',
  requests: '',
  tokens: '',
  concurrent: '',
  models: null,
};

/** The API's names of the fields that show their own errors. */
export const KEY_PARAMS = [
  'name',
  'expires',
  'monthly_cap',
  'daily_cap',
  'limits.requests_per_minute',
  'limits.tokens_per_minute',
  'limits.concurrent_requests',
] as const;

export function draftOf(key: Key): KeyDraft {
  const { name, expires, monthly_cap, daily_cap, limits, allowed_models: models = null } = key;
  return {
    name,
    expires: expires === null ? '' : localOf(expires),
    cap: monthly_cap ?? '',
    dayCap: daily_cap ?? '',
    requests: limits.requests_per_minute?.toString() ?? '',
    tokens: limits.tokens_per_minute?.toString() ?? '',
    concurrent: limits.concurrent_requests?.toString() ?? '',
    models,
  };
}

/** Reads a form whose fields have the names of the API. The choice of models is no field of text. */
export function draftFrom(
  text: (name: (typeof KEY_PARAMS)[number]) => string,
  models: KeyDraft['models'],
): KeyDraft {
  return {
    name: text('name'),
    expires: text('expires'),
    cap: text('monthly_cap'),
    dayCap: text('daily_cap'),
    requests: text('limits.requests_per_minute'),
    tokens: text('limits.tokens_per_minute'),
    concurrent: text('limits.concurrent_requests'),
    models,
  };
}

export function newKeyOf(draft: KeyDraft): Sent<typeof NewKey> {
  return { ...changesOf(NEW_DRAFT, draft), name: draft.name };
}

/**
 * Returns the changed fields only: the API would refuse an expiry in the past that is sent again.
 */
export function changesOf(before: KeyDraft, after: KeyDraft): Sent<typeof KeyChange> {
  const isChanged = (field: keyof KeyDraft) => before[field] !== after[field];
  const limits = {
    ...(isChanged('requests') && { requests_per_minute: numberOf(after.requests) }),
    ...(isChanged('tokens') && { tokens_per_minute: numberOf(after.tokens) }),
    ...(isChanged('concurrent') && { concurrent_requests: numberOf(after.concurrent) }),
  };
  return {
    ...(isChanged('name') && { name: after.name }),
    ...(isChanged('expires') && { expires: instantOf(after.expires) }),
    ...(isChanged('cap') && { monthly_cap: enteredUsdOrNull(after.cap) }),
    ...(isChanged('dayCap') && { daily_cap: enteredUsdOrNull(after.dayCap) }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(!isSame(before.models, after.models) && {
      allowed_models: after.models && [...after.models],
    }),
  };
}

/** Whether both have the same models, in any order. */
function isSame(one: KeyDraft['models'], other: KeyDraft['models']): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((model) => other.includes(model));
}

/** The text comes from an input of type `number`, in which a browser accepts numbers only. */
function numberOf(text: string): number | null {
  return text === '' ? null : Number(text);
}

function instantOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}

function localOf(instant: string): string {
  const at = new Date(instant);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
