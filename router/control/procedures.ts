/** The registry of the control plane's procedures, which the store's threads look up by name. */
import type { Registry } from '../store/procedure.ts';
import { findCaller } from './access/caller.ts';
import {
  enrolAudited,
  findAgent,
  findRevoked,
  greetAgent,
  insertAgent,
  joinAgent,
  listAgents,
  listEnrolledKeys,
  nameAgents,
  revokeAgent,
  revokeAgentAudited,
} from './agents/procedures.ts';
import { listAudit } from './audit/list.ts';
import { recordAuditEntry } from './audit/record.ts';
import {
  chargeSandbox,
  findSandboxCharge,
  findSandboxCheckout,
  lookSandbox,
  openSandboxCheckout,
  refundSandbox,
  submitSandboxCard,
} from './checkout/procedures.ts';
import { adjustAndRead, adjustOnce, listTransfersOf } from './credit/procedures.ts';
import { deleteOrganization, deleteOrganizationAudited } from './erasure/organization.ts';
import { announceChange, erasePerson, findOrganizationsOf } from './erasure/person.ts';
import { eraseOrganizationSlice, erasePersonSlice } from './erasure/traces.ts';
import { readExportPage } from './export/parts.ts';
import { sweepIdempotencyKeys } from './idempotency/sweep.ts';
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
} from './invitations/procedures.ts';
import { sweepInvitations } from './invitations/sweep.ts';
import { issueInvoice } from './invoices/issue.ts';
import { enqueueInvoices } from './invoices/monthly.ts';
import {
  findInvoice,
  listInvoices,
  payInvoiceOnce,
  voidInvoiceOnce,
} from './invoices/procedures.ts';
import { findLastSpan, findSpan, sumInvoiceSlice } from './invoices/span.ts';
import {
  changeKeyAudited,
  createKeyAudited,
  findListedKey,
  listKeys,
  revokeKeyAudited,
} from './keys/procedures.ts';
import { addressLetter, copyLetter } from './mail/recipients.ts';
import {
  changeRole,
  changeRoleAudited,
  findMembership,
  listMembers,
  removeMember,
  removeMemberAudited,
} from './members/procedures.ts';
import { findAgreed } from './models/procedures.ts';
import { findBalanceTurns, noteBalance } from './notices/low-balance.ts';
import {
  changeSettings,
  changeSettingsAudited,
  changeTerms,
  changeTermsAudited,
  findOrganization,
  listOrganizations,
  openOnce,
  openOrganization,
  openOwn,
  openOwnOnce,
} from './organizations/procedures.ts';
import { applyEvent, findEventSubject } from './payments/events.ts';
import {
  attachCheckout,
  findPayment,
  findReference,
  listPayments,
  openPaymentAudited,
  readCustomer,
} from './payments/procedures.ts';
import { findUnreconciled, isCharged, postponeReconciliation } from './payments/reconciliation.ts';
import { askRefund, findDueRefunds, refundOnce } from './payments/refunds.ts';
import { findStranded } from './payments/stranded.ts';
import {
  askForEmail,
  askForReset,
  changePassword,
  confirmEmail,
  countProof,
  findConfirmation,
  findReset,
  forgiveProof,
  resetPassword,
} from './people/account.ts';
import {
  findMe,
  findPerson,
  insertLinkFor,
  listPeople,
  renamePerson,
} from './people/procedures.ts';
import { countSignUp, signUp } from './people/sign-up.ts';
import { beginTotp, confirmTotp, removeTotp } from './people/totp.ts';
import {
  deleteExpiredKeys,
  endPlaygroundAudited,
  openPlaygroundAudited,
} from './playground/procedures.ts';
import { listRatesOf, removeRateAudited, setRateAudited } from './rates/procedures.ts';
import { awaitPayment, beginCharge, endUncharged } from './recharge/charge.ts';
import {
  findDueRecharges,
  readRecharge,
  removeMethodAudited,
  setRechargeAudited,
  startRecharge,
} from './recharge/procedures.ts';
import { listRouters } from './routers/routes.ts';
import { seedStore, isStoreEmpty } from './seed.ts';
import {
  endAllSessions,
  endSession,
  listSessions,
  rotateSession,
  signOut,
  touchSession,
} from './sessions/procedures.ts';
import { beginSignIn, completeSignIn, forgiveSignIn } from './sessions/sign-in.ts';
import { sweepSignIns } from './sessions/sweep.ts';
import {
  createTokenAudited,
  findToken,
  listTokens,
  revokeTokenAudited,
  touchToken,
} from './tokens/procedures.ts';
import { findNamedUsage, listNamedUsage } from './usage/procedures.ts';
import { writeUsageSummary } from './usage/write-summary.ts';

import {
  findOperator,
  insertOperator,
  listOperators,
  replaceOperatorToken,
  revokeOperator,
} from './operators/procedures.ts';
import { digestAgain, findDigest } from './access/digests.ts';

export const controlProcedures: Registry['procedures'] = [
  accept,
  acceptAudited,
  addressLetter,
  adjustAndRead,
  adjustOnce,
  announceChange,
  applyEvent,
  askForEmail,
  askForReset,
  askRefund,
  attachCheckout,
  awaitPayment,
  beginCharge,
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
  digestAgain,
  endAllSessions,
  endPlaygroundAudited,
  endSession,
  endUncharged,
  enqueueInvoices,
  enrolAudited,
  eraseOrganizationSlice,
  erasePerson,
  erasePersonSlice,
  findAgent,
  findAgreed,
  findBalanceTurns,
  findCaller,
  findDigest,
  findOperator,
  findConfirmation,
  findDueRecharges,
  findDueRefunds,
  findInvoice,
  findLinked,
  findListedKey,
  findUnreconciled,
  findMe,
  findMembership,
  findNamedUsage,
  findOrganization,
  findOrganizationsOf,
  findPayment,
  findPerson,
  findReference,
  findReset,
  findRevoked,
  findSandboxCharge,
  listEnrolledKeys,
  findSandboxCheckout,
  findLastSpan,
  findSpan,
  findStranded,
  findToken,
  forgiveProof,
  forgiveSignIn,
  seedStore,
  greetAgent,
  insertAgent,
  insertLinkFor,
  invite,
  inviteAudited,
  isCharged,
  isStoreEmpty,
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
  openOnce,
  openOrganization,
  openOwn,
  openOwnOnce,
  openPaymentAudited,
  openPlaygroundAudited,
  openSandboxCheckout,
  payInvoiceOnce,
  postponeReconciliation,
  previewInvitation,
  readCustomer,
  readExportPage,
  readRecharge,
  recordAuditEntry,
  refundOnce,
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
  sweepIdempotencyKeys,
  sweepInvitations,
  sweepSignIns,
  touchSession,
  touchToken,
  voidInvoiceOnce,
  findEventSubject,
  writeUsageSummary,
  insertOperator,
  listOperators,
  replaceOperatorToken,
  revokeOperator,
];
