import { expect, test } from 'vitest';
import { BodySender } from '../../../router/fleet/body-sender.ts';
import { limits } from '../../../shared/limits.ts';
import { readRecords } from '../../../shared/wire/frames.ts';

test('of bodies to an agent so much is under way unacknowledged, and the rest waits', () => {
  let sent = 0;
  const sender = new BodySender((message) =>
    readRecords(message, (_stream, _kind, _prompt, _completion, bytes) => {
      sent += bytes.length;
    }),
  );
  for (let stream = 1; stream <= 3; stream++) {
    sender.add(stream, Buffer.alloc(limits.linkBodyWindowBytes));
  }
  expect(sent).toBe(limits.linkBodyWindowBytes);
  expect(sender.acknowledge(1_000)).toBe(true);
  expect(sent).toBe(limits.linkBodyWindowBytes + 1_000);
  expect(sender.acknowledge(sent + 1)).toBe(false);
});
