/** The ids in the addresses of pages, which become parts of the paths of API calls. */
import { notFound } from '@tanstack/react-router';
import { isOrganizationId } from './session.tsx';

const IDS = {
  key: /^key_[0-9A-Za-z]{12}$/,
  webhook: /^whk_[0-9a-z]{26}$/,
  agent: /^agt_[0-9a-z]{26}$/,
  router: /^rtr_[0-9a-z]{26}$/,
  job: /^job_[0-9a-f]{26}$/,
  invoice: /^ivc_[0-9a-z]{26}$/,
  person: /^per_[0-9a-z]{26}$/,
  runbook: /^penstock[a-z]{1,64}$/i,
} as const;

/** Throws `notFound()` unless the parameter is such an id. */
export function checkId(kind: keyof typeof IDS, id: string): void {
  if (!IDS[kind].test(id)) throw notFound();
}

/** Throws `notFound()` unless the parameter `organization` is the id of one. */
export function checkOrganization(params: object): void {
  const { organization } = params as { organization?: string };
  if (!isOrganizationId(organization)) throw notFound();
}
