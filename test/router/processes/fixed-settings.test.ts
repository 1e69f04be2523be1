/** What a process of a router must have in common with its parent. */
import { afterEach, expect, test, vi } from 'vitest';
import { parseRouterConfig } from '../../../router/config.ts';
import {
  checkFixedSettings,
  FIXED_SETTINGS,
  fixedSettings,
  PARENT_BUILD,
} from '../../../router/processes/fixed-settings.ts';
import { BUILD, describeBuild } from '../../../shared/build.ts';

afterEach(() => vi.unstubAllEnvs());

/** Checks as a child whose parent is of this build and has the same settings. */
function check(store: string, parent: string | undefined): () => void {
  const config = parseRouterConfig(
    { listeners: [{ port: 0, region: 'global' }], store, catalog: 'c.yaml', secrets: 's.json' },
    'router.yaml',
  );
  vi.stubEnv(FIXED_SETTINGS, fixedSettings(config));
  vi.stubEnv(PARENT_BUILD, parent);
  return () => checkFixedSettings(config);
}

test('on SQLite a process of another version than its parent does not start', () => {
  const store = 'sqlite:penstock.db';
  expect(check(store, describeBuild(BUILD))).not.toThrow();
  expect(check(store, '7.0.0 (abc)')).toThrow(
    `this process is Penstock ${describeBuild(BUILD)}, and its parent, which has the SQLite file open, is 7.0.0 (abc): stop the router, and start it again`,
  );
  // The first release does not say which one it is.
  expect(check(store, undefined)).toThrow('is 0.1.0: stop the router, and start it again');
});

test('on PostgreSQL it does, because each process has its own connections', () => {
  const store = 'postgres://localhost/penstock';
  expect(check(store, '7.0.0 (abc)')).not.toThrow();
  expect(check(store, undefined)).not.toThrow();
});
