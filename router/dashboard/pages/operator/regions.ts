/** The regions that there are; the schema itself is not for browsers. */
import type { Region } from '../../../../shared/wire/messages.ts';

export const REGIONS = ['global', 'us', 'eu'] as const satisfies readonly Region[];
