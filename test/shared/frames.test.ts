import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameError, KIND, type Kind, RecordBatch, readRecords } from '../../shared/wire/frames.ts';

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const record = fc.record({
  stream: u32,
  kind: fc.constantFrom<Kind>(...Object.values(KIND)),
  prompt: u32,
  completion: u32,
  text: fc.string({ unit: 'binary', maxLength: 200 }),
});

function decode(message: Buffer) {
  const records: unknown[] = [];
  readRecords(message, (stream, kind, prompt, completion, bytes) => {
    records.push({ stream, kind, prompt, completion, text: bytes.toString('utf8') });
  });
  return records;
}

test('records come out as they went in, as text or as bytes', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 40 }), (records) => {
      const batch = new RecordBatch(64);
      for (const [index, { stream, kind, prompt, completion, text }] of records.entries()) {
        // A lone surrogate has no UTF-8 form, so its replacement character is sent.
        if (index % 2 === 0) batch.addText(stream, kind, prompt, completion, text);
        else batch.add(stream, kind, prompt, completion, Buffer.from(text));
      }
      const sent = records.map((one) => ({ ...one, text: Buffer.from(one.text).toString() }));
      expect(decode(batch.take())).toEqual(sent);
      expect(batch.length).toBe(0);
    }),
  );
});

test('a message that is taken is not changed by the next one', () => {
  const batch = new RecordBatch();
  batch.addText(1, KIND.content, 1, 1, 'first');
  const first = batch.take();
  batch.addText(2, KIND.content, 2, 2, 'other');
  expect(decode(first)).toMatchObject([{ stream: 1, text: 'first' }]);
});

test('any cut of a message is found', () => {
  const batch = new RecordBatch();
  batch.addText(7, KIND.content, 3, 4, 'some text');
  const whole = batch.take();
  for (let length = 1; length < whole.length; length++) {
    expect(() => decode(whole.subarray(0, length))).toThrow(FrameError);
  }
});

test('arbitrary bytes either decode or are a FrameError, nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        decode(Buffer.from(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(FrameError);
      }
    }),
  );
});
