/** The data of an engine's metrics page. Each dialect writes the page under its own names. */
import type { FinishReason, Meter } from '../answer/completion.ts';

export abstract class MetricsPage implements Meter {
  /** The number of requests that ended, for /sim/requests. */
  finishedCount = 0;
  abortedCount = 0;

  abstract readonly contentType: string;
  abstract text(): Promise<string>;

  admitted(_model: string, _waitedMs: number): void {}

  firstToken(_model: string, _sinceArrivalMs: number): void {}

  nextToken(_model: string, _sinceLastMs: number): void {}

  finished(_model: string, reason: FinishReason, _sinceArrivalMs: number): void {
    if (reason === 'abort') this.abortedCount++;
    else this.finishedCount++;
  }
}

export interface Sample {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly values: readonly { readonly labels?: string; readonly value: number }[];
}

export function pageText(samples: readonly Sample[]): string {
  return samples
    .map(({ name, type, help, values }) => {
      const lines = values.map(
        ({ labels, value }) => `${name}${labels === undefined ? '' : `{${labels}}`} ${value}\n`,
      );
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}
