/** The seller of tests that read its documents; `seller: null` is for those that read none. */
import type { ConfiguredSeller } from '../../router/control/documents/parties.ts';

export const SELLER: ConfiguredSeller = {
  name: 'Sluice Inference Ltd',
  address: '1 Weir Road\nDublin 2',
  tax_id: 'IE1234567X',
  note: 'Reverse charge.',
  series: 'SLUICE',
  payment_instructions: 'IBAN IE29 AIBK 9311 5212 3456 78\nReference: the number of the invoice',
};
