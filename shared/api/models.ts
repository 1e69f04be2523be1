/**
 * Models in the management API: the entries of `GET /v1/models`, with the prices that the
 * organization is billed. The schemas are defined here and not taken from the catalog's module,
 * because browsers cannot load that.
 */
import { z } from 'zod';
import { count, instant, usd } from './fields.ts';
import { page } from './pages.ts';

const prices = z
  .object({ prompt: usd, completion: usd, input_cache_read: usd })
  .meta({ examples: [{ prompt: '0.0000002', completion: '0.0000006', input_cache_read: '0' }] });

export const Model = z.object({
  id: z.string().describe('The id that requests name the model by.'),
  name: z.string(),
  hub_model_id: z.string(),
  created: z.int().describe('When the model was released, in seconds since the epoch.'),
  input_modalities: z.array(z.enum(['text', 'image'])),
  output_modalities: z.array(z.literal('text')),
  quantization: z.string(),
  context_length: count.describe('The most tokens that prompt and answer may have together.'),
  max_output_length: count,
  pricing: prices.describe('The list price, in USD per token.'),
  supported_sampling_parameters: z.array(z.string()),
  supported_features: z.array(z.enum(['tools', 'json_mode', 'reasoning'])),
  description: z.string(),
  billed: prices.describe(
    'The price that the organization pays: the agreed price, or else the list price.',
  ),
  agreed: z.boolean().describe('Whether a price was agreed with the organization.'),
  available: z
    .boolean()
    .describe(
      "Whether a worker serves the model now in the organization's region, as this router sees it.",
    ),
});
export type Model = z.infer<typeof Model>;
export const ModelPage = page(Model);

export const CatalogStatus = z.object({
  models: count,
  loaded: instant.describe('When the catalog in force was read.'),
  fault: z
    .string()
    .nullable()
    .describe(
      'Why the current file was refused; the previous catalog then stays in force. Null when it was accepted.',
    ),
});
export type CatalogStatus = z.infer<typeof CatalogStatus>;
