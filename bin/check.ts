/** What `--check` prints about a configuration file. */
import { UsageError } from './faults.ts';

/** Prints that the file is valid. Throws UsageError with all faults if there are any. */
export function reportChecked(file: string, faults: readonly string[]): void {
  if (faults.length > 0) {
    throw new UsageError([`${file}:`, ...faults.map((fault) => `✖ ${fault}`)].join('\n'));
  }
  process.stdout.write(`${file} is valid\n`);
}
