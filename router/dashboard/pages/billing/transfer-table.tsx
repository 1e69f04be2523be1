import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { TransferEntry } from '../../../../shared/api/credit.ts';
import { decimalsOf } from '../../../../shared/money.ts';
import { pathOf } from '../../api/client.ts';
import { transferKind } from '../../format/money-words.ts';
import { PAGES } from '../../pages.ts';
import { cx } from '../../parts/class-names.ts';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { Dash, Money } from '../../parts/shown.tsx';
import { foremost, numeric, Table, Td, TimeCell } from '../../parts/list/table.tsx';
import { useMe, useOrganization } from '../../session.tsx';
import { PersonLink } from '../operator/people/person-link.tsx';
import { PageLink } from './page-link.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { referenceOf, type TransferReference } from './transfer-reference.ts';

type TransferTableProps = Readonly<{
  label: string;
  transfers: readonly TransferEntry[];
  /** Leaves out who made them, in a dialog, which has room for fewer columns. */
  withoutActors?: boolean;
  /** With which every figure of the chain is exact, if it goes beyond these transfers. */
  decimals?: number;
}>;

/** Transfers with who made each and why, the payment or request that it is of, and the balance. */
export function TransferTable({
  label,
  transfers,
  withoutActors = false,
  decimals = chainDecimals(transfers),
}: TransferTableProps) {
  const [payment, setPayment] = useState<string | null>(null);
  return (
    <>
      <Table
        label={label}
        columns={[
          'Date',
          { name: 'Type', card: 'title' },
          ...(withoutActors ? [] : ['Source']),
          'Reference',
          foremost(numeric('Amount')),
          numeric('Balance after'),
        ]}
      >
        {transfers.map((transfer) => (
          <Row
            key={transfer.id}
            {...{ transfer, decimals, withoutActors }}
            onPayment={setPayment}
          />
        ))}
      </Table>
      {transfers.some(({ balance_after: after }) => after === null) && (
        <p className="border-t px-5 py-3 text-xs text-muted">
          On days with very many charges, the balance is that at the end of the day (UTC).
        </p>
      )}
      {payment !== null && <PaymentDialog id={payment} onClose={() => setPayment(null)} />}
    </>
  );
}

/**
 * Returns the decimals with which each amount is shown in full, so that readers can add it to the
 * balance before it, wherever that is: the transfers of a day are in two tables.
 */
export function chainDecimals(transfers: readonly TransferEntry[]): number {
  return decimalsOf(transfers.flatMap((transfer) => [transfer.amount, balanceOf(transfer)]));
}

type RowProps = Readonly<{
  transfer: TransferEntry;
  decimals: number;
  withoutActors: boolean;
  onPayment: (id: string) => void;
}>;

function Row({ transfer, decimals, withoutActors, onPayment }: RowProps) {
  const { kind, amount, reason, created } = transfer;
  const isCredit = !amount.startsWith('-');
  const of = referenceOf(transfer);
  const open = useOpening({ of, onPayment });
  return (
    <tr {...(open && { className: 'cursor-pointer hover:bg-hover', onClick: opensOnClick(open) })}>
      <TimeCell at={created} precision="seconds" />
      <Td className="min-w-36">
        {transferKind(kind)}
        {reason !== null && (
          <span className="block text-xs wrap-anywhere text-muted">{reason}</span>
        )}
      </Td>
      {!withoutActors && (
        <Td className="wrap-anywhere">
          <Actor actor={transfer.actor} />
        </Td>
      )}
      <Td>
        <Reference of={of} onPayment={onPayment} />
      </Td>
      <Td right className={cx('whitespace-nowrap', isCredit && 'text-good')}>
        {isCredit && '+'}
        <Money exact {...{ amount, decimals }} />
      </Td>
      <Td right className="whitespace-nowrap">
        <BalanceAfter transfer={transfer} decimals={decimals} />
      </Td>
    </tr>
  );
}

const UNNAMED: Readonly<Record<NonNullable<TransferEntry['actor']>['kind'], string>> = {
  person: 'Deleted user',
  'management-token': 'Management token',
  'auto-recharge': 'Auto-recharge',
  key: 'Deleted API key',
  operator: 'Penstock support',
  provider: 'Payment provider',
  system: 'Penstock',
};

function Actor({ actor }: Pick<TransferEntry, 'actor'>) {
  const { operator } = useMe();
  if (!actor) return <Dash />;
  const { kind, id, name } = actor;
  if (name === null) return <span className="text-muted">{UNNAMED[kind]}</span>;
  // Only operators may open the page of a person.
  const isLinked = operator && id !== null && id.startsWith('per_');
  if (isLinked) return <PersonLink id={id} name={name} />;
  return kind === 'key' ? `API key ${name}` : name;
}

type ReferenceProps = Pick<RowProps, 'onPayment'> & Readonly<{ of: TransferReference | null }>;

function Reference({ of, onPayment }: ReferenceProps) {
  const organization = useOrganization();
  if (of === null) return <Dash />;
  switch (of.kind) {
    case 'payment':
      return (
        <button
          type="button"
          className="font-medium whitespace-nowrap text-accent hover:underline"
          onClick={() => onPayment(of.id)}
        >
          {of.name}
        </button>
      );
    case 'invoice': {
      const path = `/organizations/${organization}/invoices/${of.id}`;
      return <PageLink href={pathOf(path, { format: 'html' })}>{of.name}</PageLink>;
    }
    case 'request':
      return (
        <Link
          to={PAGES.request.path}
          params={{ organization, request: of.id }}
          className="font-mono text-xs break-all text-accent hover:underline"
        >
          {of.id}
        </Link>
      );
  }
}

/** What a click on the row does. Null unless the transfer is of a payment or of a request. */
function useOpening({ of, onPayment }: ReferenceProps): (() => void) | null {
  const organization = useOrganization();
  const navigate = useNavigate();
  if (of?.kind === 'payment') return () => onPayment(of.id);
  if (of?.kind !== 'request') return null;
  const params = { organization, request: of.id };
  return () => void navigate({ to: PAGES.request.path, params });
}

/** Empty from a router of an earlier version, which tells neither. */
function balanceOf({ balance_after: after, day_closing: closing }: TransferEntry): string {
  return after || closing || '';
}

function BalanceAfter({
  transfer,
  decimals,
}: Pick<RowProps, 'transfer'> & Readonly<{ decimals: number }>) {
  const balance = balanceOf(transfer);
  if (balance === '') return <Dash />;
  return (
    <>
      <Money exact amount={balance} decimals={decimals} />
      {!transfer.balance_after && <span className="block text-xs text-muted">end of day</span>}
    </>
  );
}
