/** The page of one model, for visitors and signed-in people alike. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { capitalized } from '../../../../shared/capitalized.ts';
import { statusQuery } from '../../api/public-figures.ts';
import { shownCount } from '../../format/count.ts';
import { PRICE_PART_NAMES, PRICE_PARTS } from '../../format/price-parts.ts';
import { perMillion } from '../../format/usd.ts';
import { utcDate } from '../../format/utc.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Button } from '../../parts/form/button.tsx';
import { CodeTabs } from '../../parts/code/code-block.tsx';
import { Id } from '../../parts/id.tsx';
import { Fact, Facts, Page, Panel } from '../../parts/page.tsx';
import { Code, Money } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { foremost, numeric, Table, Td } from '../../parts/list/table.tsx';
import { SiteFrame } from '../../shell/site-frame.tsx';
import { ReaderGiven, useReader } from '../docs/reader.tsx';
import { KEY_VARIABLE, snippets } from '../keys/snippets.ts';
import { CAPABILITIES, capabilitiesOf } from './match.ts';
import { LINK } from '../people/visitor-frame.tsx';
import { ModelDays } from '../status/model-days.tsx';
import { Calculator } from './calculator.tsx';
import { GetKey } from './get-key.tsx';
import { isMeasured, Measured, NotMeasured } from './measured.tsx';
import type { PricedModel } from './order.ts';
import { parametersOf } from './parameters.ts';
import { SpeedCharts } from './speed-charts.tsx';
import { RegionStates } from './states.tsx';
import { TryIt } from './try-it.tsx';
import { usePricedModels } from './use-models.ts';

export default function ModelPage() {
  return (
    <SiteFrame>
      <Found />
    </SiteFrame>
  );
}

function Found() {
  const { namespace = '', name = '' } = useParams({ strict: false });
  const id = `${namespace}/${name}`;
  const models = usePricedModels();
  // Asked for together with the models.
  useQuery(statusQuery);
  return (
    <Loaded query={models}>
      {(all) => {
        const model = all.find((one) => one.id === id);
        return model ? <Shown model={model} asOf={models.asOf} /> : <Unknown id={id} />;
      }}
    </Loaded>
  );
}

function Unknown({ id }: { id: string }) {
  return (
    <Page title="Not found">
      <Panel>
        <Empty
          icon={<Boxes />}
          title="This model is not in the catalog"
          action={
            <Button asChild>
              <Link to="/catalog">All models</Link>
            </Button>
          }
        >
          <Code>{id}</Code>
        </Empty>
      </Panel>
    </Page>
  );
}

/** Two columns that end at the same height: the last panel of each fills it. */
const PAIR = 'grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]';
const COLUMN = 'flex min-w-0 flex-col gap-6 [&>:last-child]:grow';

type ShownProps = Readonly<{ model: PricedModel; asOf: string | undefined }>;

function Shown({ model, asOf }: ShownProps) {
  return (
    <Page
      title={model.name}
      back={<BackLink to="/catalog">Models</BackLink>}
      description={model.description}
      actions={
        <>
          <RegionStates regions={model.regions} />
          <Button asChild>
            <Link to="/catalog" search={{ compare: model.id }}>
              Compare
            </Link>
          </Button>
          <TryIt model={model.id} name={model.name} />
          <GetKey />
        </>
      }
    >
      {isMeasured(model.figures) ? (
        <MeasuredModel model={model} asOf={asOf} />
      ) : (
        <NewModel model={model} />
      )}
    </Page>
  );
}

/** The panels of a model that has figures, which come first. */
function MeasuredModel({ model, asOf }: ShownProps) {
  return (
    <>
      <div className={PAIR}>
        {/* On a phone, prices come first. */}
        <div className={`${COLUMN} lg:order-last`}>
          <Prices model={model} />
          <KeyFacts model={model} />
        </div>
        <div className={COLUMN}>
          <Measured figures={model.figures} asOf={asOf} />
          <Uptime model={model.id} />
        </div>
      </div>
      <SpeedCharts model={model.id} figures={model.figures} />
      <div className={PAIR}>
        <div className={COLUMN}>
          <Example model={model} />
        </div>
        <div className={COLUMN}>
          <Calculator model={model} />
        </div>
      </div>
      <Parameters model={model} />
    </>
  );
}

/** The panels of a model without figures. */
function NewModel({ model }: { model: PricedModel }) {
  return (
    <div className={PAIR}>
      <div className={`${COLUMN} lg:order-last`}>
        <Prices model={model} />
        <KeyFacts model={model} />
        <Calculator model={model} />
      </div>
      <div className={COLUMN}>
        <Example model={model} />
        <NotMeasured />
        <Uptime model={model.id} />
        <Parameters model={model} />
      </div>
    </div>
  );
}

function Prices({ model: { pricing, billed } }: { model: PricedModel }) {
  const isAgreed = PRICE_PART_NAMES.some((part) => billed[part] !== pricing[part]);
  return (
    <Panel flush title="Prices" description="In USD per million tokens.">
      <Table
        label="Prices"
        columns={[
          'Tokens',
          isAgreed ? numeric('List price') : foremost(numeric('Price')),
          ...(isAgreed ? [foremost(numeric('Your price'))] : []),
        ]}
      >
        {PRICE_PART_NAMES.map((part) => (
          <tr key={part}>
            <Td>{PRICE_PARTS[part]}</Td>
            <Td right>
              <Money amount={perMillion(pricing[part])} exact />
            </Td>
            {isAgreed && (
              <Td right className="font-medium">
                <Money amount={perMillion(billed[part])} exact />
              </Td>
            )}
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function Uptime({ model: id }: { model: string }) {
  return (
    <Panel
      title="Uptime"
      description="By day, in UTC."
      actions={
        <Link to="/status" className={`text-sm ${LINK}`}>
          Status of all models
        </Link>
      }
    >
      <Loaded query={useQuery(statusQuery)}>
        {(status) => {
          const model = status.models.find((one) => one.id === id);
          return model && <ModelDays model={model} status={status} hasAxis />;
        }}
      </Loaded>
    </Panel>
  );
}

function KeyFacts({ model }: { model: PricedModel }) {
  const can = capabilitiesOf(model).map((capability) => CAPABILITIES[capability]);
  return (
    <Panel title="Key facts">
      <Facts>
        <Fact name="ID">
          <Id id={model.id} what="the model ID" />
        </Fact>
        <Fact name="Context">{shownCount(model.context_length)} tokens, prompt and completion</Fact>
        <Fact name="Max output">{shownCount(model.max_output_length)} tokens</Fact>
        <Fact name="Input">{capitalized(model.input_modalities.join(', '))}</Fact>
        <Fact name="Capabilities">{can.length === 0 ? 'None' : can.join(', ')}</Fact>
        <Fact name="Weights">
          <Code>{model.hub_model_id}</Code>
        </Fact>
        <Fact name="Quantization">{model.quantization}</Fact>
        <Fact name="Released">{utcDate(new Date(model.created * 1_000).toISOString())}</Fact>
      </Facts>
    </Panel>
  );
}

function Parameters({ model }: { model: PricedModel }) {
  return (
    <Panel title="Parameters" description="Parameters that a request may have.">
      <p className="flex flex-wrap gap-1">
        {parametersOf(model).map((parameter) => (
          <Code key={parameter}>{parameter}</Code>
        ))}
      </p>
    </Panel>
  );
}

function Example({ model }: { model: PricedModel }) {
  return (
    <ReaderGiven>
      <FirstRequest model={model} />
    </ReaderGiven>
  );
}

function FirstRequest({ model }: { model: PricedModel }) {
  const { baseUrl } = useReader();
  return (
    <Panel
      title="Code"
      description={
        <>
          The key is read from <Code>{KEY_VARIABLE}</Code>.{' '}
          <Link to="/docs" className={LINK}>
            Read the documentation
          </Link>
        </>
      }
    >
      <CodeTabs tabs={snippets({ baseUrl, model: model.id, key: null })} />
    </Panel>
  );
}
