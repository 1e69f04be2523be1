/**
 * Routes by which operators list operators, and administrators among them create and revoke them and
 * change their roles, each change with an audit entry.
 */
import { z } from 'zod';
import { PersonIdText } from '../../../shared/api/ids.ts';
import {
  CreatedOperator,
  NewOperator,
  Operator,
  OperatorPage,
  OperatorRevoked,
  OperatorRoleChange,
  OperatorTokenRevoked,
  PromotedOperator,
  RotatedToken,
} from '../../../shared/api/operators.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { operatorRoleOf } from '../access/caller.ts';
import { noLongerAdministrator, personOf } from '../access/gate.ts';
import { type Api, found, instantOrNull, isoInstant, noSuch, Refused } from '../api.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { mintOperator, mintOperatorToken, type OperatorMintParts } from './mint.ts';
import {
  changeOperatorRole,
  findListedOperator,
  insertOperator,
  type ListedOperator,
  listOperators,
  promoteOperator,
  replaceOperatorToken,
  revokeOperator,
  revokeOperatorToken,
} from './procedures.ts';

export type OperatorParts = OperatorMintParts & Pick<ControlParts, 'store'>;

const OperatorPath = z.object({ person: PersonIdText });

export function operatorRoutes(api: Api, parts: OperatorParts): void {
  listRoute(api, parts);
  createRoute(api, parts);
  roleRoutes(api, parts);
  endRoutes(api, parts);
}

function listRoute(api: Api, { store }: OperatorParts): void {
  api.get(
    '/operators',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List operators of the platform',
        tags: ['operators'],
        querystring: pageQuery(PersonIdText),
        response: { 200: OperatorPage },
      },
    },
    async ({ query: { limit, after = null } }) =>
      answerPage(await store.call(listOperators, { limit, after }), shownOperator),
  );
}

function createRoute(api: Api, parts: OperatorParts): void {
  api.post(
    '/operators',
    {
      config: { access: 'operator', action: 'operator.create' },
      schema: {
        summary: 'Create an operator; only this response contains the password and the token',
        tags: ['operators'],
        body: NewOperator,
        response: { 201: CreatedOperator },
      },
    },
    async (request, reply) => {
      const { person, password, token, tokenRow } = await mintOperator(parts, request.body);
      const { role } = request.body;
      const entry = request.auditEntry({ target: person.id, details: { role } });
      const by = personOf(request);
      const answer = await parts.store.call(insertOperator, { by, person, token: tokenRow, entry });
      if (answer === 'locked_out') throw noLongerAdministrator();
      if (answer === 'taken') {
        throw new Refused(
          'conflict',
          'This address is already in use: choose another one.',
          'email',
        );
      }
      const listed = await parts.store.call(findListedOperator, person.id);
      return reply.code(201).send({ ...shownOperator(found(listed, 'operator')), password, token });
    },
  );
}

const LAST = 'This is the last administrator: make another operator one first.';

function roleRoutes(api: Api, parts: OperatorParts): void {
  const { store, clock } = parts;
  api.post(
    '/operators/existing',
    {
      config: { access: 'operator', action: 'operator.create' },
      schema: {
        summary: 'Make the person of an existing account an operator; their sessions end',
        description:
          'The account must have a confirmed address and must not be locked. The person signs in ' +
          'again with their own password. They have no token until one is created.',
        tags: ['operators'],
        body: PromotedOperator,
        response: { 201: Operator },
      },
    },
    async (request, reply) => {
      const { email, role } = request.body;
      // The entry that made an operator is looked for from this instant on.
      const now = milliseconds(clock.now());
      const entry = request.auditEntry({ details: { role } });
      const by = personOf(request);
      const answer = await store.call(promoteOperator, { by, email, role, now, entry });
      if (answer === 'locked_out') throw noLongerAdministrator();
      if (answer === 'unknown') {
        throw new Refused(
          'conflict',
          'No account has this address, or it is not confirmed, or the account is locked.',
          'email',
        );
      }
      if (answer === 'operator') {
        throw new Refused('conflict', 'This person is an operator already.', 'email');
      }
      const listed = await store.call(findListedOperator, answer);
      return reply.code(201).send(shownOperator(found(listed, 'operator')));
    },
  );

  api.patch(
    '/operators/:person',
    {
      config: { access: 'operator', action: 'operator.change-role' },
      schema: {
        summary: "Change an operator's role",
        description:
          'It applies to their sessions and their token at once. The last administrator cannot ' +
          'become a viewer: 409.',
        tags: ['operators'],
        params: OperatorPath,
        body: OperatorRoleChange,
        response: { 200: Operator },
      },
    },
    async (request) => {
      const { person } = request.params;
      const { role } = request.body;
      const entry = request.auditEntry({ target: person, details: { role } });
      const by = personOf(request);
      const answer = await store.call(changeOperatorRole, { by, person, role, entry });
      if (answer === 'locked_out') throw noLongerAdministrator();
      if (answer === 'none') throw noSuch('operator');
      if (answer === 'last') throw new Refused('conflict', LAST);
      return shownOperator(found(await store.call(findListedOperator, person), 'operator'));
    },
  );
}

function endRoutes(api: Api, parts: OperatorParts): void {
  const { store } = parts;
  api.post(
    '/operators/:person/token',
    {
      config: { access: 'operator', action: 'operator.rotate-token' },
      schema: {
        summary: "Replace an operator's token; only this response contains the new one",
        tags: ['operators'],
        params: OperatorPath,
        response: { 201: RotatedToken },
      },
    },
    async (request, reply) => {
      const { person } = request.params;
      const { token, row } = mintOperatorToken(parts, person);
      const entry = request.auditEntry({ target: person });
      const by = personOf(request);
      const answer = await store.call(replaceOperatorToken, { by, token: row, entry });
      if (answer === 'locked_out') throw noLongerAdministrator();
      if (answer === 'none') throw noSuch('operator');
      return reply.code(201).send({ id: person, token });
    },
  );

  api.delete(
    '/operators/:person/token',
    {
      config: { access: 'operator', action: 'operator.revoke-token' },
      schema: {
        summary: "Revoke an operator's token; it is refused from then on",
        description: 'The operator can still sign in, and another token can be created.',
        tags: ['operators'],
        params: OperatorPath,
        response: { 200: OperatorTokenRevoked },
      },
    },
    async (request) => {
      const { person } = request.params;
      const entry = request.auditEntry({ target: person });
      const by = personOf(request);
      const answer = await store.call(revokeOperatorToken, { by, person, entry });
      if (answer === 'locked_out') throw noLongerAdministrator();
      if (answer === 'none') throw noSuch('operator token');
      return { id: person, token: null };
    },
  );

  api.delete(
    '/operators/:person',
    {
      config: { access: 'operator', action: 'operator.revoke' },
      schema: {
        summary: "Revoke an operator's rights; their token and their sessions end",
        description:
          'Their account stays, without the rights of an operator. The last administrator cannot ' +
          'be revoked: 409.',
        tags: ['operators'],
        params: OperatorPath,
        response: { 200: OperatorRevoked },
      },
    },
    async (request) => {
      const { person } = request.params;
      const entry = request.auditEntry({ target: person });
      const by = personOf(request);
      const answer = await store.call(revokeOperator, { by, person, entry });
      if (answer === 'locked_out') throw noLongerAdministrator();
      if (answer === 'none') throw noSuch('operator');
      if (answer === 'last') throw new Refused('conflict', LAST);
      return { id: person, operator: false as const };
    },
  );
}

function shownOperator(row: ListedOperator): Operator {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: operatorRoleOf(row) ?? 'viewer',
    second_factor: row.totp_step !== null,
    locked: row.locked_at !== null,
    created: isoInstant(row.operator_since ?? row.created),
    created_by: row.created_by,
    last_seen: instantOrNull(latest(row.session_seen, row.token_used)),
    token_created: instantOrNull(row.token_created),
    token_last_used: instantOrNull(row.token_used),
  };
}

function latest(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
