/** What all admin commands have in common: where the API is, who asks, and how the answer is printed. */
import { z } from 'zod';
import { checkFlags } from '../flags.ts';
import { Client } from './client.ts';
import { printFields, printJson, printJsonArray, printTable, type Row } from './output.ts';

const Common = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'is an origin such as https://api.example.com' })
    .default('http://127.0.0.1:8080')
    .transform((url) => new URL(url).origin),
  json: z.boolean().default(false),
  PENSTOCK_OPERATOR_TOKEN: z
    .string({ error: "is not set: export PENSTOCK_OPERATOR_TOKEN='penstock-op-…'" })
    .min(1, 'is empty'),
});

export type Context = Readonly<{
  client: Client;
  /** Where the API is. */
  origin: string;
  /** Prints one thing. */
  show: <Item>(item: Item, fieldsOf: (item: Item) => Row) => Promise<void>;
  /** Prints a list. */
  list: <Item>(pages: AsyncIterable<readonly Item[]>, rowOf: (item: Item) => Row) => Promise<void>;
}>;

/** A command with flags of its own, as commander's action calls it. */
export function command<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (context: Context, flags: z.output<z.ZodObject<Shape>>) => Promise<void>,
): (flags: object) => Promise<void> {
  const Own = z.object(shape);
  return async (given) => {
    const { PENSTOCK_OPERATOR_TOKEN } = process.env;
    // Together, so that every fault is named at once.
    const flags = checkFlags(Common.and(Own), { PENSTOCK_OPERATOR_TOKEN, ...given });
    const client = new Client(flags.url, flags.PENSTOCK_OPERATOR_TOKEN);
    await run({ client, origin: flags.url, ...(flags.json ? forScripts : forPeople) }, flags);
  };
}

type Output = Omit<Context, 'client' | 'origin'>;

const forScripts: Output = { show: printJson, list: printJsonArray };

const forPeople: Output = {
  show: (item, fieldsOf) => printFields(fieldsOf(item)),
  list: printTable,
};

/** Nothing to show. */
export function text(value: string | null): string {
  return value ?? '-';
}
