/** The configurations of Prometheus and Grafana that these tests check. */
import { fileURLToPath } from 'node:url';

export const CONFIGS = fileURLToPath(new URL('../../configs/', import.meta.url));
export const RULES = ['objectives', 'serving', 'store-and-money'] as const;
