import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { publicModelsQuery } from '../../api/public-figures.ts';
import { compactCount } from '../../format/count.ts';
import { perMillion } from '../../format/usd.ts';
import { Panel } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { numeric, Table, Td } from '../../parts/table.tsx';
import { ModelLink } from '../catalog/model-link.tsx';

const SHOWN_MAX = 6;

/** The first models of the catalog with their prices. Nothing while the catalog is empty. */
export function LandingModels() {
  const models = useQuery(publicModelsQuery);
  if (models.data?.data.length === 0) return null;
  return (
    <Panel
      title="Models"
      description="List prices per million tokens."
      actions={
        <Link to="/catalog" className="text-sm font-medium text-accent hover:underline">
          All models
        </Link>
      }
      flush
      className="overflow-hidden"
    >
      <Loaded query={models}>
        {({ data }) => (
          <Table
            label="Models"
            columns={['Model', numeric('Prompt'), numeric('Completion'), numeric('Context')]}
          >
            {data.slice(0, SHOWN_MAX).map(({ id, name, pricing, context_length: context }) => (
              <tr key={id}>
                <Td className="font-medium">
                  <ModelLink id={id}>{name}</ModelLink>
                </Td>
                <Td right>
                  <Money amount={perMillion(pricing.prompt)} exact />
                </Td>
                <Td right>
                  <Money amount={perMillion(pricing.completion)} exact />
                </Td>
                <Td right>{compactCount(context)}</Td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </Panel>
  );
}
