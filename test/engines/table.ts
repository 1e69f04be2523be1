/** What the rows have shown, as the table that a run ends with. */
import { expect } from 'vitest';
import type { Limit } from './engine-row.ts';

const FAILED = 'NO';

export class Table {
  /** The cells of each row, by the engine. */
  readonly #rows = new Map<string, Map<string, string>>();
  readonly #engines: readonly string[];

  constructor(engines: readonly string[]) {
    this.#engines = engines;
  }

  /**
   * Runs a check, which returns what its cell says if that is more than `yes`. If the engine has a
   * limit there, the check must fail as the limit says, and the cell says why.
   */
  async fill(
    row: string,
    { name, limits = [] }: Readonly<{ name: string; limits?: readonly Limit[] }>,
    check: () => Promise<string | void>,
  ): Promise<void> {
    const cells = this.#rows.get(row) ?? new Map<string, string>();
    this.#rows.set(row, cells);
    cells.set(name, FAILED);
    const limit = limits.find((one) => one.check === row);
    if (limit) {
      await expect(check()).rejects.toThrow(limit.fails);
      cells.set(name, `no: ${limit.why}`);
    } else {
      cells.set(name, (await check()) ?? 'yes');
    }
  }

  text(): string {
    const lines = [
      ['Check', ...this.#engines],
      ...[...this.#rows].map(([row, cells]) => [
        row,
        ...this.#engines.map((engine) => cells.get(engine) ?? '-'),
      ]),
    ];
    const columns = Array.from({ length: 1 + this.#engines.length }, (_, at) => at);
    const widths = columns.map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
    return lines
      .map((line) => line.map((cell, at) => cell.padEnd(widths[at] as number)).join('  '))
      .join('\n');
  }
}
