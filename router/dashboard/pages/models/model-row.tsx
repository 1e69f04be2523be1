import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import {
  compactCount,
  shownAbout,
  shownCount,
  shownSpeed,
  shownUptime,
} from '../../format/count.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Badge } from '../../parts/shown.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { ModelLink, modelParams } from '../catalog/model-link.tsx';
import { ModelState } from '../catalog/states.tsx';
import { CAPABILITIES, capabilitiesOf } from './match.ts';
import { PriceFigure } from './price-figure.tsx';
import type { MeasuredModel } from './use-measured.ts';

type ModelRowProps = Readonly<{
  model: Model;
  /** Null until it is known. */
  measured: MeasuredModel | null;
}>;

/** One model of the list: its description, capabilities, prices, measured figures and limits. */
export function ModelRow({ model, measured }: ModelRowProps) {
  const state = measured?.state ?? null;
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
        <Figure name="First token">{shownAbout(measured?.figures.ttft_ms?.p50 ?? null)}</Figure>
        <Figure name="Tokens/s">{shownSpeed(measured?.figures.speed?.p50 ?? null)}</Figure>
        <Figure name="Uptime">{shownUptime(measured?.uptime ?? null)}</Figure>
        <Figure name="Context" title={`${shownCount(model.context_length)} tokens`}>
          {compactCount(model.context_length)}
        </Figure>
        <Figure name="Max output" title={`${shownCount(model.max_output_length)} tokens`}>
          {compactCount(model.max_output_length)}
        </Figure>
        <Figure name="Quantization">{model.quantization}</Figure>
      </dl>
      <div className="flex gap-2 lg:w-18 lg:flex-col">
        <Button size="small" asChild>
          <Link
            to="/catalog/$namespace/$name"
            params={modelParams(model.id)}
            aria-label={`Details of ${model.name}`}
          >
            Details
          </Link>
        </Button>
        <TryIt model={model} />
      </div>
    </li>
  );
}

function TryIt({ model }: { model: Model }) {
  const organization = useOrganization();
  if (!useMay('playground')) return null;
  return (
    <Button size="small" look="ghost" asChild>
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

type FigureProps = Readonly<{ name: string; title?: string; children: ReactNode }>;

function Figure({ name, title, children }: FigureProps) {
  return (
    <div title={title} className="grid content-start gap-0.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-sm tabular-nums">{children}</dd>
    </div>
  );
}
