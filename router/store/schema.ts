/**
 * The store's tables, the same on SQLite and on PostgreSQL. Every whole number is an int8 and a
 * bigint here, every instant is ms since the epoch, and every id is text.
 */
import type { AlarmTables } from './schema/alarms.ts';
import type { ChatTables } from './schema/chats.ts';
import type { FleetTables } from './schema/fleet.ts';
import type { HistoryTables } from './schema/history.ts';
import type { IncidentTables } from './schema/incidents.ts';
import type { InvoiceTables } from './schema/invoices.ts';
import type { LedgerDayTables } from './schema/ledger-days.ts';
import type { LedgerTables } from './schema/ledger.ts';
import type { PaymentTables } from './schema/payments.ts';
import type { PeopleTables } from './schema/people.ts';
import type { RefusalTables } from './schema/refusals.ts';
import type { RollupTables } from './schema/rollups.ts';
import type { WebhookTables } from './schema/webhooks.ts';

export interface Schema
  extends AlarmTables,
    ChatTables,
    FleetTables,
    HistoryTables,
    IncidentTables,
    InvoiceTables,
    LedgerDayTables,
    LedgerTables,
    PaymentTables,
    PeopleTables,
    RefusalTables,
    RollupTables,
    WebhookTables {}
