/** The registry: what the store's threads find by name. Every room's procedures stand in this literal. */
import { findCaller } from './control/access/caller.ts';
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
import { listAudit } from './control/audit/list.ts';
import { recordMark } from './control/audit/record.ts';
import {
  chargeSandbox,
  findSandboxCheckout,
  lookSandbox,
  openSandboxCheckout,
  refundSandbox,
  submitSandboxCard,
} from './control/checkout/procedures.ts';
import { adjustAndRead, adjustAudited, listTransfersOf } from './control/credit/procedures.ts';
import { deleteOrganization, deleteOrganizationAudited } from './control/erasure/organization.ts';
import { announceChange, erasePerson, findOrganizationsOf } from './control/erasure/person.ts';
import { eraseOrganizationSlice, erasePersonSlice } from './control/erasure/traces.ts';
import { readExportPage } from './control/export/parts.ts';
import { foundStore, isUnfounded } from './control/founding.ts';
import {
  accept,
  acceptAudited,
  findLinked,
  invite,
  inviteAudited,
  listInvitations,
  previewInvitation,
  resend,
  resendAudited,
  revokeInvitation,
  revokeInvitationAudited,
} from './control/invitations/procedures.ts';
import { sweepInvitations } from './control/invitations/sweep.ts';
import { issueInvoice } from './control/invoices/issue.ts';
import { enqueueInvoices } from './control/invoices/monthly.ts';
import {
  findInvoice,
  listInvoices,
  payInvoiceAudited,
  voidInvoiceAudited,
} from './control/invoices/procedures.ts';
import { findSpan, sumInvoiceSlice } from './control/invoices/span.ts';
import {
  changeKeyAudited,
  createKeyAudited,
  findListedKey,
  listKeys,
  revokeKeyAudited,
} from './control/keys/procedures.ts';
import { addressLetter, copyLetter } from './control/mail/recipients.ts';
import {
  changeRole,
  changeRoleAudited,
  findMembership,
  listMembers,
  removeMember,
  removeMemberAudited,
} from './control/members/procedures.ts';
import { findAgreed } from './control/models/procedures.ts';
import { findBalanceTurns, noteBalance } from './control/notices/low-balance.ts';
import {
  changeSettings,
  changeSettingsAudited,
  changeTerms,
  changeTermsAudited,
  findOrganization,
  listOrganizations,
  openAudited,
  openOrganization,
  openOwn,
  openOwnAudited,
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
import {
  askForEmail,
  askForReset,
  changePassword,
  confirmEmail,
  countProof,
  findReset,
  forgiveProof,
  resetPassword,
} from './control/people/account.ts';
import {
  findMe,
  findPerson,
  insertLinkFor,
  listPeople,
  renamePerson,
} from './control/people/procedures.ts';
import { countSignUp, signUp } from './control/people/sign-up.ts';
import { beginTotp, confirmTotp, removeTotp } from './control/people/totp.ts';
import {
  deleteExpiredKeys,
  endPlaygroundAudited,
  openPlaygroundAudited,
} from './control/playground/procedures.ts';
import { listRatesOf, removeRateAudited, setRateAudited } from './control/rates/procedures.ts';
import { awaitPayment, findChargeable } from './control/recharge/charge.ts';
import {
  findDueRecharges,
  readRecharge,
  removeMethodAudited,
  setRechargeAudited,
  startRecharge,
} from './control/recharge/procedures.ts';
import { listRouters } from './control/routers/routes.ts';
import {
  endAllSessions,
  endSession,
  listSessions,
  rotateSession,
  signOut,
  touchSession,
} from './control/sessions/procedures.ts';
import { beginSignIn, completeSignIn, forgiveSignIn } from './control/sessions/sign-in.ts';
import { sweepSignIns } from './control/sessions/sweep.ts';
import {
  createTokenAudited,
  findToken,
  listTokens,
  revokeTokenAudited,
  touchToken,
} from './control/tokens/procedures.ts';
import { findNamedUsage, listNamedUsage, summarizeNamedUsage } from './control/usage/procedures.ts';
import { insertTransfer, readBalance } from './ledger/credit.ts';
import { findForgettable, forgetUsage } from './ledger/forgetting/forget.ts';
import { sumHostSlice } from './ledger/host-report.ts';
import { enqueueJob, failJob, finishJob, leaseJobs, releaseJobs } from './ledger/jobs.ts';
import { changeKey, insertKey, revokeKey, touchKeys } from './ledger/keys.ts';
import { ledgerLane } from './ledger/lane.ts';
import { findUsage, listTransfers, listUsage } from './ledger/listings.ts';
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
import { prepareFold, writeFold } from './ledger/rollups/fold.ts';
import { findUnfolded } from './ledger/rollups/round.ts';
import { summarizeUsage } from './ledger/rollups/summary.ts';
import { verifyLedger } from './ledger/verify.ts';
import type { Registry } from './store/procedure.ts';

export const procedures: Registry['procedures'] = [
  changeKey,
  creditPayment,
  dispute,
  enqueueJob,
  failJob,
  findForgettable,
  findUnfolded,
  findUsage,
  finishJob,
  forgetUsage,
  insertKey,
  insertOrganization,
  insertPrices,
  insertTransfer,
  leaseJobs,
  listRates,
  listTransfers,
  listUsage,
  prepareFold,
  readBalance,
  refund,
  releaseJobs,
  removeRate,
  reverseDispute,
  reverseRefund,
  revokeKey,
  setBilling,
  setLimits,
  setRate,
  setRegion,
  setStatus,
  sumHostSlice,
  summarizeUsage,
  touchKeys,
  verifyLedger,
  writeFold,

  // The control plane's.
  accept,
  acceptAudited,
  addressLetter,
  adjustAndRead,
  adjustAudited,
  announceChange,
  applyEvent,
  askForEmail,
  askForReset,
  attachCheckout,
  awaitPayment,
  beginSignIn,
  beginTotp,
  changeKeyAudited,
  changePassword,
  changeRole,
  changeRoleAudited,
  changeSettings,
  changeSettingsAudited,
  changeTerms,
  changeTermsAudited,
  chargeSandbox,
  completeSignIn,
  confirmEmail,
  confirmTotp,
  copyLetter,
  countProof,
  countSignUp,
  createKeyAudited,
  createTokenAudited,
  deleteExpiredKeys,
  deleteOrganization,
  deleteOrganizationAudited,
  endAllSessions,
  endPlaygroundAudited,
  endSession,
  enqueueInvoices,
  enrolAudited,
  eraseOrganizationSlice,
  erasePerson,
  erasePersonSlice,
  findAgreed,
  findBalanceTurns,
  findCaller,
  findChargeable,
  findDueRecharges,
  findInvoice,
  findLinked,
  findListedKey,
  findLooks,
  findMe,
  findMembership,
  findNamedUsage,
  findOpenRefund,
  findOrganization,
  findOrganizationsOf,
  findPayment,
  findPerson,
  findReset,
  findRevoked,
  findSandboxCheckout,
  findSpan,
  findToken,
  forgiveProof,
  forgiveSignIn,
  foundStore,
  greetAgent,
  insertAgent,
  insertLinkFor,
  invite,
  inviteAudited,
  isUnfounded,
  issueInvoice,
  joinAgent,
  listAgents,
  listAudit,
  listInvitations,
  listInvoices,
  listKeys,
  listMembers,
  listNamedUsage,
  listOrganizations,
  listPayments,
  listPeople,
  listRatesOf,
  listRouters,
  listSessions,
  listTokens,
  listTransfersOf,
  lookSandbox,
  nameAgents,
  noteBalance,
  openAudited,
  openOrganization,
  openOwn,
  openOwnAudited,
  openPaymentAudited,
  openPlaygroundAudited,
  openSandboxCheckout,
  payInvoiceAudited,
  postponeLook,
  previewInvitation,
  readCustomer,
  readExportPage,
  readRecharge,
  recordMark,
  refundPaymentAudited,
  refundSandbox,
  removeMember,
  removeMemberAudited,
  removeMethodAudited,
  removeRateAudited,
  removeTotp,
  renamePerson,
  resend,
  resendAudited,
  resetPassword,
  revokeAgent,
  revokeAgentAudited,
  revokeInvitation,
  revokeInvitationAudited,
  revokeKeyAudited,
  revokeTokenAudited,
  rotateSession,
  setRateAudited,
  setRechargeAudited,
  signOut,
  signUp,
  startRecharge,
  submitSandboxCard,
  sumInvoiceSlice,
  summarizeNamedUsage,
  sweepInvitations,
  sweepSignIns,
  touchSession,
  touchToken,
  voidInvoiceAudited,
  whoseEvent,
];

export const lanes: Registry['lanes'] = [ledgerLane];
