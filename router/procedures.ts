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
import { listAudit } from './control/audit/list.ts';
import { recordMark } from './control/audit/record.ts';
import { deleteOrganization, deleteOrganizationAudited } from './control/erasure/organization.ts';
import { announceChange, erasePerson, findOrganizationsOf } from './control/erasure/person.ts';
import { countPasswordAttempt } from './control/erasure/prove.ts';
import { eraseOrganizationSlice, erasePersonSlice } from './control/erasure/traces.ts';
import { sweepInvitations } from './control/invitations/sweep.ts';
import { readExportPage } from './control/export/parts.ts';
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
import {
  changeRole,
  changeRoleAudited,
  findMembership,
  listMembers,
  removeMember,
  removeMemberAudited,
} from './control/members/procedures.ts';
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
import { listRatesOf, removeRateAudited, setRateAudited } from './control/rates/procedures.ts';
import { listRouters } from './control/routers/routes.ts';
import { listNamedUsage } from './control/usage/procedures.ts';
import { insertTransfer, readBalance } from './ledger/credit.ts';
import { findForgettable, forgetUsage } from './ledger/forgetting/forget.ts';
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
import { creditPayment, dispute, refund, reverseRefund } from './ledger/payments.ts';
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
  findForgettable,
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
  readBalance,
  refund,
  releaseJobs,
  removeRate,
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
  accept,
  acceptAudited,
  adjustAndRead,
  adjustAudited,
  announceChange,
  changeRole,
  changeRoleAudited,
  changeSettings,
  changeSettingsAudited,
  changeTerms,
  changeTermsAudited,
  countPasswordAttempt,
  createKey,
  createKeyAudited,
  deleteOrganization,
  deleteOrganizationAudited,
  enrolAudited,
  eraseOrganizationSlice,
  erasePerson,
  erasePersonSlice,
  findCaller,
  findLinked,
  findListedKey,
  findMembership,
  findOrganization,
  findOrganizationsOf,
  findRevoked,
  foundStore,
  greetAgent,
  insertAgent,
  invite,
  inviteAudited,
  isUnfounded,
  joinAgent,
  listAgents,
  listAudit,
  listInvitations,
  listKeys,
  listMembers,
  listNamedUsage,
  listOrganizations,
  listRatesOf,
  listRouters,
  listTransfersOf,
  nameAgents,
  openAudited,
  openOrganization,
  openOwn,
  openOwnAudited,
  previewInvitation,
  readExportPage,
  recordMark,
  removeMember,
  removeMemberAudited,
  removeRateAudited,
  resend,
  resendAudited,
  revokeAgent,
  revokeAgentAudited,
  revokeInvitation,
  revokeInvitationAudited,
  revokeKeyAudited,
  setKeyLimitsAudited,
  setRateAudited,
  sweepInvitations,
];

export const lanes: Registry['lanes'] = [ledgerLane];
