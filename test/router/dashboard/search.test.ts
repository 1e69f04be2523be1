/** What the addresses of pages may say: what is not valid is left out. */
import { expect, test } from 'vitest';
import { SEARCH_CHARS_MAX } from '../../../shared/bounds/search-chars.ts';
import {
  invoicesSearch,
  organizationSearch,
  paymentsSearch,
} from '../../../router/dashboard/operator-search.ts';
import { keysSearch, keyStatesOf } from '../../../router/dashboard/keys-search.ts';
import { auditSearch, billingSearch, catalogSearch } from '../../../router/dashboard/search.ts';

const PERSON = `per_${'0'.repeat(26)}`;
const ORGANIZATION = `org_${'0'.repeat(26)}`;

test('an audit log is narrowed to ids, a kind of changes and a range', () => {
  const search = {
    kind: 'key',
    except: 'session',
    sign_ins: 'shown',
    actor: PERSON,
    target: 'key_4fKd82LmQz0A',
    range: '7d',
    organization: ORGANIZATION,
  };
  expect(auditSearch(search)).toEqual(search);
  const agent = { target: `agt_${'0'.repeat(26)}` };
  expect(auditSearch(agent)).toEqual(agent);
  const invalid = {
    kind: 'KEY',
    except: 'session.begin',
    sign_ins: 'hidden',
    actor: '../keys',
    target: 'key_1,key_2',
    range: '8d',
    organization: PERSON,
  };
  expect(auditSearch(invalid)).toEqual({});
});

test('an audit log takes several kinds, actors and organizations', () => {
  const token = `mtk_${'0'.repeat(26)}`;
  const organization = `${ORGANIZATION},org_${'1'.repeat(26)}`;
  const raw = {
    kind: 'key,KEY,member,,key',
    actor: `${PERSON},x,${token}`,
    organization: `${organization},${PERSON}`,
  };
  expect(auditSearch(raw)).toEqual({
    kind: 'key,member',
    actor: `${PERSON},${token}`,
    organization,
  });
});

test('the list of models is narrowed, sorted and compared', () => {
  const search = {
    search: 'qwen',
    can: 'tools,image',
    context: '128k',
    region: 'eu',
    sort: 'speed',
    order: 'reversed',
    span: 'hour',
    compare: 'a/b,c/d',
  };
  expect(catalogSearch(search)).toEqual(search);
  const invalid = { can: 'dance', context: '7k', region: 'mars', sort: 'seller', order: 'up' };
  expect(catalogSearch({ ...invalid, span: 'year', search: {} })).toEqual({});
  expect(catalogSearch({ search: 'x'.repeat(10_000) }).search).toHaveLength(SEARCH_CHARS_MAX);
});

test('the budget has the name of its page in the address, and its former name still leads there', () => {
  expect(billingSearch({ view: 'budget' }).view).toBe('budget');
  expect(billingSearch({ view: 'alerts' }).view).toBe('budget');
});

test('keys are narrowed to their states, and without a filter the revoked are left out', () => {
  expect(keyStatesOf(undefined)).toEqual(['active', 'expired']);
  expect(keysSearch({ state: 'revoked,lost,active' }).state).toBe('active,revoked');
  expect(keysSearch({ state: 'expired,active' }).state).toBeUndefined();
  expect(keysSearch({ state: 'lost' }).state).toBeUndefined();
  const former = keysSearch({ revoked: 'shown' });
  expect(keyStatesOf(former.state)).toEqual(['active', 'expired', 'revoked']);
  expect(former.revoked).toBeUndefined();
});

test('the activity is narrowed to one cause, on both pages that show it', () => {
  for (const read of [billingSearch, organizationSearch]) {
    expect(read({ show: 'usage' }).show).toBe('usage');
    expect(read({ show: 'loans' }).show).toBeUndefined();
    expect(read({ show: 'payments', cause: 'refund,loan,payment' }).cause).toBe('payment,refund');
    expect(read({ show: 'payments', cause: 'loan' }).cause).toBeUndefined();
    expect(read({ show: 'usage', cause: 'refund' }).cause).toBeUndefined();
  }
  expect(organizationSearch({ view: 'money' }).view).toBe('money');
  expect(organizationSearch({ view: 'credit' }).view).toBeUndefined();
});

test('the keys of an organization are narrowed and sorted on its page for operators as on its own', () => {
  const search = { state: 'revoked', search: 'batch', sort: 'name', order: 'asc' };
  expect(organizationSearch({ view: 'access', ...search })).toMatchObject(keysSearch(search));
});

test.each([
  [undefined, 'payments'],
  ['refunds', 'payments'],
  ['payments,reversals', 'payments'],
  ['usage,reversals', 'usage'],
  ['usage', 'usage'],
  ['payments,usage', undefined],
  ['loans', 'payments'],
])('the former view of transfers of the types %s leads to the activity of %s', (type, show) => {
  const { type: former, ...search } = billingSearch({ view: 'transfers', type });
  expect(search).toMatchObject({ view: 'activity', show });
  expect(former).toBeUndefined();
});

test('invoices are narrowed to a status and a month, and sorted', () => {
  const search = { status: 'overdue', month: '2026-11', sort: 'amount_due', order: 'asc' };
  expect(invoicesSearch(search)).toEqual(search);
  const invalid = { status: 'late', month: '2026-13', sort: 'seller', order: 'up' };
  expect(invoicesSearch(invalid)).toEqual({});
});

test('the payments of all organizations are narrowed by what became of them and by month', () => {
  const search = { search: 'acme', status: 'failed', purpose: 'recharge', month: '2026-11' };
  expect(paymentsSearch(search)).toEqual(search);
  expect(paymentsSearch({ status: 'late', purpose: 'gift', month: '2026-13' })).toEqual({});
});
