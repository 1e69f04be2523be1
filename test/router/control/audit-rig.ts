/** A control plane whose clock stands still, for the tests of the audit log. */
import { beforeAll } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { signIn } from './people.ts';
import { type Rig, startRig } from './rig.ts';

export const PATH = '/api/v1/organizations';
export const clock = new ManualClock(Date.now());
export let rig: Rig;

/** A test file calls this first. The rig starts before its first test and ends after its last. */
export function shareAuditRig(): void {
  beforeAll(async () => {
    rig = await startRig(clock);
    return () => rig[Symbol.asyncDispose]();
  });
}

export async function organizationOf() {
  const { id } = (await rig.ask('POST', PATH, { name: 'Lab' })).body;
  const admin = await signIn(rig, { organization: id, role: 'org-admin' });
  return { id: id as string, path: `${PATH}/${id}`, admin };
}

export function actionsOf(body: { data: { action: string }[] }): string[] {
  return body.data.map(({ action }) => action);
}
