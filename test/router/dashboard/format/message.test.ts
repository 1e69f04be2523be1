import { expect, test } from 'vitest';
import { shownMessage } from '../../../../router/dashboard/format/message.ts';

test('a message has amounts and times as other places of the dashboard, and else stays', () => {
  const message =
    'The cap leaves USD 0.000275, because running requests hold USD 1. It is reset at 2026-12-01T00:00:00Z. Pay in USD.';
  expect(shownMessage(message, 'UTC')).toMatch(
    /^The cap leaves \$0\.000275, because running requests hold \$1\. It is reset at Dec 1, 2026.* UTC\. Pay in USD\.$/,
  );
});
