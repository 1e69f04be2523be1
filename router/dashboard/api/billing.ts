/** Payments, transfers and invoices of an organization. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Transfer } from '../../../shared/api/credit.ts';
import type { Invoice } from '../../../shared/api/invoices.ts';
import type { Payment, PaymentDetail } from '../../../shared/api/payments.ts';
import { get } from './client.ts';
import { listQuery } from './lists.ts';
import { ofOrganization } from './organization.ts';

const ROWS = { limit: 20 };

export const paymentsQuery = (organization: string) =>
  listQuery<Payment>(
    ofOrganization(organization, 'payments'),
    `/organizations/${organization}/payments`,
    ROWS,
  );

export const paymentQuery = (organization: string, payment: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'payment', payment),
    queryFn: ({ signal }) =>
      get<z.infer<typeof PaymentDetail>>(
        `/organizations/${organization}/payments/${encodeURIComponent(payment)}`,
        {},
        signal,
      ),
  });

export const transfersQuery = (organization: string) =>
  listQuery<Transfer>(
    ofOrganization(organization, 'transfers'),
    `/organizations/${organization}/transfers`,
    ROWS,
  );

export const invoicesQuery = (organization: string) =>
  listQuery<Invoice>(
    ofOrganization(organization, 'invoices'),
    `/organizations/${organization}/invoices`,
    ROWS,
  );
