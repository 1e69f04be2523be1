/** Flags that name something: ids go into paths, so that nothing else may stand in one. */
import { z } from 'zod';
import { AgentIdText, KeyIdText, OrganizationIdText } from '../../shared/api/ids.ts';

export const organization = OrganizationIdText;
export const key = KeyIdText;
export const agent = AgentIdText;
export const worker = z.string().min(1, 'is empty');
