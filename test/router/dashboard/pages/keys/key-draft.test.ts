import { expect, test } from 'vitest';
import type { Key } from '../../../../../shared/api/keys.ts';
import {
  changesOf,
  draftOf,
  NEW_DRAFT,
  newKeyOf,
} from '../../../../../router/dashboard/pages/keys/key-draft.ts';

const KEY: Key = {
  id: 'key_1',
  name: 'ci',
  label: 'sk-penstock-infapi-abc…',
  state: 'active',
  created_by: null,
  limits: { requests_per_minute: 60, tokens_per_minute: null, concurrent_requests: null },
  monthly_cap: '25',
  daily_cap: null,
  allowed_models: ['lab/a', 'lab/b'],
  spend: { today: '0', month: '0', total: '0' },
  created: '2026-11-01T00:00:00.000Z',
  expires: '2027-01-31T09:30:42.000Z',
  revoked: null,
  revoked_by: null,
  last_used: null,
};

test('a new key of a name alone has no other field', () => {
  expect(newKeyOf({ ...NEW_DRAFT, name: 'ci' })).toEqual({ name: 'ci' });
});

test('what is filled in is sent as the API has it', () => {
  const draft = { ...NEW_DRAFT, name: 'ci', cap: ' $1,012.5 ', dayCap: '2', tokens: '1000' };
  expect(newKeyOf(draft)).toEqual({
    name: 'ci',
    monthly_cap: '1012.5',
    daily_cap: '2',
    limits: { tokens_per_minute: 1000 },
  });
});

test('a form that nobody touched changes nothing, not even the seconds of an expiry', () => {
  const draft = draftOf(KEY);
  expect(changesOf(draft, draft)).toEqual({});
});

test('only what was changed is sent, and what was emptied ends', () => {
  const draft = draftOf(KEY);
  expect(changesOf(draft, { ...draft, name: 'nightly' })).toEqual({ name: 'nightly' });
  expect(changesOf(draft, { ...draft, expires: '', cap: '', requests: '' })).toEqual({
    expires: null,
    monthly_cap: null,
    limits: { requests_per_minute: null },
  });
});

test('an expiry comes back from the form as the same minute', () => {
  const { expires } = draftOf(KEY);
  expect(changesOf(NEW_DRAFT, { ...NEW_DRAFT, expires }).expires).toBe('2027-01-31T09:30:00.000Z');
});

test('the models are sent if others are chosen, and an order of their own changes nothing', () => {
  const draft = draftOf(KEY);
  expect(changesOf(draft, { ...draft, models: ['lab/b', 'lab/a'] })).toEqual({});
  expect(changesOf(draft, { ...draft, models: ['lab/b'] })).toEqual({ allowed_models: ['lab/b'] });
  expect(changesOf(draft, { ...draft, models: ['lab/b', 'lab/c'] })).toEqual({
    allowed_models: ['lab/b', 'lab/c'],
  });
  expect(changesOf(draft, { ...draft, models: null })).toEqual({ allowed_models: null });
  expect(newKeyOf({ ...NEW_DRAFT, name: 'ci', models: ['lab/a'] })).toEqual({
    name: 'ci',
    allowed_models: ['lab/a'],
  });
});

test('a key that a router of an earlier version shows may call all models', () => {
  const { allowed_models: _absent, ...earlier } = KEY;
  expect(draftOf(earlier).models).toBeNull();
});
