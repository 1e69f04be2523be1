import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { shownCount } from '../../format/count.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Badge } from '../../parts/shown.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { ModelLink } from '../catalog/model-link.tsx';
import { ModelState, type State } from '../catalog/states.tsx';
import { CAPABILITIES, capabilitiesOf } from './match.ts';
import { PriceFigure } from './price-figure.tsx';

type ModelRowProps = Readonly<{
  model: Model;
  /** Null until it is known. */
  state: State | null;
  onDetails: () => void;
}>;

/** One model of the list: its description, capabilities, prices and limits. */
export function ModelRow({ model, state, onDetails }: ModelRowProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-3 px-5 py-4 lg:grid-cols-[minmax(0,1fr)_21rem_auto]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5 wrap-anywhere">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="text-sm font-semibold">
            <ModelLink id={model.id}>{model.name}</ModelLink>
          </h2>
          {state && <ModelState state={state} />}
        </div>
        <p className="-my-1 flex min-w-0 items-center gap-1">
          <code className="truncate font-mono text-xs text-muted">{model.id}</code>
          <CopyButton text={model.id} what={`the ID of ${model.name}`} />
        </p>
        <p className="max-w-xl text-sm text-muted">{model.description}</p>
        <ul className="flex flex-wrap gap-1" aria-label="Capabilities">
          {capabilitiesOf(model).map((capability) => (
            <li key={capability} className="flex">
              <Badge>{CAPABILITIES[capability]}</Badge>
            </li>
          ))}
        </ul>
      </div>
      <dl className="grid max-w-md grid-cols-3 content-start gap-x-4 gap-y-3">
        <PriceFigure name="Prompt" model={model} part="prompt" />
        <PriceFigure name="Cached" model={model} part="input_cache_read" />
        <PriceFigure name="Completion" model={model} part="completion" />
        <Figure name="Context">{shownCount(model.context_length)}</Figure>
        <Figure name="Max output">{shownCount(model.max_output_length)}</Figure>
        <Figure name="Quantization">{model.quantization}</Figure>
      </dl>
      <div className="flex gap-2 lg:w-18 lg:flex-col">
        <Button size="small" onClick={onDetails} aria-label={`Details of ${model.name}`}>
          Details
        </Button>
        <TryIt model={model} look="ghost" />
      </div>
    </li>
  );
}

export function TryIt({ model, look }: { model: Model; look: 'primary' | 'ghost' }) {
  const organization = useOrganization();
  if (!useMay('playground')) return null;
  return (
    <Button size={look === 'primary' ? 'medium' : 'small'} look={look} asChild>
      <Link
        to="/$organization/playground"
        params={{ organization }}
        search={{ model: model.id }}
        aria-label={`Try it: ${model.name} in the playground`}
      >
        Try it
      </Link>
    </Button>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-sm tabular-nums">{children}</dd>
    </div>
  );
}
