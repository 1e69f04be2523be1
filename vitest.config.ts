import { defineConfig } from 'vitest/config';

/** What is run on both databases; a file with a database's name in its own is that one's alone. */
const ON_BOTH = [
  'test/router/ledger/*.test.ts',
  'test/router/identity/*.test.ts',
  'test/router/jobs/*.test.ts',
  'test/router/usage/*.test.ts',
  'test/router/history/*.test.ts',
  'test/router/host-events/*.test.ts',
  'test/router/verify/*.test.ts',
  'test/router/store/*.test.ts',
  'test/router/control/*.test.ts',
  'test/router/installation/*.test.ts',
];

/** These run processes, or the whole service in one: a router, agents and engines. */
const E2E = ['test/e2e/**/*.test.ts', 'test/bin/**/*.test.ts'];
/** It builds a release and installs it. */
const RELEASE = ['test/release/*.test.ts'];
/** Clients of other languages, which the suite installs. */
const CLIENTS = ['test/clients/**/*.test.ts'];
/** The scenes of the torture tests use the whole machine, so they run alone, after the others. */
const TORTURE = ['test/torture/short.test.ts'];
/** Processes of the first release beside those of the source. */
const UPGRADE = ['test/upgrade/*.test.ts'];
/** Load balancers, units, images and charts, whose tools are not all packages of Debian. */
const DEPLOY = ['test/deploy/*.test.ts'];
/** Real engines, which are installed from their packages first. */
const ENGINES = ['test/engines/*.test.ts'];

/** Prometheus watches a whole service. */
const MONITORING = ['test/monitoring/stack.test.ts'];

/** These install coding agents, hundreds of megabytes each, so they are run only when asked for. */
const AGENTS = ['test/coding-agents/sessions.test.ts'];

/**
 * Each worker loads the hundreds of modules of the router once, instead of once for each file. So a
 * module that registers hooks does it in a function that each file calls.
 */
const LOADED_ONCE = { isolate: false };

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Processes start slowly on a busy machine. The default is one second.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          ...LOADED_ONCE,
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/**/*.postgres.test.ts',
            'test/browser/**',
            ...E2E,
            ...TORTURE,
            ...UPGRADE,
            ...AGENTS,
            ...CLIENTS,
            ...ENGINES,
            ...RELEASE,
            ...DEPLOY,
            ...MONITORING,
          ],
        },
      },
      {
        extends: true,
        test: { name: 'e2e', include: E2E },
      },
      {
        extends: true,
        test: { name: 'deploy', include: DEPLOY, maxWorkers: 1 },
      },
      {
        extends: true,
        test: { name: 'agents', include: AGENTS },
      },
      {
        extends: true,
        test: { name: 'release', include: RELEASE, hookTimeout: 300_000 },
      },
      {
        extends: true,
        test: { name: 'monitoring', include: MONITORING, testTimeout: 120_000 },
      },
      {
        extends: true,
        // One file after another, because they install into the same folders.
        test: { name: 'clients', include: CLIENTS, hookTimeout: 300_000, maxWorkers: 1 },
      },
      {
        extends: true,
        test: {
          name: 'torture',
          include: TORTURE,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'upgrade', include: UPGRADE },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          include: ENGINES,
          globalSetup: ['test/engines/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude: ['test/browser/*speed.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        // Alone, one after another: what they measure is the page, not who else is at work.
        test: {
          name: 'browser-speed',
          include: ['test/browser/*speed.test.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          ...LOADED_ONCE,
          include: ON_BOTH,
          exclude: ['test/**/*.sqlite.test.ts'],
          env: { PENSTOCK_TEST_STORE: 'postgres' },
          globalSetup: ['test/support/postgres.ts'],
        },
      },
    ],
  },
});
