/** What the comparison of models says in each of its rows, and whose value is the best. */
import { HISTOGRAM_GROWTH } from '../../../../shared/histogram-steps.ts';
import type { FigureSpan } from '../../../../shared/public-figures.ts';
import { shownAbout, shownAboutSpeed, shownCount, shownShare } from '../../format/count.ts';
import { uptimeWords } from '../../format/measured-time.ts';
import { PRICE_PART_NAMES, PRICE_PARTS } from '../../format/price-parts.ts';
import { exactUsd, perMillion, picoOf } from '../../format/usd.ts';
import { utcDate } from '../../format/utc.ts';
import { CAPABILITIES, capabilitiesOf } from './match.ts';
import type { PricedModel } from './order.ts';

type Row = Readonly<{
  name: string;
  /** Null: the model has no such value. */
  textOf: (model: PricedModel) => string | null;
  /** For a row whose values are better or worse. */
  rankOf?: (model: PricedModel) => number | null;
  isLowest?: boolean;
  /** Measured in the chosen span of time. */
  isMeasured?: boolean;
  /** Values that differ by less than this share are equally good. */
  accuracy?: number;
}>;

function figure(
  name: string,
  rankOf: (model: PricedModel) => number | null,
  shown: (value: number) => string,
  { isLowest = false, accuracy = 0 } = {},
): Row {
  const textOf = (model: PricedModel) => {
    const value = rankOf(model);
    return value === null ? null : shown(value);
  };
  return { name, rankOf, textOf, isLowest, accuracy, isMeasured: true };
}

function rowsOf(span: FigureSpan): readonly Row[] {
  const prices = PRICE_PART_NAMES.map(
    (part): Row => ({
      name: PRICE_PARTS[part],
      textOf: ({ billed }) => exactUsd(perMillion(billed[part])),
      rankOf: ({ billed }) => Number(picoOf(billed[part])),
      isLowest: true,
    }),
  );
  // What is one step of its histogram apart may be equal. Steps are of whole milliseconds, so some are
  // larger than others, but two are always more than one and a half.
  const approximate = { accuracy: HISTOGRAM_GROWTH ** 1.5 - 1 };
  const lowest = { ...approximate, isLowest: true };
  return [
    ...prices,
    figure(
      'Time to first token, median',
      ({ figures }) => figures[span].ttft_ms?.p50 ?? null,
      shownAbout,
      lowest,
    ),
    figure(
      'Time to first token, p95',
      ({ figures }) => figures[span].ttft_ms?.p95 ?? null,
      shownAbout,
      lowest,
    ),
    figure(
      'Tokens per second',
      ({ figures }) => figures[span].speed?.p50 ?? null,
      shownAboutSpeed,
      approximate,
    ),
    figure('Requests answered', ({ figures }) => figures[span].success, shownShare),
    {
      name: 'Uptime',
      textOf: (model) => (model.uptime === null ? null : uptimeWords(model)),
      rankOf: ({ uptime }) => uptime,
    },
    {
      name: 'Context',
      textOf: (model) => shownCount(model.context_length),
      rankOf: (model) => model.context_length,
    },
    {
      name: 'Max output',
      textOf: (model) => shownCount(model.max_output_length),
      rankOf: (model) => model.max_output_length,
    },
    {
      name: 'Capabilities',
      textOf: (model) =>
        capabilitiesOf(model)
          .map((capability) => CAPABILITIES[capability])
          .join(', ') || 'None',
    },
    { name: 'Quantization', textOf: ({ quantization }) => quantization },
    {
      name: 'Released',
      textOf: ({ created }) => utcDate(new Date(created * 1_000).toISOString()),
    },
  ];
}

type ComparedRow = Readonly<{
  name: string;
  isMeasured: boolean;
  /** One for each model, in their order. */
  cells: readonly Readonly<{ text: string | null; isBest: boolean }>[];
}>;

/** Leaves out the rows for which no model has a value. */
export function comparedRows(
  models: readonly PricedModel[],
  span: FigureSpan,
): readonly ComparedRow[] {
  return rowsOf(span).flatMap((row) => {
    const texts = models.map(row.textOf);
    if (texts.every((text) => text === null)) return [];
    const best = bestOf(models, row);
    const cells = texts.map((text, at) => ({ text, isBest: best[at] ?? false }));
    return [{ name: row.name, isMeasured: row.isMeasured ?? false, cells }];
  });
}

/**
 * Which of the models have the best value. Values that look equal, or are as close as the accuracy of
 * the row, are equally good. None is the best if all are equally good, or only one model has a value.
 */
function bestOf(
  models: readonly PricedModel[],
  { rankOf = () => null, textOf, isLowest = false, accuracy = 0 }: Row,
): readonly boolean[] {
  const ranks = models.map(rankOf);
  const known = ranks.filter((rank) => rank !== null);
  const best = isLowest ? Math.min(...known) : Math.max(...known);
  const isClose = (rank: number) => {
    const [less, more] = rank < best ? [rank, best] : [best, rank];
    return more <= less * (1 + accuracy);
  };
  const close = ranks.map((rank) => rank !== null && isClose(rank));
  const looks = models.filter((_, at) => close[at]).map(textOf);
  const isBest = models.map((model, at) => ranks[at] !== null && looks.includes(textOf(model)));
  const count = isBest.filter(Boolean).length;
  return count < known.length ? isBest : models.map(() => false);
}
