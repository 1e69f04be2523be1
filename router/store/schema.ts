/**
 * The store's tables, the same on SQLite and on PostgreSQL. Every whole number is an int8 and a
 * bigint here, every instant is ms since the epoch, and every id is text.
 */
import type {
  AgentRow,
  FleetSettingRow,
  FleetTimeRow,
  IncarnationRow,
  JoinTokenRow,
} from './schema/fleet.ts';
import type {
  InvoiceLineRow,
  InvoiceRow,
  InvoicingRow,
  InvoicingStretchRow,
} from './schema/invoices.ts';
import type {
  AccountRow,
  ForgottenUsageRow,
  HoldRow,
  JobRow,
  KeyRow,
  MeterRow,
  OrganizationRow,
  PaymentEventRow,
  PriceRow,
  RateRow,
  TransferRow,
  UsageRow,
  WindowRow,
} from './schema/ledger.ts';
import type {
  IdempotencyKeyRow,
  PaymentCustomerRow,
  PaymentRow,
  RechargeRow,
  RefundRow,
  SandboxChargeRow,
  SandboxCheckoutRow,
  SandboxMethodRow,
  SandboxRefundRow,
  WelcomeClaimRow,
  WelcomeRow,
} from './schema/payments.ts';
import type {
  AuditRow,
  InvitationRow,
  LinkRow,
  ManagementTokenRow,
  MemberRow,
  OperatorTokenRow,
  PersonRow,
  RecoveryCodeRow,
  SessionRow,
  ThrottleRow,
} from './schema/people.ts';
import type {
  UsageFoldRow,
  UsageReversalRow,
  UsageRollupRow,
  UsageSeriesRow,
} from './schema/rollups.ts';

export interface Schema {
  organizations: OrganizationRow;
  accounts: AccountRow;
  holds: HoldRow;
  transfers: TransferRow;
  prices: PriceRow;
  usage: UsageRow;
  forgotten_usage: ForgottenUsageRow;
  keys: KeyRow;
  people: PersonRow;
  members: MemberRow;
  operator_tokens: OperatorTokenRow;
  agents: AgentRow;
  join_tokens: JoinTokenRow;
  incarnations: IncarnationRow;
  fleet_settings: FleetSettingRow;
  fleet_time: FleetTimeRow;
  meters: MeterRow;
  windows: WindowRow;
  rates: RateRow;
  jobs: JobRow;
  payment_events: PaymentEventRow;
  sessions: SessionRow;
  links: LinkRow;
  throttles: ThrottleRow;
  recovery_codes: RecoveryCodeRow;
  invitations: InvitationRow;
  management_tokens: ManagementTokenRow;
  audit: AuditRow;
  invoicing: InvoicingRow;
  invoicing_stretches: InvoicingStretchRow;
  invoices: InvoiceRow;
  invoice_lines: InvoiceLineRow;
  payments: PaymentRow;
  refunds: RefundRow;
  payment_customers: PaymentCustomerRow;
  recharges: RechargeRow;
  sandbox_checkouts: SandboxCheckoutRow;
  sandbox_methods: SandboxMethodRow;
  sandbox_charges: SandboxChargeRow;
  sandbox_refunds: SandboxRefundRow;
  welcomes: WelcomeRow;
  welcome_claims: WelcomeClaimRow;
  idempotency_keys: IdempotencyKeyRow;
  usage_folds: UsageFoldRow;
  usage_series: UsageSeriesRow;
  usage_rollups: UsageRollupRow;
  usage_reversals: UsageReversalRow;
}
