/** Bundles the code of a release: the whole of Penstock in modules, and the agent in one file. */
import { join } from 'node:path';
import { type OutputOptions, type Plugin, type RolldownOptions, rolldown } from 'rolldown';
import { build } from 'vite';
import { type Copied, placedUrls } from './placed-urls.ts';

/** Native packages. Whoever installs the release gets them from the registry, not from the bundle. */
export const NATIVE = ['better-sqlite3', '@node-rs/argon2', 'zeromq'];
/** Packages that others load if they are installed. They are not installed in the source either. */
const ABSENT = ['pg-native', 'bufferutil', 'utf-8-validate', 'react-devtools-core'];

export type Bundle = Readonly<{
  copied: Copied;
  /** The folders of the npm packages with code or files in the bundle. */
  packages: ReadonlySet<string>;
}>;

type Source = Readonly<{ root: string; commit: string }>;

/** Writes everything but the native packages to `into`. */
export async function bundleAll(source: Source, into: string): Promise<Bundle> {
  const copied: Copied = new Map();
  return await write(
    {
      input: { 'bin/penstock': join(source.root, 'bin/penstock.ts') },
      plugins: [placedUrls(source.root, copied)],
      transform: { target: 'node24', define: definitions(source) },
    },
    {
      dir: into,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
    copied,
  );
}

/**
 * Writes the agent to the one file `into`. It is CommonJS, because only that can become an
 * executable, and runs on Node 22.
 */
export async function bundleAgent(source: Source, into: string): Promise<Bundle> {
  return await write(
    {
      input: join(source.root, 'bin/release/agent.ts'),
      transform: { target: 'node22', define: definitions(source) },
    },
    {
      file: into,
      format: 'cjs',
      codeSplitting: false,
      strict: true,
      // Names are kept for stack traces.
      minify: { compress: true, mangle: false, codegen: true },
      // V8 keeps a source of ASCII alone in half of the memory.
      charset: 'ascii',
      postBanner: STARTS_ITSELF,
    },
    new Map(),
  );
}

/**
 * To a shell the file is a script that starts Node with the flags of bin/penstock. To Node, the script
 * is a text and a comment. A Node that lacks a flag is too old, and says so (oldest-node.ts). An agent
 * does its work in one thread, so glibc needs one arena, which keeps 6 MB less than two. The threshold
 * is the one that glibc begins with. Because it is set, glibc does not raise it, and gives back some
 * 5 MB that the start has used.
 */
const STARTS_ITSELF = `#!/bin/sh
':' //; export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-1}" MALLOC_TRIM_THRESHOLD_="\${MALLOC_TRIM_THRESHOLD_:-131072}"; node --disable-sigusr1 --version >/dev/null 2>&1 || exec node "$0" "$@"; exec node --max-semi-space-size=8 --disable-warning=ExperimentalWarning --disable-sigusr1 "$0" "$@"
`;

function definitions({ commit }: Source): Record<string, string> {
  return {
    PENSTOCK_COMMIT: JSON.stringify(commit),
    'process.env.NODE_ENV': JSON.stringify('production'),
  };
}

async function write(
  options: RolldownOptions & { plugins?: Plugin[] },
  output: OutputOptions,
  copied: Copied,
): Promise<Bundle> {
  const packages = new Set<string>();
  await using bundle = await rolldown({
    ...options,
    plugins: [...(options.plugins ?? []), recordPackages(packages)],
    platform: 'node',
    external: [...NATIVE, ...ABSENT],
    onLog(level, log) {
      // hdr-histogram-js evaluates `require`, and does without it where that fails.
      if (level === 'warn' && log.code !== 'EVAL') throw new Error(log.message);
    },
  });
  await bundle.write(output);
  for (const file of copied.values()) addPackageOf(file, packages);
  return { copied, packages };
}

/**
 * Builds the dashboard in its place in the source, as `npm ci` does. Returns its npm packages.
 */
export async function buildDashboard(root: string): Promise<ReadonlySet<string>> {
  // In another environment, such as that of a test, Vite bundles the development build of React,
  // which is larger and mounts each component twice.
  process.env['NODE_ENV'] = 'production';
  const packages = new Set<string>();
  await build({
    configFile: join(root, 'router/dashboard/vite.config.ts'),
    logLevel: 'warn',
    plugins: [recordPackages(packages)],
  });
  return packages;
}

function recordPackages(packages: Set<string>): Plugin {
  return {
    name: 'penstock-packages',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        addPackageOf(id, packages);
      }
    },
  };
}

/** Adds the folder of the npm package that a file is in, if it is in one. */
function addPackageOf(file: string, packages: Set<string>): void {
  const [folder] = /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
  if (folder !== undefined) packages.add(folder);
}
