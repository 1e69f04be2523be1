/** What a job was given, with links to what it refers to. */
import { Link } from '@tanstack/react-router';
import type { JobDetail, JobFact } from '../../../../../shared/api/jobs.ts';
import { Fact } from '../../../parts/page.tsx';
import { Code, Money } from '../../../parts/shown.tsx';
import { InvoiceLink } from '../invoices/invoice-link.tsx';
import { PersonLink } from '../people/person-link.tsx';

const NAMES: Readonly<Record<string, string>> = {
  organization: 'Organization',
  person: 'Person',
  recipient: 'Recipient',
  invitation: 'Invitation',
  payment: 'Payment',
  refund: 'Refund',
  invoice: 'Invoice',
  webhook: 'Endpoint',
  delivery: 'Delivery',
  attempt: 'Attempt of the delivery',
  month: 'Month',
  amount: 'Amount',
  balance: 'Balance',
  threshold: 'Threshold',
  percent: 'Percent',
  spent: 'Spent',
  budget: 'Budget',
};

const AMOUNTS: readonly string[] = ['amount', 'balance', 'threshold', 'spent', 'budget'];

export function JobFacts({ job: { facts, subject } }: { job: JobDetail }) {
  return facts
    .filter(({ value }) => value !== subject)
    .map((fact) => (
      <Fact key={fact.name} name={NAMES[fact.name] ?? fact.name}>
        <Value fact={fact} />
      </Fact>
    ));
}

function Value({ fact: { name, value, value_name: known } }: { fact: JobFact }) {
  if (AMOUNTS.includes(name)) return <Money amount={value} />;
  if (value.startsWith('per_') && known !== null) return <PersonLink id={value} name={known} />;
  if (value.startsWith('org_')) {
    return (
      <Link
        to="/operator/organizations/$organization"
        params={{ organization: value }}
        className="hover:underline"
      >
        {known ?? <Code>{value}</Code>}
      </Link>
    );
  }
  if (value.startsWith('ivc_')) return <InvoiceLink id={value} number={known ?? value} />;
  if (name === 'month' || name === 'percent' || name === 'attempt') return value;
  return (
    <>
      {known !== null && `${known} `}
      <Code>{value}</Code>
    </>
  );
}
