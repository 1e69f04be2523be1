/** The registry: what the store's threads find by name. Every room's procedures stand in this literal. */
import {
  greetAgent,
  insertAgent,
  joinAgent,
  listAgents,
  revokeAgent,
} from './control/agents/procedures.ts';
import { adjustAndRead, listTransfersOf } from './control/credit/procedures.ts';
import { foundStore, isUnfounded } from './control/founding.ts';
import { createKey, findListedKey, listKeys } from './control/keys/procedures.ts';
import { findOperator } from './control/operators/procedures.ts';
import { findOrganization, listOrganizations } from './control/organizations/procedures.ts';
import { listNamedUsage } from './control/usage/procedures.ts';
import { insertTransfer, readBalance } from './ledger/credit.ts';
import { insertKey, revokeKey, touchKeys } from './ledger/keys.ts';
import { listTransfers, listUsage } from './ledger/listings.ts';
import { insertOrganization, setRegion, setStatus } from './ledger/organizations.ts';
import { insertPrices } from './ledger/prices.ts';
import { ledgerLane } from './ledger/sqlite.ts';
import { verifyLedger } from './ledger/verify.ts';
import type { Registry } from './store/procedure.ts';

export const procedures: Registry['procedures'] = [
  insertKey,
  insertOrganization,
  insertPrices,
  insertTransfer,
  listTransfers,
  listUsage,
  readBalance,
  revokeKey,
  setRegion,
  setStatus,
  touchKeys,
  verifyLedger,

  // The control plane's.
  adjustAndRead,
  createKey,
  findListedKey,
  findOperator,
  findOrganization,
  foundStore,
  greetAgent,
  insertAgent,
  isUnfounded,
  joinAgent,
  listAgents,
  listKeys,
  listNamedUsage,
  listOrganizations,
  listTransfersOf,
  revokeAgent,
];

export const lanes: Registry['lanes'] = [ledgerLane];
