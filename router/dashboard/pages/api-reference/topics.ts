/** The topics of the introduction, in their order, by the ids with which addresses name them. */
import type { DocsHeading } from '../docs/contents.ts';

export const TOPIC_TITLES = {
  token: 'Get a token',
  sessions: 'Sessions',
  roles: 'Roles',
  lists: 'Lists and pages',
  values: 'Amounts, times and fields',
  idempotency: 'Retries that are safe',
  limits: 'Rate limits',
  errors: 'Errors',
  groups: 'Operations',
} as const;

export type TopicId = keyof typeof TOPIC_TITLES;

export const TOPICS: readonly DocsHeading[] = Object.entries(TOPIC_TITLES).map(([id, title]) => ({
  id,
  title,
  level: 2,
}));
