/** The operations of the API, as the reference shows them. */
import { capitalized } from '../../../../shared/capitalized.ts';
import type { DescribedOperation, Media, OpenApi, Parameter } from './document.ts';
import { errorsOf, type ErrorCode } from './errors.ts';
import { type Group, GROUPS, groupOf, OPERATOR_GROUPS } from './groups.ts';

export type Operation = Readonly<{
  /** The operation's name in generated clients, and its anchor in the page. */
  id: string;
  /** In capitals. */
  method: string;
  /** Below the base, with `{parameters}`. */
  path: string;
  title: string;
  paragraphs: readonly string[];
  group: Group;
  /** Who may call it: `public`, `person`, `operator`, or a permission in the organization. */
  permission: string;
  parameters: readonly Parameter[];
  body: Media | null;
  /** The successful responses. */
  responses: readonly OperationResponse[];
  errors: readonly ErrorCode[];
}>;

export type OperationResponse = Readonly<{
  status: string;
  description: string;
  /** By media type. */
  content: Readonly<Record<string, Media>>;
}>;

/** Where all paths begin. */
export const BASE = '/api/v1';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Returns the operations in display order: by group, by the group's tags, by path and by method.
 * Those that only operators may call are left out unless `showsOperators`.
 */
export function operationsOf(document: OpenApi, showsOperators: boolean): readonly Operation[] {
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const described = operations[method];
      return described === undefined ? [] : [{ path, method, described }];
    }),
  );
  const groups = [...GROUPS, ...OPERATOR_GROUPS];
  return all
    .filter(({ described }) => showsOperators || described['x-permission'] !== 'operator')
    .map(({ path, method, described }) => {
      const group = groupOf(described.tags?.[0], described['x-permission']);
      const place = [groups.indexOf(group), group.tags.indexOf(described.tags?.[0] ?? '')] as const;
      return { place, operation: shown(document, group, path, method, described) };
    })
    .toSorted(({ place: a }, { place: b }) => a[0] - b[0] || a[1] - b[1])
    .map(({ operation }) => operation);
}

function shown(
  document: OpenApi,
  group: Group,
  path: string,
  method: string,
  described: DescribedOperation,
): Operation {
  const { operationId, summary = operationId, description = '', requestBody } = described;
  // A summary may have a note after its title: "Revoke a key; it stays listed".
  const [title = summary, ...notes] = summary.split('; ');
  // The last paragraph says in words what the permission says.
  const paragraphs = description.split('\n\n').slice(0, -1);
  return {
    id: operationId,
    method: method.toUpperCase(),
    path: path.slice(BASE.length),
    title,
    paragraphs: [...notes.map(sentence), ...paragraphs],
    group,
    permission: described['x-permission'],
    parameters: described.parameters ?? [],
    body: requestBody?.content?.['application/json'] ?? null,
    responses: Object.entries(described.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, answer]) => ({
        status,
        description: answer.description ?? '',
        content: answer.content ?? {},
      })),
    errors: errorsOf(document, described.responses),
  };
}

function sentence(note: string): string {
  return `${capitalized(note)}.`;
}
