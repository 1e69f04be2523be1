/**
 * Routes for organizations: what operators open and set, and what an organization sets for itself.
 */
import { z } from 'zod';
import { OrganizationIdText } from '../../../shared/api/ids.ts';
import {
  NewOrganization,
  Organization,
  OrganizationSettings,
  OrganizationTerms,
} from '../../../shared/api/organizations.ts';
import { mintId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { formatUsd } from '../../../shared/money.ts';
import { type Billing, newOrganization, type Shortfall } from '../../identity/organizations.ts';
import { actingOf, personOf } from '../access/gate.ts';
import { type Api, found, noSuch, Refused, usdOrNull } from '../api.ts';
import type { Details } from '../audit/record.ts';
import { Idempotent } from '../idempotency/header.ts';
import { unlessReused } from '../idempotency/idempotent.ts';
import { limitDetails, limitsWanted } from '../limits.ts';
import type { ControlParts } from '../parts.ts';
import { listRoute } from './list-route.ts';
import {
  changeSettingsAudited,
  changeTermsAudited,
  findOrganization,
  openOnce,
  openOwnOnce,
} from './procedures.ts';
import { shownOrganization } from './serialize.ts';

export type OrganizationParts = Pick<
  ControlParts,
  'store' | 'clock' | 'random' | 'urls' | 'welcome' | 'defaultLimits'
>;

/** The path parameters of every route below an organization. */
export const OrganizationPath = z.object({ organization: OrganizationIdText });

export function organizationRoutes(api: Api, parts: OrganizationParts): void {
  openRoute(api, parts);
  listRoute(api, parts);
  readRoute(api, parts);
  settingsRoute(api, parts);
  termsRoute(api, parts);
}

function openRoute(api: Api, parts: OrganizationParts): void {
  const { store, clock, random } = parts;
  api.post(
    '/organizations',
    {
      config: { access: 'person', action: 'organization.create', money: true },
      schema: {
        summary: 'Open an organization',
        description:
          'An operator opens an organization with the welcome credit and without members. A ' +
          'person opens a further organization of their own, of which they are the org-admin. It ' +
          'has no welcome credit, because that credit is for sign-ups. A person may open at most ' +
          `${limits.organizationsPerPersonMax} organizations.`,
        tags: ['organizations'],
        headers: Idempotent,
        body: NewOrganization,
        response: { 201: Organization },
      },
    },
    async (request, reply) => {
      const input = newOrganization(parts, { ...request.body, welcome: parts.welcome.amount });
      const { id: organization, name } = input;
      const entry = request.auditEntry({ organization, target: organization, details: { name } });
      const { caller } = request;
      const isOperator =
        caller !== null &&
        caller.kind !== 'management-token' &&
        caller.operator === 'administrator';
      const member = mintId('member', clock, random);
      const idempotency = request.idempotency();
      const made = isOperator
        ? await store.call(openOnce, { input, entry, idempotency })
        : await store.call(openOwnOnce, {
            input: { organization: input, person: personOf(request), member },
            entry,
            idempotency,
          });
      const answer = unlessReused(made);
      // The person's account was erased after the request was authenticated.
      if (answer === 'erased') throw new Refused('not_signed_in');
      if (answer === 'too_many') {
        throw new Refused(
          'conflict',
          `You have opened ${limits.organizationsPerPersonMax} organizations, which is the limit.`,
        );
      }
      return reply.code(201).send(shownOrganization(parts, answer));
    },
  );
}

function readRoute(api: Api, parts: OrganizationParts): void {
  const { store } = parts;
  api.get(
    '/organizations/:organization',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get an organization',
        tags: ['organizations'],
        params: OrganizationPath,
        response: { 200: Organization },
      },
    },
    async ({ params: { organization } }) =>
      shownOrganization(
        parts,
        found(await store.call(findOrganization, organization), 'organization'),
      ),
  );
}

function settingsRoute(api: Api, parts: OrganizationParts): void {
  const { store } = parts;
  api.patch(
    '/organizations/:organization',
    {
      config: {
        access: { organization: 'settings' },
        action: 'organization.change-settings',
        // Operators move organizations from their own pages, in ways that customers cannot.
        operatorFields: ['region'],
      },
      schema: {
        summary: "Change the organization's name, region or low-balance threshold",
        description:
          'A move to another region takes effect at once: keys are refused at the former base ' +
          'URL and accepted at the one in the response. Keys, credits and billing stay as they ' +
          'are.',
        tags: ['organizations'],
        params: OrganizationPath,
        body: OrganizationSettings,
        response: { 200: Organization },
      },
    },
    async (request) => {
      const { organization, role } = actingOf(request);
      const { name, region, low_balance_threshold: lowBalanceThreshold } = request.body;
      const answer = await store.call(changeSettingsAudited, {
        input: {
          organization,
          change: { name, region, lowBalanceThreshold },
          anyMove: role === 'operator',
        },
        entry: request.auditEntry({
          target: organization,
          details: {
            ...(name === undefined ? {} : { name }),
            ...(region === undefined ? {} : { region }),
            ...(lowBalanceThreshold === undefined
              ? {}
              : { low_balance_threshold: usdOrNull(lowBalanceThreshold) }),
          },
        }),
      });
      if (answer === 'unknown') throw noSuch('organization');
      if (answer === 'immovable') {
        throw new Refused(
          'conflict',
          'An organization can move only from Global to US or EU: ask support for any other move.',
          'region',
        );
      }
      return shownOrganization(parts, answer);
    },
  );
}

const NO_CHANGE =
  'A reason says why the organization is suspended or resumed, but this call does not change its status.';

function termsRoute(api: Api, parts: OrganizationParts): void {
  const { store } = parts;
  api.patch(
    '/organizations/:organization/terms',
    {
      config: { access: 'operator', action: 'organization.change-terms' },
      schema: {
        summary: 'Suspend or resume the organization, set its limits, or change how it is billed',
        tags: ['organizations'],
        params: OrganizationPath,
        body: OrganizationTerms,
        response: { 200: Organization },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const { status, reason, limits: wanted, billing } = request.body;
      if (reason !== undefined && status === undefined)
        throw new Refused('invalid_value', NO_CHANGE, 'reason');
      const answer = await store.call(changeTermsAudited, {
        input: {
          organization,
          change: { status, limits: limitsWanted(wanted), billing: billingWanted(billing) },
          isReasoned: reason !== undefined,
        },
        entry: request.auditEntry({
          organization,
          target: organization,
          details: termDetails(request.body),
          reason: reason ?? null,
        }),
      });
      if (answer === 'unknown') throw noSuch('organization');
      if (answer === 'same_status') throw new Refused('invalid_value', NO_CHANGE, 'reason');
      if ('missing' in answer) {
        const [param, terms] = billing ? ['billing', 'the new terms'] : ['status', 'its terms'];
        throw new Refused('conflict', shortfallSentence(answer, terms), param);
      }
      return shownOrganization(parts, answer);
    },
  );
}

function shortfallSentence({ balance, held, missing }: Shortfall, terms: string): string {
  const holds = held === 0n ? '' : ` less USD ${formatUsd(held)} held for running requests`;
  return (
    `The organization's balance is USD ${formatUsd(balance)}${holds}. ` +
    `That is USD ${formatUsd(missing)} below what ${terms} allow: credit it first.`
  );
}

function termDetails({ status, limits: changed, billing }: OrganizationTerms): Details {
  const isInvoiced = billing?.type === 'invoiced';
  const days = isInvoiced ? billing.payment_terms_days : null;
  return {
    ...(status === undefined ? {} : { status }),
    ...limitDetails(changed),
    ...(billing && {
      billing: billing.type,
      credit_limit: isInvoiced ? formatUsd(billing.credit_limit) : null,
      // Without a number of days, those from before stay.
      ...(days === undefined ? {} : { payment_terms_days: days }),
    }),
  };
}

function billingWanted(change: OrganizationTerms['billing']): Billing | undefined {
  if (change?.type !== 'invoiced') return change && { billing: change.type };
  const { type, credit_limit: creditLimit, payment_terms_days: termsDays } = change;
  return { billing: type, creditLimit, termsDays };
}
