import type { Model } from '../../../../shared/api/models.ts';
import { shownCount } from '../../format/count.ts';
import { PRICE_PART_NAMES, PRICE_PARTS } from '../../format/price-parts.ts';
import { perMillion } from '../../format/usd.ts';
import { utcDate } from '../../format/utc.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Id } from '../../parts/id.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { Code, Money } from '../../parts/shown.tsx';
import { ModelState, type State } from '../catalog/states.tsx';
import { CAPABILITIES, capabilitiesOf } from './match.ts';
import { TryIt } from './model-row.tsx';

type ModelDialogProps = Readonly<{
  model: Model;
  /** Null until it is known. */
  state: State | null;
  onClose: () => void;
}>;

/** All details of a model. Mount this dialog only while it is open. */
export function ModelDialog({ model, state, onClose }: ModelDialogProps) {
  const can = capabilitiesOf(model).map((capability) => CAPABILITIES[capability]);
  return (
    <Dialog wide onClose={onClose} title={model.name} description={model.description}>
      <Facts>
        <Fact name="ID">
          <Id id={model.id} what="the model ID" />
        </Fact>
        <Fact name="Weights">
          <Code>{model.hub_model_id}</Code>
        </Fact>
        <Fact name="Status">{state ? <ModelState state={state} /> : '–'}</Fact>
        <Fact name="Released">{utcDate(new Date(model.created * 1_000).toISOString())}</Fact>
        <Fact name="Input">{model.input_modalities.join(', ')}</Fact>
        <Fact name="Capabilities">{can.length === 0 ? 'None' : can.join(', ')}</Fact>
        <Fact name="Context">{shownCount(model.context_length)} tokens, prompt and completion</Fact>
        <Fact name="Max output">{shownCount(model.max_output_length)} tokens</Fact>
        <Fact name="Quantization">{model.quantization}</Fact>
        <Fact name="Parameters">
          <span className="flex flex-wrap gap-1">
            {model.supported_sampling_parameters.map((parameter) => (
              <Code key={parameter}>{parameter}</Code>
            ))}
          </span>
        </Fact>
      </Facts>
      <Prices model={model} />
      <footer className="flex justify-end">
        <TryIt model={model} look="primary" />
      </footer>
    </Dialog>
  );
}

function Prices({ model: { pricing, billed, agreed } }: { model: Model }) {
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">Prices in USD per million tokens</h3>
      <table className="w-full border-collapse text-sm">
        <thead className="text-xs text-muted">
          <tr className="border-b">
            <th scope="col" className="py-1.5 text-left font-medium">
              Tokens
            </th>
            <th scope="col" className="py-1.5 text-right font-medium">
              List
            </th>
            {agreed && (
              <th scope="col" className="py-1.5 text-right font-medium">
                Your price
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {PRICE_PART_NAMES.map((part) => (
            <tr key={part}>
              <th scope="row" className="py-1.5 text-left font-normal">
                {PRICE_PARTS[part]}
              </th>
              <td className="py-1.5 text-right">
                <Money amount={perMillion(pricing[part])} exact />
              </td>
              {agreed && (
                <td className="py-1.5 text-right font-medium">
                  <Money amount={perMillion(billed[part])} exact />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
