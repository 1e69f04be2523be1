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
import { recordMark } from './control/audit/record.ts';
import { adjustAndRead, adjustAudited, listTransfersOf } from './control/credit/procedures.ts';
import { foundStore, isUnfounded } from './control/founding.ts';
import {
  changeKeyAudited,
  createKeyAudited,
  findListedKey,
  listKeys,
  revokeKeyAudited,
} from './control/keys/procedures.ts';
import { addressLetter, copyLetter } from './control/mail/recipients.ts';
import { findAgreed } from './control/models/procedures.ts';
import {
  changeAndRead,
  changeAudited,
  findOrganization,
  listOrganizations,
  openAudited,
} from './control/organizations/procedures.ts';
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
import { listNamedUsage } from './control/usage/procedures.ts';
import { insertTransfer, readBalance } from './ledger/credit.ts';
import { sumHostSlice } from './ledger/host-report.ts';
import { enqueueJob, failJob, finishJob, leaseJobs, releaseJobs } from './ledger/jobs.ts';
import { changeKey, insertKey, revokeKey, touchKeys } from './ledger/keys.ts';
import { ledgerLane } from './ledger/lane.ts';
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
import { verifyLedger } from './ledger/verify.ts';
import type { Registry } from './store/procedure.ts';

export const procedures: Registry['procedures'] = [
  changeKey,
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
  reverseRefund,
  revokeKey,
  setBilling,
  setLimits,
  setRate,
  setRegion,
  setStatus,
  sumHostSlice,
  touchKeys,
  verifyLedger,

  // The control plane's.
  addressLetter,
  adjustAndRead,
  adjustAudited,
  askForEmail,
  askForReset,
  beginSignIn,
  beginTotp,
  changeAndRead,
  changeAudited,
  changeKeyAudited,
  changePassword,
  completeSignIn,
  confirmEmail,
  confirmTotp,
  copyLetter,
  countProof,
  countSignUp,
  createKeyAudited,
  createTokenAudited,
  deleteExpiredKeys,
  endAllSessions,
  endPlaygroundAudited,
  endSession,
  enrolAudited,
  findAgreed,
  findCaller,
  findListedKey,
  findMe,
  findOrganization,
  findPerson,
  findReset,
  findRevoked,
  findToken,
  forgiveProof,
  forgiveSignIn,
  foundStore,
  greetAgent,
  insertAgent,
  insertLinkFor,
  isUnfounded,
  joinAgent,
  listAgents,
  listKeys,
  listNamedUsage,
  listOrganizations,
  listPeople,
  listRatesOf,
  listSessions,
  listTokens,
  listTransfersOf,
  nameAgents,
  openAudited,
  openPlaygroundAudited,
  recordMark,
  removeRateAudited,
  removeTotp,
  renamePerson,
  resetPassword,
  revokeAgent,
  revokeAgentAudited,
  revokeKeyAudited,
  revokeTokenAudited,
  rotateSession,
  setRateAudited,
  signOut,
  signUp,
  sweepSignIns,
  touchSession,
  touchToken,
];

export const lanes: Registry['lanes'] = [ledgerLane];
