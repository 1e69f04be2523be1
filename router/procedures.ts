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
import { recordMark } from './control/audit/record.ts';
import {
  changeAndRead,
  changeAudited,
  findOrganization,
  listOrganizations,
  openAudited,
} from './control/organizations/procedures.ts';
import { listRatesOf, removeRateAudited, setRateAudited } from './control/rates/procedures.ts';
import { findNamedUsage, listNamedUsage, summarizeNamedUsage } from './control/usage/procedures.ts';
import { insertTransfer, readBalance } from './ledger/credit.ts';
import { sumHostSlice } from './ledger/host-report.ts';
import { enqueueJob, failJob, finishJob, leaseJobs, releaseJobs } from './ledger/jobs.ts';
import { insertKey, revokeKey, setKeyLimits, touchKeys } from './ledger/keys.ts';
import { findUsage, listTransfers, listUsage } from './ledger/listings.ts';
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
import { prepareFold, writeFold } from './ledger/rollups/fold.ts';
import { findUnfolded } from './ledger/rollups/round.ts';
import { summarizeUsage } from './ledger/rollups/summary.ts';
import { verifyLedger } from './ledger/verify.ts';
import type { Registry } from './store/procedure.ts';

export const procedures: Registry['procedures'] = [
  creditPayment,
  dispute,
  enqueueJob,
  failJob,
  findUnfolded,
  findUsage,
  finishJob,
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
  reverseRefund,
  revokeKey,
  setBilling,
  setKeyLimits,
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
  adjustAndRead,
  adjustAudited,
  changeAndRead,
  changeAudited,
  createKey,
  createKeyAudited,
  enrolAudited,
  findCaller,
  findListedKey,
  findNamedUsage,
  findOrganization,
  findRevoked,
  foundStore,
  greetAgent,
  insertAgent,
  isUnfounded,
  joinAgent,
  listAgents,
  listKeys,
  listNamedUsage,
  listOrganizations,
  listRatesOf,
  listTransfersOf,
  nameAgents,
  openAudited,
  recordMark,
  removeRateAudited,
  revokeAgent,
  revokeAgentAudited,
  revokeKeyAudited,
  setKeyLimitsAudited,
  setRateAudited,
  summarizeNamedUsage,
];

export const lanes: Registry['lanes'] = [ledgerLane];
