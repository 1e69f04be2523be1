/**
 * Chooses the format of a document by the `Accept` header. A missing header, `*` and unknown types
 * mean JSON.
 */

type InvoiceForm = 'json' | 'csv' | 'html' | 'pdf';

const FORMATS: Readonly<Record<string, InvoiceForm>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'text/html': 'html',
  'application/pdf': 'pdf',
};

/** Returns the format with the highest quality value; of equal ones, the first. */
export function formatOf(accept = ''): InvoiceForm {
  const wanted = accept.split(',').flatMap((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const format = FORMATS[type];
    const quality = Number(/^q=([01](?:\.\d{1,3})?)$/.exec(parameters.at(-1) ?? '')?.[1] ?? 1);
    return format && quality > 0 ? [{ format, quality }] : [];
  });
  return wanted.toSorted((a, b) => b.quality - a.quality)[0]?.format ?? 'json';
}
