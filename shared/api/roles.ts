/** The roles of an organization's members. */
import { z } from 'zod';

export const ROLES = ['org-admin', 'billing-admin', 'developer', 'viewer'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;
