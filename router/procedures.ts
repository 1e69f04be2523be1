/** The registry of all procedures and lanes, which the store's threads find by name. */
import { controlProcedures } from './control/procedures.ts';
import { acceptFleet, claimFleet, needsSecrets, readFleet } from './installation/procedures.ts';
import { countPepperUse, listSealed, replaceSealed } from './installation/pepper-use.ts';
import { ledgerLane } from './ledger/lane.ts';
import type { Registry } from './store/procedure.ts';
import { insertTransfer, readBalance } from './ledger/credit.ts';
import { findForgettable, forgetUsage } from './ledger/forgetting/forget.ts';
import { sumHostSlice } from './ledger/host-report.ts';
import { enqueueJob, failJob, finishJob, leaseJobs, releaseJobs } from './ledger/jobs.ts';
import { changeKey, insertKey, revokeKey, touchKeys } from './ledger/keys.ts';
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

import { forgetTime, noteTime, readTime } from './store/time.ts';

export const procedures: Registry['procedures'] = [
  acceptFleet,
  changeKey,
  claimFleet,
  countPepperUse,
  creditPayment,
  dispute,
  enqueueJob,
  failJob,
  findForgettable,
  findUnfolded,
  findUsage,
  finishJob,
  forgetTime,
  forgetUsage,
  insertKey,
  insertOrganization,
  insertPrices,
  insertTransfer,
  leaseJobs,
  listRates,
  listSealed,
  listTransfers,
  listUsage,
  needsSecrets,
  noteTime,
  prepareFold,
  readBalance,
  readFleet,
  readTime,
  refund,
  releaseJobs,
  removeRate,
  replaceSealed,
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
  ...controlProcedures,
];

export const lanes: Registry['lanes'] = [ledgerLane];
