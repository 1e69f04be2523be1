/** Which endpoints of receivers a configuration may have. */
import { expect, test } from 'vitest';
import { OtlpSetting } from '../../../shared/tracing/setting.ts';

test.each([
  'http://user:password@127.0.0.1:4318',
  'HTTPS://user@example.com/v1/traces',
  'http:///user:password@example.com',
])('the endpoint %s is refused, because it has credentials', (endpoint) => {
  const { success, error } = OtlpSetting.safeParse({ endpoint });
  expect(success).toBe(false);
  expect(error?.message).toContain('must not contain credentials: use headers');
  expect(error?.message).not.toContain('password@');
});

test.each(['http://127.0.0.1:4318', 'https://example.com/a@b?c=d@e'])(
  'the endpoint %s is accepted',
  (endpoint) => {
    expect(OtlpSetting.safeParse({ endpoint }).success).toBe(true);
  },
);
