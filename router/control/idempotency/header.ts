import { z } from 'zod';
import { IdempotencyKey } from '../../../shared/api/payments.ts';

/**
 * The header schema of routes that move money. The router does not start when such a route lacks
 * it.
 */
export const Idempotent = z.looseObject({ 'idempotency-key': IdempotencyKey.optional() });
