/** What the dashboards have in common: their variables, and panels that cannot lack a unit. */
import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeSeriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

export type Panel = Readonly<{
  title: string;
  description: string;
  /** The id of a unit of Grafana. */
  unit: string;
  /** Queries in PromQL, by the template of their legend. */
  queries: Readonly<Record<string, string>>;
  /** Shows the last values as numbers instead of their course. */
  stat?: boolean;
}>;

export type Plan = Readonly<{
  uid: string;
  title: string;
  description: string;
  rows: Readonly<Record<string, readonly Panel[]>>;
}>;

/** A quantile of a histogram, by labels. */
export function quantile(q: number, histogram: string, by: string, matchers: string): string {
  const buckets = `rate(${histogram}_bucket{${matchers}}[$__rate_interval])`;
  return `histogram_quantile(${q}, sum by (${['le', by].join(', ')}) (${buckets}))`;
}

/** The rate of a counter, summed by labels. */
export function rate(counter: string, by: string, matchers: string): string {
  return `sum by (${by}) (rate(${counter}{${matchers}}[$__rate_interval]))`;
}

const SOURCE = { type: 'prometheus', uid: '$datasource' };

/** Variables with the values of a label. A dashboard has each of them, so that links keep them. */
const VARIABLES = [
  ['instance', 'Router', 'label_values(up{job="penstock-router"}, instance)'],
  ['region', 'Region', 'label_values(penstock_router_model_slots, region)'],
  ['model', 'Model', 'label_values(penstock_router_model_slots, model)'],
] as const;

function draw({ title, description, unit, queries, stat = false }: Panel) {
  const panel = stat
    ? new StatBuilder().span(4).height(4)
    : new TimeSeriesBuilder().span(8).height(8);
  panel.title(title).description(description).unit(unit).datasource(SOURCE);
  Object.entries(queries).forEach(([legend, expr], index) => {
    const refId = String.fromCodePoint(65 + index);
    const query = new DataqueryBuilder().refId(refId).expr(expr).legendFormat(legend);
    panel.withTarget(stat ? query.instant() : query.range());
  });
  return panel;
}

/** Returns the dashboard as Grafana imports it. */
export function dashboard({ uid, title, description, rows }: Plan): object {
  const made = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['penstock'])
    .timezone('browser')
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(
      new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'),
    );
  for (const [name, label, query] of VARIABLES) {
    made.withVariable(
      new QueryVariableBuilder(name)
        .label(label)
        .query(query)
        .datasource(SOURCE)
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .multi(true)
        .includeAll(true)
        .allValue('.*'),
    );
  }
  for (const [row, panels] of Object.entries(rows)) {
    made.withRow(new RowBuilder(row));
    for (const panel of panels) made.withPanel(draw(panel));
  }
  return made.build();
}
