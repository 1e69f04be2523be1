/** The registry of all procedures and batch executors, which the store's threads find by name. */
import { controlProcedures } from './control/procedures.ts';
import { changeKey, insertKey, revokeKey } from './identity/keys.ts';
import {
  insertOrganization,
  setBilling,
  setLimits,
  setRegion,
  setStatus,
} from './identity/organizations.ts';
import { listRates, removeRate, setRate } from './identity/rates.ts';
import { countPepperUse, listSealed, replaceSealed } from './installation/pepper-use.ts';
import { acceptFleet, claimFleet, needsSecrets, readFleet } from './installation/procedures.ts';
import { enqueueJob, failJob, finishJob, leaseJobs, releaseJobs } from './jobs/queue.ts';
import { ledgerExecutor } from './ledger/batch-executor.ts';
import { insertTransfer, readBalance } from './ledger/credit.ts';
import { touchKeys } from './ledger/key-touches.ts';
import {
  creditPayment,
  dispute,
  refund,
  reverseDispute,
  reverseRefund,
} from './ledger/payments.ts';
import { insertPrices } from './ledger/prices.ts';
import type { Registry } from './store/procedure.ts';
import { sumHostSlice } from './usage/host-report.ts';
import { findUsage, listTransfers, listUsage } from './usage/listings.ts';
import { findForgettable, forgetUsage } from './usage/retention/forget.ts';
import { findUnfolded } from './usage/rollups/fold-task.ts';
import { prepareFold, writeFold } from './usage/rollups/fold.ts';
import { summarizeUsage } from './usage/rollups/summary.ts';
import { verifyLedger } from './verify/verify.ts';

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

export const batchExecutors: Registry['batchExecutors'] = [ledgerExecutor];
