/** The registry: what the store's threads find by name. Every room's procedures stand in this literal. */
import {
  enrolAudited,
  findRevoked,
  greetAgent,
  insertAgent,
  joinAgent,
  listAgents,
  nameAgents,
  revokeAgent,
  revokeAgentAudited,
} from './control/agents/procedures.ts';
import {
  chargeSandbox,
  findSandboxCheckout,
  lookSandbox,
  openSandboxCheckout,
  refundSandbox,
  submitSandboxCard,
} from './control/checkout/procedures.ts';
import { adjustAndRead, adjustAudited, listTransfersOf } from './control/credit/procedures.ts';
import { foundStore, isUnfounded } from './control/founding.ts';
import {
  createKey,
  createKeyAudited,
  findListedKey,
  listKeys,
  revokeKeyAudited,
  setKeyLimitsAudited,
} from './control/keys/procedures.ts';
import { findCaller } from './control/access/caller.ts';
import { recordMark } from './control/audit/record.ts';
import { issueInvoice } from './control/invoices/issue.ts';
import { enqueueInvoices } from './control/invoices/monthly.ts';
import {
  findInvoice,
  listInvoices,
  payInvoiceAudited,
  voidInvoiceAudited,
} from './control/invoices/procedures.ts';
import { findSpan, sumInvoiceSlice } from './control/invoices/span.ts';
import { findBalanceTurns, noteBalance } from './control/notices/low-balance.ts';
import {
  changeAndRead,
  changeAudited,
  findOrganization,
  listOrganizations,
  openAudited,
} from './control/organizations/procedures.ts';
import { applyEvent, whoseEvent } from './control/payments/events.ts';
import { findLooks, postponeLook } from './control/payments/looks.ts';
import {
  attachCheckout,
  findPayment,
  listPayments,
  openPaymentAudited,
  readCustomer,
} from './control/payments/procedures.ts';
import { findOpenRefund, refundPaymentAudited } from './control/payments/refunds.ts';
import { awaitPayment, findChargeable } from './control/recharge/charge.ts';
import {
  findDueRecharges,
  readRecharge,
  removeMethodAudited,
  setRechargeAudited,
  startRecharge,
} from './control/recharge/procedures.ts';
import { listRatesOf, removeRateAudited, setRateAudited } from './control/rates/procedures.ts';
import { listNamedUsage } from './control/usage/procedures.ts';
import { insertTransfer, readBalance } from './ledger/credit.ts';
import { sumHostSlice } from './ledger/host-report.ts';
import { enqueueJob, failJob, finishJob, leaseJobs, releaseJobs } from './ledger/jobs.ts';
import { insertKey, revokeKey, setKeyLimits, touchKeys } from './ledger/keys.ts';
import { listTransfers, listUsage } from './ledger/listings.ts';
import {
  insertOrganization,
  setBilling,
  setLimits,
  setRegion,
  setStatus,
} from './ledger/organizations.ts';
import {
  creditPayment,
  dispute,
  refund,
  reverseDispute,
  reverseRefund,
} from './ledger/payments.ts';
import { insertPrices } from './ledger/prices.ts';
import { listRates, removeRate, setRate } from './ledger/rates.ts';
import { ledgerLane } from './ledger/lane.ts';
import { verifyLedger } from './ledger/verify.ts';
import type { Registry } from './store/procedure.ts';

export const procedures: Registry['procedures'] = [
  creditPayment,
  dispute,
  enqueueJob,
  failJob,
  finishJob,
  insertKey,
  insertOrganization,
  insertPrices,
  insertTransfer,
  leaseJobs,
  listRates,
  listTransfers,
  listUsage,
  readBalance,
  refund,
  releaseJobs,
  removeRate,
  reverseDispute,
  reverseRefund,
  revokeKey,
  setBilling,
  setKeyLimits,
  setLimits,
  setRate,
  setRegion,
  setStatus,
  sumHostSlice,
  touchKeys,
  verifyLedger,

  // The control plane's.
  adjustAndRead,
  adjustAudited,
  applyEvent,
  attachCheckout,
  awaitPayment,
  changeAndRead,
  changeAudited,
  chargeSandbox,
  createKey,
  createKeyAudited,
  enqueueInvoices,
  enrolAudited,
  findBalanceTurns,
  findCaller,
  findInvoice,
  findChargeable,
  findDueRecharges,
  findListedKey,
  findLooks,
  findOpenRefund,
  findOrganization,
  findPayment,
  findRevoked,
  findSpan,
  findSandboxCheckout,
  foundStore,
  greetAgent,
  insertAgent,
  issueInvoice,
  isUnfounded,
  joinAgent,
  listAgents,
  listInvoices,
  listKeys,
  listNamedUsage,
  listOrganizations,
  listPayments,
  listRatesOf,
  listTransfersOf,
  lookSandbox,
  nameAgents,
  noteBalance,
  openAudited,
  payInvoiceAudited,
  openPaymentAudited,
  openSandboxCheckout,
  postponeLook,
  readCustomer,
  readRecharge,
  recordMark,
  refundPaymentAudited,
  refundSandbox,
  removeMethodAudited,
  removeRateAudited,
  revokeAgent,
  revokeAgentAudited,
  revokeKeyAudited,
  setKeyLimitsAudited,
  setRateAudited,
  sumInvoiceSlice,
  voidInvoiceAudited,
  setRechargeAudited,
  startRecharge,
  submitSandboxCard,
  whoseEvent,
];

export const lanes: Registry['lanes'] = [ledgerLane];
