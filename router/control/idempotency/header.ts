import { z } from 'zod';
import { IdempotencyKey } from '../../../shared/api/payments.ts';

/** What a route that moves money has among its schemas: the gate refuses to start without it. */
export const Idempotent = z.looseObject({ 'idempotency-key': IdempotencyKey.optional() });
