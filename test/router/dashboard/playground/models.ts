/** Models in the catalog's format, for tests of the requests that are sent to them. */
import type { Model } from '../../../../shared/api/models.ts';

export function model(changed: Partial<Model> = {}): Model {
  return {
    id: 'acme/one',
    name: 'One',
    hub_model_id: 'acme/One',
    created: 0,
    input_modalities: ['text'],
    output_modalities: ['text'],
    quantization: 'fp8',
    context_length: 100_000,
    max_output_length: 4_096,
    pricing: { prompt: '0.0000002', completion: '0.0000006', input_cache_read: '0.00000005' },
    supported_sampling_parameters: ['max_tokens', 'temperature', 'stop', 'seed'],
    supported_features: [],
    description: '',
    billed: { prompt: '0.0000002', completion: '0.0000006', input_cache_read: '0.00000005' },
    agreed: false,
    available: true,
    ...changed,
  };
}
