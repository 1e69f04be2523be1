/** Enrolling agents through the management API. */
import { expect } from 'vitest';
import type { Rig } from './rig.ts';

export async function enrol(rig: Rig, body: object = { name: 'gpu-1' }) {
  const { status, body: agent } = await rig.ask('POST', '/api/v1/agents', body);
  expect(status).toBe(201);
  return agent as { id: string; join_token: string; expires: string; created: string };
}

export const agentOf = async (rig: Rig, id: string) =>
  (await rig.ask('GET', '/api/v1/agents')).body.data.find((one: { id: string }) => one.id === id);
