/** The version of Penstock, and the commit from which this code was built. */
import manifest from '../package.json' with { type: 'json' };

/** `npm run release` replaces this name by the commit. When the source runs, it is not defined. */
declare const PENSTOCK_COMMIT: string;

export type Build = Readonly<{
  version: string;
  /** Twelve digits, with `-dirty` when files had been changed; `source` when the source runs. */
  commit: string;
}>;

export const BUILD: Build = {
  version: manifest.version,
  commit: typeof PENSTOCK_COMMIT === 'string' ? PENSTOCK_COMMIT : 'source',
};

/** Returns the build as `--version` prints it. */
export function describeBuild({ version, commit }: Build): string {
  return `${version} (${commit})`;
}
