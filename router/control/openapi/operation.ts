/**
 * Describes one route: its name, who may call it, and its parameters. The rest of the operation
 * comes from the route's own schema.
 */
import type { SwaggerTransform } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Access, ListedRoute } from '../access/gate.ts';
import { PERMISSIONS } from '../permissions.ts';
import { exampleOf } from './examples.ts';
import { operationId } from './names.ts';
import type { JsonSchema } from './schemas.ts';
import { PARAMETERS, QUERY_PARAMETERS } from './texts.ts';

const SECURITY = {
  public: [],
  person: ['session', 'operatorToken'],
  operator: ['session', 'operatorToken'],
  organization: ['session', 'managementToken', 'operatorToken'],
} as const;

const PARAMETER_PARTS = ['params', 'querystring', 'headers'] as const;

/** Hides the routes that are not part of the management API. */
export function describeRoute(routes: readonly ListedRoute[]): SwaggerTransform {
  return (given) => {
    const { route, url, schema } = given;
    const listed = routes.find((one) => one.method === route.method && one.url === url);
    if (!listed) return { schema: { hide: true }, url };
    const { access } = listed;
    const kind = typeof access === 'object' ? 'organization' : access;
    const described = {
      ...schema,
      operationId: operationId(listed, routes),
      description: [schema.description, needs(access, listed.method)].filter(Boolean).join('\n\n'),
      security: SECURITY[kind].map((scheme) => ({ [scheme]: [] })),
      'x-permission': typeof access === 'object' ? access.organization : access,
    };
    for (const part of PARAMETER_PARTS) {
      // @fastify/swagger cannot read parameters from a component. A copy of a schema has no name,
      // so that it does not become one.
      const named = schema[part] as z.ZodObject | undefined;
      if (named) described[part] = named.clone(named.def);
    }
    const converted = jsonSchemaTransform({ ...given, schema: described });
    for (const part of PARAMETER_PARTS) {
      const object = converted.schema[part] as JsonSchema | undefined;
      const texts = part === 'querystring' ? { ...PARAMETERS, ...QUERY_PARAMETERS } : PARAMETERS;
      if (object) converted.schema[part] = explainParameters(object, texts);
    }
    return converted;
  };
}

function explainParameters(
  { properties = {}, ...object }: JsonSchema,
  texts: Readonly<Record<string, string>>,
): JsonSchema {
  const explained = Object.entries(properties).map(([name, schema]) => {
    const { description = texts[name], examples = [exampleOf(schema, {}, name)] } = schema;
    return [name, { ...schema, description, examples }];
  });
  return { ...object, properties: Object.fromEntries(explained) };
}

/** An operator who is a viewer reads, and changes nothing. */
const READS: readonly string[] = ['GET', 'HEAD'];

function needs(access: Access, method: string): string {
  if (access === 'public') return 'Needs neither a session nor a token.';
  if (access === 'person') return 'For any signed-in person.';
  if (access === 'operator') {
    return READS.includes(method)
      ? 'For operators of the platform.'
      : 'For administrators of the platform.';
  }
  const roles = PERMISSIONS[access.organization].map((role) => `\`${role}\``).join(', ');
  return `Needs the permission \`${access.organization}\` in the organization (${roles}), or an operator.`;
}
