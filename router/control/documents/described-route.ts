/** A route, as far as its description needs it. */
import type { RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { Access } from '../access/gate.ts';

type Content = Readonly<{ content: Record<string, { schema: z.ZodType }> }>;
export type Answer = (z.ZodType | Content) & { description?: string };

/** The description that a route gives in its own schema. */
type RouteSchema = Readonly<{
  summary?: string;
  description?: string;
  tags?: string[];
  hide?: boolean;
  params?: z.ZodType;
  querystring?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  consumes?: string[];
  produces?: string[];
  response?: Readonly<Record<number, Answer>>;
}>;

export type DescribedRoute = Readonly<{
  method: string;
  /** In OpenAPI's form, for example `/api/v1/keys/{key}`. */
  path: string;
  access: Access;
  action: string | null;
  schema: RouteSchema;
}>;

/** Returns null for a route that is not part of the document. */
export function describedRoute(route: RouteOptions, method: string): DescribedRoute | null {
  const { url, config = {} } = route;
  const schema = (route.schema ?? {}) as RouteSchema;
  if (config.access === undefined || schema.hide === true || method === 'HEAD') return null;
  const path = url.replace(/:(\w+)/g, '{$1}');
  return { method, path, access: config.access, action: config.action ?? null, schema };
}
