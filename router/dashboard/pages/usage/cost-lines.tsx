import type { UsageDetail } from '../../../../shared/api/usage.ts';
import { shownCount } from '../../format/count.ts';
import { perMillion } from '../../format/usd.ts';
import { Panel } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/list/table.tsx';

const KINDS: Readonly<Record<UsageDetail['lines'][number]['kind'], string>> = {
  prompt: 'Prompt, not cached',
  cached: 'Prompt, cached',
  completion: 'Completion',
};

/** The cost of a request line by line, so that readers can verify the total. */
export function CostLines({ detail }: { detail: UsageDetail }) {
  const { lines } = detail;
  if (lines.length === 0) {
    return (
      <Panel title="Cost">
        <p className="text-sm text-muted">Nothing was charged for this request.</p>
      </Panel>
    );
  }
  return (
    <Panel
      flush
      title="Cost"
      description={
        <>
          How this cost was calculated. <Saved detail={detail} />
        </>
      }
    >
      <Table
        label="Cost, line by line"
        columns={[
          'Type',
          numeric('Tokens'),
          numeric('USD per million'),
          foremost(numeric('Amount')),
        ]}
      >
        {lines.map(({ kind, tokens, unit_price, amount }) => (
          <tr key={kind}>
            <Td>{KINDS[kind]}</Td>
            <Td right>{shownCount(tokens)}</Td>
            <MoneyCell exact amount={perMillion(unit_price)} />
            <MoneyCell exact amount={amount} />
          </tr>
        ))}
        <tr className="font-medium">
          <Td>Total</Td>
          <Td right>{shownCount(lines.reduce((sum, { tokens }) => sum + tokens, 0))}</Td>
          <Td />
          <MoneyCell exact amount={detail.cost} />
        </tr>
      </Table>
    </Panel>
  );
}

function Saved({ detail: { cached_tokens, cached_savings } }: { detail: UsageDetail }) {
  if (cached_tokens === 0) return 'No prompt tokens were cached.';
  return (
    <>
      Cached tokens saved <Money exact amount={cached_savings} />.
    </>
  );
}
