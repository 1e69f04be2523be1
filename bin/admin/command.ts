/**
 * What all admin commands have in common: the address of the API, the operator's token, and the way
 * responses are printed.
 */
import { z } from 'zod';
import { checkFlags } from '../flags.ts';
import { Client } from './client.ts';
import {
  type Pages,
  printFields,
  printJson,
  printJsonArray,
  printTable,
  type Row,
} from './output.ts';

const Common = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an origin such as https://api.example.com' })
    .default('http://127.0.0.1:8080')
    .transform((url) => new URL(url).origin),
  json: z.boolean().default(false),
  PENSTOCK_OPERATOR_TOKEN: z
    .string({ error: "is not set: export PENSTOCK_OPERATOR_TOKEN='penstock-op-…'" })
    .min(1, 'is empty'),
});

export type Context = Readonly<{
  client: Client;
  /** The origin of the API. */
  origin: string;
  /** Prints one item. */
  show: <Item>(item: Item, fieldsOf: (item: Item) => Row) => Promise<void>;
  /** Prints a list. */
  list: <Item>(pages: Pages<Item>, rowOf: (item: Item) => Row) => Promise<void>;
}>;

/** Returns a commander action that checks the common flags and `shape`, and calls `run`. */
export function command<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (context: Context, flags: z.output<z.ZodObject<Shape>>) => Promise<void>,
): (flags: object) => Promise<void> {
  const Own = z.object(shape);
  return async (given) => {
    const { PENSTOCK_OPERATOR_TOKEN } = process.env;
    // The flags are checked together, so that one message names every error.
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

/** Returns an amount for people, or null if there is none. */
export function usd(amount: string | null): string | null {
  return amount === null ? null : `USD ${amount}`;
}
