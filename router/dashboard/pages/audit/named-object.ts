/** Where the sentence of an entry names what was changed, and the page that has it. */
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import { PAGES } from '../../pages.ts';
import type { BillingSearch } from '../../search.ts';
import { modelParams } from '../catalog/model-params.ts';

/** What has no name of its own: how sentences call it, and the view of the page of billing that has it. */
const OF_BILLING: Readonly<
  Record<string, readonly [words: readonly string[], view: BillingSearch['view']]>
> = {
  budget: [['budget'], 'budget'],
  recharge: [['auto-recharge', 'Auto-recharge'], 'credit'],
  credit: [['credit'], 'activity'],
  welcome: [['welcome credit'], 'activity'],
  payment: [['payment'], 'payments'],
  'payment-method': [['payment method'], 'credit'],
  'billing-details': [['billing details'], 'payments'],
};

type Told = Pick<
  AuditEntry,
  | 'action'
  | 'summary'
  | 'actor'
  | 'organization'
  | 'target'
  | 'target_name'
  | 'target_exists'
  | 'details'
  | 'before'
>;

/** A page, as a link takes it. */
type Place = Readonly<{
  to: string;
  params?: Readonly<Record<string, string>>;
  search?: Readonly<Record<string, string | undefined>>;
}>;

/** The sentence up to the name, the name, and the sentence after it. */
export type NamedObject = Readonly<{ place: Place; parts: readonly [string, string, string] }>;

/** Null: the sentence does not name what was changed, or nothing that the reader may open has it. */
export function namedObject(entry: Told, isOperator: boolean): NamedObject | null {
  const place = placeOf(entry, isOperator);
  const parts = place && partsOf(entry);
  return place && parts && { place, parts };
}

function partsOf(entry: Told): NamedObject['parts'] | null {
  const { summary, actor } = entry;
  // The subject of the sentence may have the same name as its object.
  const subject = actor.name === null ? -1 : summary.indexOf(actor.name);
  const from = subject === -1 ? 0 : subject + (actor.name ?? '').length;
  for (const name of namesOf(entry)) {
    // Most names are quoted, and the words before the name may have the same text.
    const quoted = summary.indexOf(`"${name}"`, from);
    const at = quoted === -1 ? summary.indexOf(name, from) : quoted + 1;
    if (at !== -1) {
      return [summary.slice(0, at), name, summary.slice(at + name.length)];
    }
  }
  return null;
}

/** How the sentence may call what was changed: a change of its name is told with the name before it. */
function namesOf({ action, target, target_name: name, details, before }: Told): readonly string[] {
  const words = OF_BILLING[kindOf(action)]?.[0];
  if (words !== undefined) return words;
  if (kindOf(action) === 'rate') return target === null ? [] : [target];
  return [before?.['name'], before?.['host'], details['name'], details['host'], name]
    .filter((one) => typeof one === 'string' && one !== '')
    .map((one) => String(one).replaceAll('"', "'"));
}

function placeOf(entry: Told, isOperator: boolean): Place | null {
  const { action, organization, target, target_exists: exists } = entry;
  const kind = kindOf(action);
  const view = OF_BILLING[kind]?.[1];
  if (view !== undefined && organization !== null) {
    return { to: PAGES.billing.path, params: { organization }, search: { view } };
  }
  if (target === null) return null;
  if (kind === 'rate') return { to: '/catalog/$namespace/$name', params: modelParams(target) };
  if (exists !== true) return null;
  const [id = ''] = target.split('/');
  if (isOperator) {
    if (id.startsWith('per_')) return { to: PAGES.person.path, params: { person: id } };
    if (id.startsWith('agt_')) return { to: PAGES.host.path, params: { agent: id } };
    if (id.startsWith('ivc_')) return { to: PAGES.invoice.path, params: { invoice: id } };
    if (id.startsWith('icd_')) return { to: PAGES.incidents.path };
  }
  return organization === null ? null : organizationPlace(organization, id);
}

function organizationPlace(organization: string, id: string): Place | null {
  const params = { organization };
  switch (id.slice(0, 4)) {
    case 'key_':
      return { to: PAGES.key.path, params: { ...params, key: id } };
    case 'whk_':
      return { to: PAGES.webhook.path, params: { ...params, webhook: id } };
    case 'mem_':
    case 'inv_':
      return { to: PAGES.members.path, params };
    case 'mtk_':
      return { to: PAGES.settings.path, params };
    case 'ivc_':
      return { to: PAGES.billing.path, params, search: { view: 'payments' } };
    default:
      return null;
  }
}

function kindOf(action: string): string {
  return action.replace(/\..*/, '');
}
