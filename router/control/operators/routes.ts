/** Routes by which operators list, create and revoke operators, each change with an audit entry. */
import { z } from 'zod';
import { PersonIdText } from '../../../shared/api/ids.ts';
import {
  CreatedOperator,
  NewOperator,
  type Operator,
  OperatorPage,
  OperatorRevoked,
  OperatorTokenRevoked,
  RotatedToken,
} from '../../../shared/api/operators.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import { type Api, found, instantOrNull, isoInstant, noSuch, Refused } from '../api.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { mintOperator, mintOperatorToken, type OperatorMintParts } from './mint.ts';
import {
  findListedOperator,
  insertOperator,
  type ListedOperator,
  listOperators,
  replaceOperatorToken,
  revokeOperator,
  revokeOperatorToken,
} from './procedures.ts';

export type OperatorParts = OperatorMintParts & Pick<ControlParts, 'store'>;

const OperatorPath = z.object({ person: PersonIdText });

export function operatorRoutes(api: Api, parts: OperatorParts): void {
  listRoute(api, parts);
  createRoute(api, parts);
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
      const entry = request.auditEntry({ target: person.id });
      const answer = await parts.store.call(insertOperator, { person, token: tokenRow, entry });
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
      const answer = await store.call(replaceOperatorToken, { token: row, entry });
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
      const answer = await store.call(revokeOperatorToken, { person, entry });
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
          'Their account stays, without the rights of an operator. The last operator cannot be ' +
          'revoked: 409.',
        tags: ['operators'],
        params: OperatorPath,
        response: { 200: OperatorRevoked },
      },
    },
    async (request) => {
      const { person } = request.params;
      const entry = request.auditEntry({ target: person });
      const answer = await store.call(revokeOperator, { person, entry });
      if (answer === 'none') throw noSuch('operator');
      if (answer === 'last') throw new Refused('conflict', 'This is the last operator.');
      return { id: person, operator: false as const };
    },
  );
}

function shownOperator(row: ListedOperator): Operator {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    second_factor: row.totp_step !== null,
    locked: row.locked_at !== null,
    created: isoInstant(row.created),
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
