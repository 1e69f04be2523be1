/** PDFs of documents: drawn on a thread, and only so many of them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PrintedDocument } from '../../../shared/documents/document.ts';
import { Drawings, DRAWINGS_MAX } from '../../../router/control/documents/drawings.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { readPdf } from '../../support/read-pdf.ts';
import { log } from './rig.ts';

const ISSUED = Date.UTC(2026, 10, 24);

let drawings: Drawings;
beforeEach(() => {
  drawings = new Drawings({ log });
});
afterEach(() => drawings[Symbol.asyncDispose]());

function documentOf(name: string): PrintedDocument {
  return {
    title: 'Receipt',
    number: 'REC-000001',
    status: { name: 'Paid', tone: 'good' },
    isTest: false,
    seller: null,
    contact: null,
    buyer: { name, address: '', tax_id: '' },
    facts: [],
    columns: ['Description', 'USD'],
    lines: [],
    totals: [['Total paid', 'USD 5']],
  };
}

const draw = (name: string, organization = name) =>
  drawings.draw(organization as OrganizationId, documentOf(name), ISSUED);

test('so many documents of an organization are drawn at once, and so many of all', async () => {
  const own = Array.from({ length: DRAWINGS_MAX.organization }, (_, n) => `Own ${n}`);
  const others = Array.from({ length: DRAWINGS_MAX.total - own.length - 1 }, (_, n) => `Lab ${n}`);
  const names = [...own, ...others];
  const drawn = [...own.map((name) => draw(name, 'Own')), ...others.map((name) => draw(name))];
  await expect(draw('Too many', 'Own')).rejects.toMatchObject({
    refusal: {
      status: 429,
      retryAfterS: 2,
      message:
        'Too many PDFs of this organization are being drawn: request this one when you have them.',
    },
  });
  drawn.push(draw('The last'));
  await expect(draw('One more')).rejects.toMatchObject({
    refusal: {
      status: 429,
      retryAfterS: 5,
      message: 'Too many PDFs are being drawn: try again in a few seconds.',
    },
  });
  // Each gets its own document, and then may have the next.
  const pages = await Promise.all(drawn.map(async (pdf) => (await readPdf(await pdf)).join()));
  for (const [at, name] of [...names, 'The last'].entries()) expect(pages[at]).toContain(name);
  expect((await readPdf(await draw('Another of it', 'Own'))).join()).toContain('Another of it');
  expect(drawings.limit.count).toBe(0);
});

test('a document that cannot be drawn is an error, and the next one is drawn', async () => {
  const broken = { ...documentOf('Lab'), lines: null } as unknown as PrintedDocument;
  await expect(drawings.draw('org_1' as OrganizationId, broken, ISSUED)).rejects.toThrow(
    'a document could not be drawn: ',
  );
  expect((await readPdf(await draw('Lab'))).join()).toContain('Lab');
});

test('a router that stops draws nothing more', async () => {
  const drawing = draw('Lab');
  await drawings[Symbol.asyncDispose]();
  await expect(drawing).rejects.toThrow('the thread that draws documents ended');
  await expect(draw('Lab')).rejects.toThrow('the router draws no more documents');
});
